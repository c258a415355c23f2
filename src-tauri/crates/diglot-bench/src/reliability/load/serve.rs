//! `diglot-cli serve` as a process of its own: commands, events, and what the system counts of it.

use std::collections::VecDeque;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::time::Watch;

/// Longest wait for one answer.
const PATIENCE: Duration = Duration::from_secs(300);

/// Holds a running application.
pub(super) struct Serve {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    events: VecDeque<Value>,
    n_commands: u64,
}

impl Serve {
    /// Starts it over a data folder, and waits until it answers.
    pub(super) fn start(cli: &Path, data: &Path) -> Result<Self> {
        let mut child = Command::new(cli)
            .arg("serve")
            .arg("--data")
            .arg(data)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .context("diglot-cli cannot be started")?;
        let input = child.stdin.take();
        let output = child.stdout.take().context("no output")?;
        let (told, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let Ok(line) = serde_json::from_str(&line) else {
                    continue;
                };
                if told.send(line).is_err() {
                    return;
                }
            }
        });
        let mut serve = Self {
            child,
            input,
            lines,
            events: VecDeque::new(),
            n_commands: 0,
        };
        serve.call("app_view", &json!({}))?;
        Ok(serve)
    }

    /// Gives a command and waits for its answer.
    pub(super) fn call(&mut self, command: &str, args: &Value) -> Result<Value> {
        let id = self.send(command, args)?;
        loop {
            let mut line = self.lines.recv_timeout(PATIENCE).context("no answer")?;
            if line.get("id").and_then(Value::as_u64) != Some(id) {
                self.events.push_back(line);
                continue;
            }
            if let Some(error) = line.get("error") {
                bail!("{command}: {error}");
            }
            return Ok(line.get_mut("ok").map(Value::take).unwrap_or_default());
        }
    }

    /// Gives a command, and returns its answer with the time that it took.
    pub(super) fn timed(&mut self, command: &str, args: &Value) -> Result<(Value, Duration)> {
        let watch = Watch::of(self.child.id());
        let answer = self.call(command, args)?;
        Ok((answer, watch.elapsed()))
    }

    /// Gives a command and does not wait.
    pub(super) fn send(&mut self, command: &str, args: &Value) -> Result<u64> {
        self.n_commands += 1;
        let line = json!({"id": self.n_commands, "command": command, "args": args});
        let input = self.input.as_mut().context("the input is closed")?;
        writeln!(input, "{line}")?;
        input.flush()?;
        Ok(self.n_commands)
    }

    /// Waits for an event of a name that came after the last answer, or comes now.
    pub(super) fn event(&mut self, name: &str) -> Result<()> {
        let is_meant = |line: &Value| line.get("event").and_then(Value::as_str) == Some(name);
        while let Some(line) = self.events.pop_front() {
            if is_meant(&line) {
                return Ok(());
            }
        }
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            if is_meant(&line.with_context(|| format!("no event {name}"))?) {
                return Ok(());
            }
        }
    }

    /// Forgets the events that came so far.
    pub(super) fn forget_events(&mut self) {
        self.events.clear();
    }

    /// Returns the memory that is resident, in bytes; `None` where the system does not tell.
    pub(super) fn resident(&self) -> Option<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))?;
        let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
        Some(kilobytes * 1024)
    }

    /// Returns the bytes that it had written to the disk, as the system counts them.
    pub(super) fn written(&self) -> Option<u64> {
        let counts = fs::read_to_string(format!("/proc/{}/io", self.child.id())).ok()?;
        let line = counts
            .lines()
            .find_map(|line| line.strip_prefix("write_bytes:"))?;
        line.trim().parse().ok()
    }

    /// Closes its input and waits for its end; returns the time of that.
    pub(super) fn close(mut self) -> Result<Duration> {
        let watch = Watch::of(self.child.id());
        let begun = Instant::now();
        drop(self.input.take());
        // Its output ends with it; what it did can be asked until it is waited for.
        while self.lines.recv_timeout(PATIENCE).is_ok() {}
        let ended = watch.elapsed().min(begun.elapsed());
        let status = self.child.wait()?;
        if !status.success() {
            bail!("diglot-cli ended with {status}");
        }
        Ok(ended)
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        // It has ended already where it was closed.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
