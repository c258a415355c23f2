//! Which failed syncs a program must not pass over, by the calls it makes. What a failed sync of a file should have written
//! is lost, so the database counts again once it was opened anew, and any other file never: it must not get the name it
//! was made for. The names of a folder are not lost: they count once a later sync of it has worked. Owns that rule.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::place::{DATABASE, ENDINGS};
use super::strace::Call;

/// Says what a call means for what is on disk.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Doubt {
    /// From here on no decision may be acknowledged, for a while.
    Begins,
    /// A failed sync was passed over.
    Ignored(String),
}

/// Holds what is in doubt at a point of a recording.
#[derive(Debug)]
pub(super) struct Trust {
    data: PathBuf,
    /// What the database stands in: it and its journals, and the folder of their names.
    failed: BTreeSet<PathBuf>,
    /// Other files whose sync failed.
    tainted: BTreeSet<PathBuf>,
    /// Decisions that were on disk when the doubt began.
    n_trusted: Option<usize>,
}

impl Trust {
    pub(super) fn new(data: &Path) -> Self {
        Self {
            data: data.to_owned(),
            failed: BTreeSet::new(),
            tainted: BTreeSet::new(),
            n_trusted: None,
        }
    }

    /// Takes note of a call that is over.
    pub(super) fn after_call(&mut self, call: &Call) -> Option<Doubt> {
        let paths = call.paths();
        let path = paths.first()?;
        match call.name.as_str() {
            "fsync" | "fdatasync" if call.is_done() => {
                if *path == self.data {
                    self.made_good(|at| at == path);
                }
                None
            }
            "fsync" | "fdatasync" => self.after_failure(path),
            "openat" | "openat2" if call.is_done() => {
                if *path == self.data.join(DATABASE) && call.has("O_RDWR") {
                    let data = self.data.clone();
                    self.made_good(|at| *at != data);
                }
                None
            }
            "unlink" | "unlinkat" if call.is_done() => {
                self.tainted.remove(path);
                None
            }
            "rename" | "renameat" | "renameat2" if call.is_done() => {
                let is_tainted = self.tainted.remove(path);
                is_tainted.then(|| {
                    let name = path.file_name().unwrap_or_default().display();
                    Doubt::Ignored(format!(
                        "the sync of {name} failed, and it was used all the same"
                    ))
                })
            }
            _ => None,
        }
    }

    fn after_failure(&mut self, path: &Path) -> Option<Doubt> {
        let is_database = |ending| path == self.data.join(format!("{DATABASE}{ending}"));
        if path != self.data && !ENDINGS.into_iter().any(is_database) {
            // A folder that is no database's is synced for names of whole files, and has none of its own to get.
            self.tainted.insert(path.to_owned());
            return None;
        }
        let begins = self.failed.is_empty();
        self.failed.insert(path.to_owned());
        begins.then_some(Doubt::Begins)
    }

    /// Takes note of how many decisions were on disk when the doubt began; none where that cannot be told.
    pub(super) fn is_from(&mut self, n_trusted: Option<usize>) {
        self.n_trusted = n_trusted;
    }

    fn made_good(&mut self, is_it: impl Fn(&PathBuf) -> bool) {
        self.failed.retain(|at| !is_it(at));
        if self.failed.is_empty() {
            self.n_trusted = None;
        }
    }

    /// Tells what is wrong where so many decisions are acknowledged by now.
    pub(super) fn after_answer(&mut self, n_acknowledged: usize) -> Option<String> {
        self.n_trusted
            .take_if(|n_trusted| *n_trusted < n_acknowledged)?;
        let failed: Vec<_> = self
            .failed
            .iter()
            .filter_map(|path| path.file_name())
            .collect();
        Some(format!(
            "the sync of {failed:?} failed, and a decision was acknowledged all the same"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::super::strace::Log;
    use super::*;

    /// What the calls mean, one after the other; a failing sync is `!`.
    fn doubts(calls: &[(&str, &str)]) -> (Trust, Vec<Option<Doubt>>) {
        let mut trust = Trust::new(Path::new("/data"));
        let hex = |text: &str| {
            text.bytes()
                .fold(String::new(), |hex, byte| format!("{hex}\\x{byte:02x}"))
        };
        let line = |&(name, path): &(&str, &str)| {
            let path = hex(path);
            match name {
                "sync" => format!("7 fsync(3<{path}>) = 0\n"),
                "sync!" => format!("7 fsync(3<{path}>) = -1 EIO (Input/output error)\n"),
                "open" => format!("7 openat(AT_FDCWD<\\x2f>, \"{path}\", O_RDWR) = 3<{path}>\n"),
                other => format!("7 {other}(\"{path}\", \"{path}\") = 0\n"),
            }
        };
        let log = Log::of(&calls.iter().map(line).collect::<String>());
        let seen = log.calls.iter().map(|call| {
            let doubt = trust.after_call(call);
            if doubt == Some(Doubt::Begins) {
                trust.is_from(Some(0));
            }
            doubt
        });
        let seen = seen.collect();
        (trust, seen)
    }

    fn is_in_doubt(calls: &[(&str, &str)]) -> bool {
        doubts(calls).0.after_answer(1).is_some()
    }

    #[test]
    fn a_failed_sync_of_the_database_ends_when_it_is_opened_anew() {
        let wal = ("sync!", "/data/diglot.db-wal");
        assert!(is_in_doubt(&[wal]));
        assert!(is_in_doubt(&[wal, ("sync", "/data/diglot.db-wal")]));
        assert!(is_in_doubt(&[wal, ("sync", "/data")]));
        assert!(!is_in_doubt(&[wal, ("open", "/data/diglot.db")]));
    }

    #[test]
    fn a_failed_sync_of_its_folder_ends_with_one_that_works() {
        let folder = ("sync!", "/data");
        assert!(is_in_doubt(&[folder]));
        assert!(is_in_doubt(&[folder, ("open", "/data/diglot.db")]));
        assert!(!is_in_doubt(&[folder, ("sync", "/data")]));
    }

    #[test]
    fn another_file_must_not_get_its_name() {
        let copy = ("sync!", "/data/backups/1.db.new");
        let rename = ("rename", "/data/backups/1.db.new");
        let (_, seen) = doubts(&[copy, rename]);
        assert!(
            matches!(seen.last(), Some(Some(Doubt::Ignored(_)))),
            "{seen:?}"
        );
        assert!(!is_in_doubt(&[copy]));
        let (_, seen) = doubts(&[copy, ("unlink", "/data/backups/1.db.new"), rename]);
        assert_eq!(seen, [None, None, None]);
    }
}
