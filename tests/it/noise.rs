//! P23: any input of a command is survived. Owns requests of no sense, and requests that make sense but for a part.

use std::fs;

use diglot_api::COMMANDS;
use diglot_testkit::{Depth, Promise};
use serde_json::{Map, Value, json};

use crate::ipc::{Host, OWN_PAGE, ask};

/// Stands in a file beside the project, which no command may give away.
const CANARY: &str = "canary-4f1d";
const TEXTS: [&str; 14] = [
    "",
    "a.md",
    "../outside.md",
    "..",
    "/etc/passwd",
    "\\\\server\\share\\a.md",
    "file:///etc/passwd",
    "a.md\0",
    "\u{202e}x\u{200b}",
    "-1",
    "de",
    "<img src=x onerror=alert(1)>",
    "'; DROP TABLE session; --",
    "\u{fffd}\u{1f469}\u{200d}\u{1f4bb}",
];

#[test]
fn p23_any_input_of_a_command_is_survived() {
    let (host, folder) = (Host::start(), tempfile::tempdir().unwrap());
    let window = host.window();
    let project = folder.path().join("project");
    fs::create_dir(&project).unwrap();
    fs::write(project.join("a.md"), "# One\n\nTwo `three` 4.\n").unwrap();
    fs::write(folder.path().join("outside.md"), CANARY).unwrap();

    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    let n_calls = Depth::of_run().pick(10_000, 1_000_000);
    let mut n_errors = 0_usize;
    let mut request = json!(null);
    // These ask a person, by a dialog.
    let asks = [
        "project_pick",
        "guide_import",
        "guide_export",
        "term_import",
        "term_export",
    ];
    let commands: Vec<&str> = COMMANDS
        .iter()
        .copied()
        .filter(|name| !asks.contains(name))
        .collect();
    for n in 0..n_calls {
        // Sessions and projects are deleted on the way.
        if n % 250 == 0 {
            request = sensible(&window, &project.to_string_lossy());
        }
        let command = commands[n % commands.len()];
        let args = json!({ "request": noise.change(&request) });
        let shown = args.to_string();
        match ask(&window, OWN_PAGE, command, args) {
            Ok(answer) => assert!(!answer.to_string().contains(CANARY), "{command} {shown}"),
            Err(error) => {
                n_errors += 1;
                let code = &error["code"];
                assert!(
                    code.is_string() && code != "internal",
                    "{command} {shown}: {error}"
                );
                assert!(!error.to_string().contains(CANARY), "{command} {shown}");
            }
        }
    }
    assert_eq!(
        fs::read_to_string(folder.path().join("outside.md")).unwrap(),
        CANARY
    );
    let n_answers = n_calls - n_errors;
    assert!(
        n_answers > n_calls / 20 && n_errors > n_calls / 20,
        "{n_answers} and {n_errors}"
    );
    let figure =
        format!("{n_calls} calls: {n_answers} answers, {n_errors} refusals, 0 panics, 0 escapes");
    Promise::new(23, true, figure, "0 panics, 0 escapes").tell();
}

/// Makes what every command finds its own fields in: a project and a session that are there.
fn sensible(window: &tauri::WebviewWindow<tauri::test::MockRuntime>, project: &str) -> Value {
    let call = |command, request: Value| {
        ask(window, OWN_PAGE, command, json!({ "request": request })).unwrap()
    };
    let project = call("project_open", json!({ "path": project }));
    let session =
        json!({ "projectId": project["id"], "sourceLanguage": "en", "targetLanguage": "de" });
    let session = call("session_create", session);
    let view = call(
        "session_run",
        json!({ "sessionId": session["session"]["id"] }),
    );
    json!({
        "projectId": project["id"],
        "sessionId": session["session"]["id"],
        "callId": view["requests"][0]["callId"],
        "path": "a.md",
        "unit": 1,
        "fromUnit": 1,
        "limit": 10,
        "offset": 0,
        "target": "Eins",
        "targetLanguage": "de",
        "sourceLanguage": "en",
        "text": "Go on.",
        "title": "One",
        "query": "a",
        "encoding": "UTF-8",
        "whenMissing": "refuse",
        "decision": { "kind": "refine", "target": "Eins" },
        "choice": "keep",
        "fingerprint": "x",
        "dismissed": true,
        "kind": "terminology",
        "termSource": "One",
        "termTarget": "Eins",
        "id": 1,
        "providerId": "p",
        "off": [],
        "keysOut": ["id"],
        "keysIn": [],
        "columns": [],
        "attributes": [],
    })
}

/// Makes JSON of no sense, the same at every run (xorshift, G. Marsaglia, 2003).
struct Noise(u64);

impl Noise {
    fn number(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(below).unwrap()).unwrap()
    }

    /// Changes a request in up to three fields, or replaces it.
    fn change(&mut self, request: &Value) -> Value {
        if self.number(20) == 0 {
            return self.value(3);
        }
        let mut changed = request.clone();
        let fields = changed.as_object_mut().unwrap();
        let names: Vec<String> = fields.keys().cloned().collect();
        for _ in 0..self.number(4) {
            let name = names[self.number(names.len())].clone();
            match self.number(5) {
                0 => drop(fields.remove(&name)),
                _ => drop(fields.insert(name, self.value(2))),
            }
        }
        changed
    }

    fn value(&mut self, depth: usize) -> Value {
        const KEYS: [&str; 8] = [
            "kind",
            "target",
            "path",
            "reason",
            "settings",
            "providers",
            "text",
            "unit",
        ];
        match self.number(if depth == 0 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.number(2) == 0),
            2 => json!(i64::from_ne_bytes(self.0.to_ne_bytes())),
            3 => json!(self.number(1000)),
            4 => json!(TEXTS[self.number(TEXTS.len())]),
            5 => json!(TEXTS[self.number(TEXTS.len())].repeat(self.number(2000))),
            6 => (0..self.number(4)).map(|_| self.value(depth - 1)).collect(),
            _ => (0..self.number(8))
                .map(|_| {
                    (
                        KEYS[self.number(KEYS.len())].to_owned(),
                        self.value(depth - 1),
                    )
                })
                .collect::<Map<_, _>>()
                .into(),
        }
    }
}
