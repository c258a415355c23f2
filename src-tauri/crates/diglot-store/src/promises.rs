//! The promises on the database: P9 old and newer files, P10 damage, P11 damage is noticed.

mod damage;
mod versions;

use std::fs;
use std::path::{Path, PathBuf};

use diglot_agent::{Entry, Seq, SessionId, SourceText};

use crate::Store;
use crate::files::beside;
use crate::fixture::{NOW, commit, new_session, read, said, tm_pair, unit};

/// Units between two backups, as the application makes them.
const BETWEEN: usize = 50;

/// Throws the same numbers for the same seed.
struct Dice(u64);

impl Dice {
    /// Returns a number below `bound`, which is above 0.
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % bound as u64).unwrap()
    }
}

/// Holds a database that somebody worked with, as it is left by a crash and by an end in order.
struct Worked {
    folder: tempfile::TempDir,
    /// What was committed, by session.
    logs: Vec<(SessionId, Vec<Entry>)>,
    n_units: usize,
}

impl Worked {
    /// Confirms units in two sessions, one commit each, with a backup every fifty.
    fn new(n_units: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("open").join("diglot.db");
        let store = Store::open(&path, NOW).unwrap().store;
        let mut logs: Vec<(SessionId, Vec<Entry>)> = ["guide", "manual"]
            .map(|title| {
                let id = store.create_session(&new_session(title, NOW)).unwrap();
                (id, Vec::new())
            })
            .into();
        for n in 0..n_units {
            let which = n % logs.len();
            let (session, log) = &mut logs[which];
            let mut work = commit(*session, log.len() as u64);
            work.entries = vec![said(&format!("unit {n} {}", "word ".repeat(n % 400)))];
            if log.is_empty() {
                let source = SourceText::new(vec![b'a' + u8::try_from(which).unwrap(); 30_000]);
                work.entries.push(read("a.md", &source));
                work.sources = vec![source];
            }
            work.units = vec![unit("a.md", n + 1, &format!("Source {n}."), "Ziel.")];
            work.pairs = vec![tm_pair(&format!("Source {n}."), "Ziel.")];
            work.at = NOW + i64::try_from(n).unwrap();
            store.commit(&work).unwrap();
            log.extend(work.entries);
            if n % BETWEEN == BETWEEN - 1 {
                store.back_up(work.at).unwrap();
            }
        }
        copy_folder(path.parent().unwrap(), &folder.path().join("crashed"));
        drop(store);
        copy_folder(path.parent().unwrap(), &folder.path().join("closed"));
        Self {
            folder,
            logs,
            n_units,
        }
    }

    /// Returns a copy to do harm to.
    fn copy(&self, crashed: bool) -> (tempfile::TempDir, PathBuf) {
        let copy = tempfile::tempdir().unwrap();
        let from = if crashed { "crashed" } else { "closed" };
        copy_folder(&self.folder.path().join(from), copy.path());
        let path = copy.path().join("diglot.db");
        (copy, path)
    }

    /// Counts the units that are there; what is there must be what was committed, without a gap.
    fn n_found(&self, store: &Store) -> usize {
        let mut n_found = 0;
        for (session, expected) in &self.logs {
            let Ok(log) = store.log(*session) else {
                continue;
            };
            assert!(log.fault.is_none(), "{:?}", log.fault);
            let found: Vec<Entry> = log.entries.into_iter().map(|(_, entry)| entry).collect();
            assert!(
                expected.starts_with(&found),
                "a log is a beginning of what it was"
            );
            for entry in &found {
                if let Entry::SourceRead(read) = entry {
                    assert!(store.source(&read.hash).unwrap().is_some());
                } else {
                    n_found += 1;
                }
            }
            let row = store.session(*session).unwrap();
            assert_eq!((row.seq, row.damage), (Seq(found.len() as u64), None));
        }
        n_found
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &to.join(&name));
        } else if !name.to_string_lossy().ends_with("-shm") {
            fs::copy(entry.path(), to.join(&name)).unwrap();
        }
    }
}

/// Returns the bytes of a database and its log.
fn bytes(path: &Path) -> [Option<Vec<u8>>; 2] {
    // An empty log is as good as none.
    let read = |suffix| fs::read(beside(path, suffix)).ok();
    ["", "-wal"].map(|suffix| read(suffix).filter(|bytes| !bytes.is_empty()))
}
