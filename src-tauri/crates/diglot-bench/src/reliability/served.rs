//! `diglot-cli serve` as another program drives it: a line a command. Owns the process, its input and its output.

use std::fmt;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

/// Longest wait for an answer: a process that needs longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a command gave, or why it gave nothing.
pub(super) type Answer = std::result::Result<Value, NoAnswer>;

/// Why a command gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoAnswer {
    /// It was refused, with a code and more.
    Refused { code: String, detail: String },
    /// The process ended before it answered.
    Gone,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { code, detail } => write!(f, "refused: {code}, {detail}"),
            Self::Gone => f.write_str("the process ended"),
        }
    }
}

impl std::error::Error for NoAnswer {}

/// Holds a running process; killed when dropped.
pub(super) struct Served {
    child: Arc<Mutex<Child>>,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    n_sent: u64,
    n_written: usize,
}

impl Served {
    /// Starts the program on a data folder.
    pub(super) fn start(cli: &Path, data: &Path) -> Result<Self> {
        let mut command = Command::new(cli);
        command.args(["serve", "--data"]).arg(data);
        command.stderr(Stdio::null());
        Self::run(command)
    }

    /// Starts a command that runs the program.
    pub(super) fn run(mut command: Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} cannot be started", command.get_program().display()))?;
        let input = child.stdin.take();
        let output = child.stdout.take().context("no output")?;
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let Ok(value) = serde_json::from_str(&line) else {
                    return;
                };
                if sender.send(value).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            child: Arc::new(Mutex::new(child)),
            input,
            lines,
            n_sent: 0,
            n_written: 0,
        })
    }

    /// Returns the number that the next command has.
    pub(super) fn next_id(&self) -> u64 {
        self.n_sent + 1
    }

    /// Sends a command and waits for its answer.
    pub(super) fn call(&mut self, command: &str, args: &Value) -> Result<Answer> {
        self.n_sent += 1;
        let id = self.n_sent;
        self.write(&json!({"id": id, "command": command, "args": args}));
        while let Some(message) = self.line()? {
            if message.get("id").is_some_and(|found| *found == id) {
                return Ok(answer(&message));
            }
        }
        Ok(Err(NoAnswer::Gone))
    }

    fn write(&mut self, line: &Value) {
        if let Some(input) = &mut self.input
            && writeln!(input, "{line}").is_err()
        {
            // Gone; what it had answered before is read all the same.
            self.input = None;
        }
    }

    /// Asks the program for its first word: that it runs, or why it cannot.
    pub(super) fn greet(&mut self) -> Result<Answer> {
        self.n_sent += 1;
        let id = self.n_sent;
        self.write(&json!({"id": id, "command": "app_view"}));
        while let Some(message) = self.line()? {
            // What a start says that fails answers no command.
            if message.get("error").is_some() || message.get("id").is_some_and(|at| *at == id) {
                return Ok(answer(&message));
            }
        }
        Ok(Err(NoAnswer::Gone))
    }

    /// Waits until targets were written once more than `n` times since the start; false when the process is gone.
    pub(super) fn wait_for_targets(&mut self, n: usize) -> Result<bool> {
        while self.n_written <= n {
            if self.line()?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns how often targets were written, as far as lines were read.
    pub(super) fn n_written(&self) -> usize {
        self.n_written
    }

    /// Reads the next line; `None` at the end.
    fn line(&mut self) -> Result<Option<Value>> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(message) => {
                let event = message.get("event").and_then(Value::as_str);
                self.n_written += usize::from(event == Some("targetsChanged"));
                Ok(Some(message))
            }
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => bail!("no answer within {PATIENCE:?}"),
        }
    }

    /// Kills the process after a while, without a word to it.
    pub(super) fn kill_after(&self, time: Duration) -> JoinHandle<()> {
        let child = Arc::clone(&self.child);
        thread::spawn(move || {
            thread::sleep(time);
            // Gone already is as good.
            drop(lock(&child).kill());
        })
    }

    /// Ends the input, waits for the end, and returns how the process ended.
    pub(super) fn end(mut self) -> Result<ExitStatus> {
        self.input = None;
        while self.line()?.is_some() {}
        lock(&self.child).wait().context("wait")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        // Gone already is as good.
        drop(child.kill());
        drop(child.wait());
    }
}

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answer(message: &Value) -> Answer {
    let Some(error) = message.get("error") else {
        return Ok(message.get("ok").cloned().unwrap_or_default());
    };
    let text = |name| {
        let value = error.get(name).and_then(Value::as_str);
        value.unwrap_or_default().to_owned()
    };
    Err(NoAnswer::Refused {
        code: text("code"),
        detail: text("detail"),
    })
}
