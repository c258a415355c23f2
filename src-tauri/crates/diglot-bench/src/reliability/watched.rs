//! What a process asked of the system: files that it opened, addresses that it connected to, sockets on which it listened.
//! Owns the recording by strace and its reading; must not judge.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::strace;

/// Calls that are recorded.
const CALLS: &str = "trace=open,openat,openat2,connect,bind,listen,execve,execveat";

/// Holds what a process did.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// Paths of what was opened, as the system resolved them.
    pub(super) opened: BTreeSet<String>,
    /// Those that were opened for writing.
    pub(super) written: BTreeSet<String>,
    /// Addresses on a network, with ports.
    pub(super) connected: BTreeSet<String>,
    /// Calls that listen on a network.
    pub(super) listening: Vec<String>,
    /// Programs that were started.
    pub(super) started: Vec<String>,
    /// Threads that wait for a file that they opened for writing.
    writers: BTreeSet<String>,
}

/// Stops a process at those calls alone, which costs far less.
const SECCOMP: &str = "--seccomp-bpf";

/// Tells whether calls can be recorded here.
pub(super) fn is_possible() -> bool {
    strace::works(&[SECCOMP, "-e", CALLS])
}

/// Returns a command that runs a program and records it.
pub(super) fn recording(program: &Path, log: &Path) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", SECCOMP, "-qq", "-y", "-s", "4096", "-e", CALLS, "-o"]);
    command.arg(log).arg(program).stderr(Stdio::null());
    command
}

/// Reads a recording.
pub(super) fn read(log: &Path) -> Result<Watched> {
    let bytes = fs::read(log).context("the recording")?;
    let mut watched = Watched::default();
    for line in String::from_utf8_lossy(&bytes).lines() {
        watched.take(line);
    }
    Ok(watched)
}

impl Watched {
    fn take(&mut self, line: &str) {
        // A process id, then the call; what was resumed tells its result, too.
        let Some((thread, call)) = line.split_once(' ') else {
            return;
        };
        let call = call.trim_start();
        let is = |name: &str| call.starts_with(name) || call.starts_with(&format!("<... {name}"));
        if is("open") {
            self.take_opened(thread, call);
        } else if is("execve") {
            self.started.push(call.to_owned());
        } else if call.contains("AF_INET") {
            if is("connect") {
                self.connected.insert(address(call));
            } else {
                self.listening.push(call.to_owned());
            }
        } else if is("listen") && call.contains("TCP") {
            self.listening.push(call.to_owned());
        }
    }

    fn take_opened(&mut self, thread: &str, call: &str) {
        let writes = ["O_WRONLY", "O_RDWR", "O_TRUNC", "O_APPEND"];
        let mut is_writer = writes.iter().any(|flag| call.contains(flag));
        if call.starts_with("<...") {
            is_writer = self.writers.remove(thread);
        } else if is_writer && call.contains("<unfinished") {
            self.writers.insert(thread.to_owned());
        }
        let result = call.rsplit_once(" = ");
        let Some((_, path)) = result.and_then(|(_, result)| result.split_once('<')) else {
            return;
        };
        let path = path.trim_end().trim_end_matches('>').to_owned();
        if is_writer {
            self.written.insert(path.clone());
        }
        self.opened.insert(path);
    }

    /// Returns the opened paths that lie in a folder or are it.
    pub(super) fn opened_in(&self, folder: &Path) -> Vec<&String> {
        inside(&self.opened, folder)
    }

    /// Returns those of them that were opened for writing.
    pub(super) fn written_in(&self, folder: &Path) -> Vec<&String> {
        inside(&self.written, folder)
    }
}

fn inside<'a>(paths: &'a BTreeSet<String>, folder: &Path) -> Vec<&'a String> {
    let is_inside = |path: &&String| Path::new(path).starts_with(folder);
    paths.iter().filter(is_inside).collect()
}

/// Returns host and port of a call: `{sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}`.
fn address(call: &str) -> String {
    let between = |open: &str, close: char| {
        let (_, rest) = call.split_once(open)?;
        Some(rest.split_once(close)?.0.to_owned())
    };
    let host = between("inet_addr(\"", '"').or_else(|| between("inet_pton(AF_INET6, \"", '"'));
    let port = between("_port=htons(", ')');
    format!("{}:{}", host.unwrap_or_default(), port.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read() {
        let mut watched = Watched::default();
        for line in [
            r#"7 openat(9</p>, "a.md", O_RDONLY|O_CLOEXEC) = 10</p/a.md>"#,
            r#"7 openat(9</p>, "b.md", O_WRONLY|O_CREAT <unfinished ...>"#,
            "7 <... openat resumed>) = 11</p/b.md>",
            r#"7 openat(AT_FDCWD</>, "/x", O_RDONLY) = -1 ENOENT (No such file or directory)"#,
            r#"8 connect(12<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(81), sin_addr=inet_addr("127.0.0.1")}, 16) = 0"#,
            r#"8 connect(12<UNIX:[1]>, {sa_family=AF_UNIX, sun_path="/run/x"}, 16) = 0"#,
            r#"8 bind(13<TCP:[2]>, {sa_family=AF_INET, sin_port=htons(82), sin_addr=inet_addr("0.0.0.0")}, 16) = 0"#,
        ] {
            watched.take(line);
        }
        let opened: Vec<&str> = watched.opened.iter().map(String::as_str).collect();
        assert_eq!(opened, ["/p/a.md", "/p/b.md"]);
        assert_eq!(watched.opened_in(Path::new("/p/b.md")).len(), 1);
        assert_eq!(watched.written_in(Path::new("/p")), ["/p/b.md"]);
        let connected: Vec<&str> = watched.connected.iter().map(String::as_str).collect();
        assert_eq!(connected, ["127.0.0.1:81"]);
        assert_eq!(watched.listening.len(), 1);
    }
}
