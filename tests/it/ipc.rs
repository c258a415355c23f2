//! What the window answers to its page, on Tauri's mock runtime: every command of the schema and nothing else, to the
//! own page only. Input of no sense has a file of its own, `noise.rs`.

use diglot_api::COMMANDS;
use serde_json::{Value, json};
use tauri::ipc::{CallbackFn, InvokeBody};
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder};
use tauri::webview::InvokeRequest;
use tauri::{App, Manager, WebviewUrl, WebviewWindow, WebviewWindowBuilder};
use tempfile::TempDir;

/// Address of the program's own page.
pub(crate) const OWN_PAGE: &str = if cfg!(windows) {
    "http://tauri.localhost"
} else {
    "tauri://localhost"
};

pub(crate) struct Host {
    app: App<MockRuntime>,
    _data: TempDir,
}

impl Host {
    /// Starts the program over an empty data folder.
    pub(crate) fn start() -> Self {
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

    /// Returns the program's window.
    pub(crate) fn window(&self) -> WebviewWindow<MockRuntime> {
        self.app.get_webview_window("main").unwrap()
    }
}

/// Calls a command as a page would.
pub(crate) fn ask(
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
