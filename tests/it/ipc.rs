//! What the window answers to its page, on Tauri's mock runtime: every command of the schema and nothing else, to the
//! own page only, and to nonsense with an error.

use diglot_api::COMMANDS;
use serde_json::{Value, json};
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{App, Manager, WebviewUrl, WebviewWindow, WebviewWindowBuilder};
use tempfile::TempDir;

const OWN_PAGE: &str = if cfg!(windows) {
    "http://tauri.localhost"
} else {
    "tauri://localhost"
};

struct Host {
    app: App<MockRuntime>,
    _data: TempDir,
}

impl Host {
    fn start() -> Self {
        let data = tempfile::tempdir().unwrap();
        let start = diglot_app::Start {
            data_folder: Some(data.path().join("data")),
            folder: None,
        };
        let mut app = diglot_app::build(mock_builder(), start).unwrap();
        #[expect(
            deprecated,
            reason = "the set-up is part of the loop, which must not run on here"
        )]
        app.run_iteration(|_, _| ());
        Self { app, _data: data }
    }

    fn window(&self) -> WebviewWindow<MockRuntime> {
        self.app.get_webview_window("main").unwrap()
    }
}

fn ask(
    window: &WebviewWindow<MockRuntime>,
    page: &str,
    command: &str,
    args: Value,
) -> Result<Value, Value> {
    let request = InvokeRequest {
        cmd: command.to_owned(),
        callback: CallbackFn(0),
        error: CallbackFn(1),
        url: page.parse().unwrap(),
        body: InvokeBody::Json(args),
        headers: tauri::http::HeaderMap::default(),
        invoke_key: INVOKE_KEY.to_owned(),
    };
    get_ipc_response(window, request).map(|body| body.deserialize().unwrap())
}

#[test]
fn the_window_answers_the_schema() {
    assert_eq!(diglot_app::HANDLERS, COMMANDS);
    let host = Host::start();
    let view = ask(
        &host.window(),
        OWN_PAGE,
        "app_view",
        json!({ "request": {} }),
    )
    .unwrap();
    assert_eq!(view["version"], json!(env!("CARGO_PKG_VERSION")));
    assert_eq!(view["folder"], Value::Null);
}

#[test]
fn other_pages_and_windows_are_refused() {
    let host = Host::start();
    let other = WebviewWindowBuilder::new(&host.app, "other", WebviewUrl::default())
        .build()
        .unwrap();
    for command in COMMANDS {
        let args = || json!({ "request": {} });
        let from_page = ask(&host.window(), "https://example.org", command, args());
        assert_refused(command, from_page);
        assert_refused(command, ask(&other, OWN_PAGE, command, args()));
    }
    let files = json!({ "options": { "directory": true } });
    assert_refused(
        "dialog",
        ask(&host.window(), OWN_PAGE, "plugin:dialog|open", files),
    );
}

#[track_caller]
fn assert_refused(command: &str, answer: Result<Value, Value>) {
    let error = answer.expect_err(command);
    let text = error.as_str().unwrap_or_default();
    assert!(text.contains("not allowed"), "{command}: {error}");
}

#[test]
fn nonsense_is_answered_with_an_error() {
    let host = Host::start();
    let window = host.window();
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    // `project_pick` takes nothing and asks a person.
    for command in COMMANDS.iter().filter(|name| **name != "project_pick") {
        for _ in 0..40 {
            let request = noise.value(3);
            let args = json!({ "request": request });
            let shown = args.to_string();
            if let Err(error) = ask(&window, OWN_PAGE, command, args) {
                let fields = error
                    .as_object()
                    .unwrap_or_else(|| panic!("{command}: {error}"));
                assert!(fields.contains_key("code"), "{command} {shown}: {error}");
                assert_ne!(error["code"], "internal", "{command} {shown}: {error}");
            }
        }
    }
}

/// Makes JSON of no sense, the same at every run (xorshift, G. Marsaglia, 2003).
struct Noise(u64);

impl Noise {
    fn number(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }

    fn value(&mut self, depth: u64) -> Value {
        const TEXTS: [&str; 6] = ["", "../..", "/etc/passwd", "\u{202e}x\0", "-1", "en"];
        const KEYS: [&str; 8] = [
            "sessionId",
            "path",
            "unit",
            "callId",
            "decision",
            "projectId",
            "kind",
            "target",
        ];
        match self.number(if depth == 0 { 5 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.number(2) == 0),
            2 => json!(i64::from_ne_bytes(self.number(u64::MAX).to_ne_bytes())),
            3 => json!(self.number(1000)),
            4 => json!(TEXTS[usize::try_from(self.number(6)).unwrap()]),
            5 => (0..self.number(4)).map(|_| self.value(depth - 1)).collect(),
            _ => (0..self.number(8))
                .map(|_| {
                    let key = KEYS[usize::try_from(self.number(8)).unwrap()];
                    (key.to_owned(), self.value(depth - 1))
                })
                .collect::<serde_json::Map<_, _>>()
                .into(),
        }
    }
}
