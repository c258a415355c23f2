//! The one writer of standard output: whole lines, each written through at once.

use std::io::{self, Write};

use diglot_api::error::ApiError;
use diglot_api::event::ApiEvent;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

/// Takes lines from any thread.
#[derive(Debug, Clone)]
pub(super) struct Output {
    /// Lines in order; `None` is the end.
    lines: UnboundedSender<Option<String>>,
}

impl Output {
    /// Starts the writer of standard output.
    pub(super) fn start() -> Self {
        Self::to(io::stdout())
    }

    /// Starts a writer to anything.
    pub(super) fn to(target: impl Write + Send + 'static) -> Self {
        let (lines, waiting) = mpsc::unbounded_channel();
        std::thread::spawn(move || write(target, waiting));
        Self { lines }
    }

    /// Writes the answer to a command.
    pub(super) fn answer(&self, id: &Value, answer: Result<Value, ApiError>) {
        let line = match answer {
            Ok(value) => json!({"id": id, "ok": value}),
            Err(error) => json!({"id": id, "error": error}),
        };
        self.line(&line);
    }

    /// Writes an event.
    pub(super) fn event(&self, event: &ApiEvent) {
        self.line(event);
    }

    /// Waits until nobody reads the output any more.
    pub(super) async fn closed(&self) {
        self.lines.closed().await;
    }

    /// Waits until everything is written; what comes later is dropped.
    pub(super) async fn finish(&self) {
        // A writer that is gone has nothing left to finish.
        drop(self.lines.send(None));
        self.lines.closed().await;
    }

    fn line(&self, value: &impl Serialize) {
        if let Ok(line) = serde_json::to_string(value) {
            // With nobody left to read it, a line has no use.
            drop(self.lines.send(Some(line)));
        }
    }
}

/// Writes lines until the end or until the target refuses.
fn write(mut target: impl Write, mut waiting: UnboundedReceiver<Option<String>>) {
    while let Some(Some(mut line)) = waiting.blocking_recv() {
        line.push('\n');
        if target
            .write_all(line.as_bytes())
            .and_then(|()| target.flush())
            .is_err()
        {
            return;
        }
    }
}
