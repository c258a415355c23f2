//! Lines in, lines out, over a real application in a temporary folder.

use std::io;
use std::sync::{Mutex, PoisonError};

use serde_json::json;

use super::*;

/// Keeps what is written.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn lines(&self) -> Vec<Value> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let text = std::str::from_utf8(&bytes).unwrap();
        assert!(text.is_empty() || text.ends_with('\n'), "{text}");
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }
}

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Answers the lines of `input` and returns the answers.
async fn answers(input: &[u8]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let workbench = host::open(Some(folder.path()), |_| {}).unwrap();
    let kept = Kept::default();
    let output = Output::to(kept.clone());
    let mut commands = JoinSet::new();
    read(input, &workbench, &output, &mut commands).await;
    while commands.join_next().await.is_some() {}
    output.finish().await;
    workbench.close().await;
    kept.lines()
}

#[tokio::test(flavor = "multi_thread")]
async fn each_line_is_answered_by_its_id() {
    let input = b"{\"id\": 1, \"command\": \"session_list\", \"args\": {}}\n\
        \r\n\
        {\"id\": \"two\", \"command\": \"settings_view\"}";
    let answers = answers(input).await;
    assert_eq!(answers.len(), 2);
    let find = |id: Value| answers.iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(find(json!(1))["ok"]["nTotal"], json!(0));
    assert_eq!(
        find(json!("two"))["ok"]["settings"]["translator"],
        json!("offline")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_line_is_answered_and_the_next_one_works() {
    for (line, id) in [
        (&b"nonsense"[..], Value::Null),
        (b"\xff\xfe", Value::Null),
        (b"[1, 2]", Value::Null),
        (b"{\"id\": 7}", json!(7)),
        (b"{\"id\": 8, \"command\": \"no_such_command\"}", json!(8)),
        (
            b"{\"id\": 9, \"command\": \"project_open\", \"args\": {\"path\": 1}}",
            json!(9),
        ),
    ] {
        let input = [line, b"\n{\"id\": 99, \"command\": \"app_view\"}\n"].concat();
        let answers = answers(&input).await;
        let bad = answers
            .iter()
            .find(|answer| answer.get("error").is_some())
            .unwrap();
        assert_eq!(bad["error"]["code"], json!("badRequest"), "{bad}");
        assert_eq!(bad["id"], id);
        assert!(
            answers
                .iter()
                .any(|answer| answer["id"] == 99 && answer.get("ok").is_some())
        );
    }
}
