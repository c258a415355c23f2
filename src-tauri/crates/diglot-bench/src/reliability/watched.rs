//! What a process asked of the system: files that it opened, addresses that it connected to, sockets on which it listened.
//! Owns the recording by strace and its reading; must not judge.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// Calls that are recorded.
const CALLS: &str = "trace=open,openat,openat2,connect,bind,listen,execve,execveat";

/// Holds what a process did.
#[derive(Debug, Default)]
pub(super) struct Watched {
    /// Paths of what was opened, as the system resolved them.
    pub(super) opened: BTreeSet<String>,
    /// Addresses on a network, with ports.
    pub(super) connected: BTreeSet<String>,
    /// Calls that listen on a network.
    pub(super) listening: Vec<String>,
    /// Programs that were started.
    pub(super) started: Vec<String>,
}

/// Tells whether calls can be recorded here.
pub(super) fn is_possible() -> bool {
    let probe = Command::new("strace")
        .args(["-f", "-o", "/dev/null", "true"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    probe.is_ok_and(|status| status.success())
}

/// Returns a command that runs a program and records it.
pub(super) fn recording(program: &Path, log: &Path) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-y", "-s", "4096", "-e", CALLS, "-o"]);
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
        let Some((_, call)) = line.split_once(' ') else {
            return;
        };
        let call = call.trim_start();
        let is = |name: &str| call.starts_with(name) || call.starts_with(&format!("<... {name}"));
        if is("open") {
            let result = call
                .rsplit_once(" = ")
                .and_then(|(_, result)| result.split_once('<'));
            if let Some((_, path)) = result {
                let path = path.trim_end().trim_end_matches('>');
                self.opened.insert(path.to_owned());
            }
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

    /// Returns the opened paths that lie in a folder or are it.
    pub(super) fn opened_in(&self, folder: impl AsRef<OsStr>) -> Vec<&String> {
        let folder = Path::new(folder.as_ref());
        let mut found: Vec<&String> = self.opened.iter().collect();
        found.retain(|path| Path::new(path).starts_with(folder));
        found
    }
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
            r#"7 openat(9</p>, "b.md", O_RDONLY <unfinished ...>"#,
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
        assert_eq!(watched.opened_in("/p/b.md").len(), 1);
        let connected: Vec<&str> = watched.connected.iter().map(String::as_str).collect();
        assert_eq!(connected, ["127.0.0.1:81"]);
        assert_eq!(watched.listening.len(), 1);
    }
}
