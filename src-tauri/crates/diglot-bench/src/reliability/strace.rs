//! System calls as `strace` writes them down. Owns its options and the form of its lines; must not know what a call means
//! for a disk.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

/// Calls that change a disk, and those that tell which file a number stands for.
const TRACED: &str = "openat,openat2,close,write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,\
    unlinkat,mkdir,mkdirat";

/// Tells whether a program can be traced here.
pub(super) fn is_here() -> bool {
    works(&[])
}

/// Tells whether a program can be traced here with some options.
pub(super) fn works(options: &[&str]) -> bool {
    Command::new("strace")
        .args(["-f", "-o", "/dev/null"])
        .args(options)
        .arg("true")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Returns the command that runs `diglot-cli serve` and writes its calls to `log`; `tampering` is passed on.
pub(super) fn serve(cli: &Path, data: &Path, log: &Path, tampering: &[String]) -> Command {
    trace(TRACED, cli, data, log, tampering)
}

/// Does the same for the calls of one name alone, which costs less.
pub(super) fn serve_with(cli: &Path, data: &Path, log: &Path, fault: &Fault) -> Command {
    trace(&fault.call, cli, data, log, &[fault.option()])
}

/// Holds what a call should do in place of its work.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fault {
    pub(super) call: String,
    pub(super) error: &'static str,
    /// The first one of a thread that fails, from 1.
    pub(super) first: usize,
    /// The last one; none fails for ever.
    pub(super) last: Option<usize>,
}

impl Fault {
    fn option(&self) -> String {
        let last = self.last.map_or("+".to_owned(), |last| format!("..{last}"));
        format!(
            "inject={}:error={}:when={}{last}",
            self.call, self.error, self.first
        )
    }
}

fn trace(calls: &str, cli: &Path, data: &Path, log: &Path, tampering: &[String]) -> Command {
    let mut command = Command::new("strace");
    command
        .args(["-f", "-y", "-xx", "-s", "10000000", "-o"])
        .arg(log)
        .args(["-e", &format!("trace={calls}")]);
    for option in tampering {
        command.args(["-e", option]);
    }
    command
        .arg(cli)
        .args(["serve", "--data"])
        .arg(data)
        // One thread of the runtime, so that calls come in nearly the same order each time.
        .env("TOKIO_WORKER_THREADS", "1");
    command
}

/// Holds one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) thread: u32,
    pub(super) name: String,
    /// What it was given, as it stands in the line.
    args: String,
    /// What it returned; none where the process ended in it.
    pub(super) result: Option<i64>,
    /// Whether the tracer made it fail.
    pub(super) is_injected: bool,
}

/// Says when something happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// A call begins; the number is its place.
    Begin(usize),
    /// It is over.
    End(usize),
}

/// Holds the calls of one process, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Log {
    pub(super) calls: Vec<Call>,
    pub(super) moments: Vec<Moment>,
}

impl Log {
    /// Reads a file that `strace` has written.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Ok(Self::of(&text))
    }

    /// Reads what `strace` has written.
    pub(super) fn of(text: &str) -> Self {
        let mut log = Self::default();
        let mut open: HashMap<u32, usize> = HashMap::new();
        for line in text.lines() {
            let Some((thread, rest)) = line.split_once(' ') else {
                continue;
            };
            let (Ok(thread), rest) = (thread.parse(), rest.trim_start()) else {
                continue;
            };
            if let Some(rest) = rest.strip_prefix("<... ") {
                let Some((at, (_, rest))) = open.remove(&thread).zip(rest.split_once(" resumed>"))
                else {
                    continue;
                };
                if let Some(call) = log.calls.get_mut(at) {
                    call.finish(rest);
                    log.moments.push(Moment::End(at));
                }
            } else if let Some((name, rest)) = rest.split_once('(') {
                let at = log.calls.len();
                let mut call = Call {
                    thread,
                    name: name.to_owned(),
                    args: String::new(),
                    result: None,
                    is_injected: false,
                };
                log.moments.push(Moment::Begin(at));
                if let Some(args) = rest.strip_suffix(" <unfinished ...>") {
                    args.clone_into(&mut call.args);
                    open.insert(thread, at);
                } else {
                    call.finish(rest);
                    log.moments.push(Moment::End(at));
                }
                log.calls.push(call);
            }
        }
        log
    }

    pub(super) fn call(&self, moment: Moment) -> Option<&Call> {
        let (Moment::Begin(at) | Moment::End(at)) = moment;
        self.calls.get(at)
    }
}

impl Call {
    /// Takes over the rest of a line: arguments, the closing bracket, the result.
    fn finish(&mut self, rest: &str) {
        let (args, result) = rest.rsplit_once(" = ").unwrap_or((rest, ""));
        self.args.push_str(args.trim_end().trim_end_matches(')'));
        let number = result.split([' ', '<']).next().unwrap_or_default();
        self.result = number.parse().ok();
        self.is_injected = result.contains("(INJECTED)");
    }

    /// Tells whether it did what it was asked for.
    pub(super) fn is_done(&self) -> bool {
        self.result.is_some_and(|result| result >= 0)
    }

    /// Tells whether a flag is set.
    pub(super) fn has(&self, flag: &str) -> bool {
        self.args.contains(flag)
    }

    fn arg(&self, place: usize) -> &str {
        self.args.split(", ").nth(place).unwrap_or_default()
    }

    /// Returns the number of the file that it works on.
    pub(super) fn file(&self) -> Option<i64> {
        self.arg(0).split('<').next()?.parse().ok()
    }

    /// Returns a number among its arguments.
    pub(super) fn number(&self, place: usize) -> Option<u64> {
        self.arg(place).parse().ok()
    }

    /// Returns the path of the file that it works on, where it has one.
    pub(super) fn file_path(&self) -> PathBuf {
        described(self.arg(0))
    }

    /// Returns the bytes that it writes.
    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut bytes = unescaped(self.arg(1));
        let n = self.result.and_then(|n| usize::try_from(n).ok());
        bytes.truncate(n.unwrap_or(bytes.len()));
        bytes
    }

    /// Returns the paths that it names, whole.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let relative =
            |folder: usize, name: usize| described(self.arg(folder)).join(named(self.arg(name)));
        let paths = match self.name.as_str() {
            "openat" | "openat2" | "unlinkat" | "mkdirat" => vec![relative(0, 1)],
            "renameat" | "renameat2" => vec![relative(0, 1), relative(2, 3)],
            "unlink" | "mkdir" => vec![named(self.arg(0))],
            "rename" => vec![named(self.arg(0)), named(self.arg(1))],
            _ => vec![self.file_path()],
        };
        paths
            .iter()
            .map(|path| path.components().collect())
            .collect()
    }
}

/// Reads `11<\x2f...>`.
fn described(arg: &str) -> PathBuf {
    let path = arg.split_once('<').map_or("", |(_, path)| path);
    named(path.strip_suffix('>').unwrap_or(path))
}

fn named(text: &str) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&unescaped(text)).into_owned())
}

/// Reads `\x2f\x74`, with or without quotes.
fn unescaped(text: &str) -> Vec<u8> {
    let digits = text.trim_matches('"').split("\\x").skip(1);
    digits
        .filter_map(|digits| u8::from_str_radix(digits.get(..2)?, 16).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Moment::{Begin, End};
    use super::*;

    #[test]
    fn lines_become_calls_in_their_order() {
        let log = Log::of(concat!(
            "7  openat(AT_FDCWD<\\x2f\\x61>, \"\\x62\", O_RDWR|O_CREAT, 0600) = 5<\\x2f\\x61\\x2f\\x62>\n",
            "7  fsync(5<\\x2f\\x61\\x2f\\x62> <unfinished ...>\n",
            "8  pwrite64(5<\\x2f\\x61\\x2f\\x62>, \"\\x01\\x02\", 2, 10) = 2\n",
            "7  <... fsync resumed>)              = -1 EIO (Input/output error) (INJECTED)\n",
            "8  +++ exited with 0 +++\n",
        ));
        let [open, sync, write] = log.calls.as_slice() else {
            panic!("{log:?}");
        };
        assert_eq!(open.paths(), [PathBuf::from("/a/b")]);
        assert!(open.is_done() && open.has("O_CREAT") && open.result == Some(5));
        assert!(sync.is_injected && !sync.is_done() && sync.file() == Some(5));
        assert_eq!((write.bytes(), write.number(3)), (vec![1, 2], Some(10)));
        assert_eq!(
            log.moments,
            [Begin(0), End(0), Begin(1), Begin(2), End(2), End(1)]
        );
    }
}
