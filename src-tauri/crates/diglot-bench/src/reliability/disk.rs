//! A disk that keeps what it was told to keep and no more: what was synced is there after a power cut, of the rest
//! anything may be. Owns the model (POSIX to the letter: a name lasts once its folder was synced); knows no database.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::strace::{Call, Moment};
use crate::fuzz::random::Random;

/// What a disk writes whole or not at all, in bytes.
const SECTOR: usize = 512;

/// Says what a power cut leaves of that which was not synced.
pub(super) enum Cut<'a> {
    /// Everything.
    All,
    /// The names, but not the data.
    Names,
    /// Nothing.
    Synced,
    /// Any part of it, in any order, torn at sectors.
    Torn(&'a mut Random),
}

/// Files after a power cut, by their path below the root.
pub(super) type State = BTreeMap<PathBuf, Vec<u8>>;

/// Holds a disk below one folder.
#[derive(Debug, Clone)]
pub(super) struct Disk {
    root: PathBuf,
    /// The first is the root.
    nodes: Vec<Node>,
    /// Open files: which, and where the next write goes.
    open: HashMap<i64, (usize, u64)>,
    /// Syncs under way, by thread: of what, and the last change that they cover.
    syncing: HashMap<u32, (usize, u64)>,
    n_changes: u64,
}

#[derive(Debug, Clone)]
enum Node {
    File(File),
    Folder(Folder),
}

#[derive(Debug, Clone, Default)]
struct File {
    now: Vec<u8>,
    synced: Vec<u8>,
    /// Changes since, each with its number.
    waiting: Vec<(u64, Change)>,
}

#[derive(Debug, Clone)]
enum Change {
    Write { at: u64, bytes: Vec<u8> },
    Length(u64),
}

type Names = BTreeMap<PathBuf, usize>;

#[derive(Debug, Clone, Default)]
struct Folder {
    now: Names,
    synced: Names,
    waiting: Vec<(u64, Naming)>,
}

#[derive(Debug, Clone)]
enum Naming {
    Put(PathBuf, usize),
    Move(PathBuf, PathBuf, usize),
    Remove(PathBuf),
}

impl Disk {
    /// Takes a folder as it is; all of it counts as synced.
    pub(super) fn of(root: &Path) -> Result<Self> {
        let mut disk = Self {
            root: root.to_owned(),
            nodes: vec![Node::Folder(Folder::default())],
            open: HashMap::new(),
            syncing: HashMap::new(),
            n_changes: 0,
        };
        disk.take(root, 0)?;
        Ok(disk)
    }

    fn take(&mut self, path: &Path, folder: usize) -> Result<()> {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let is_folder = entry.file_type()?.is_dir();
            let node = if is_folder {
                Node::Folder(Folder::default())
            } else {
                let bytes = fs::read(entry.path())?;
                Node::File(File {
                    now: bytes.clone(),
                    synced: bytes,
                    waiting: Vec::new(),
                })
            };
            let id = self.add(node);
            let names = self.folder(folder).context("a folder that is none")?;
            names.now.insert(entry.file_name().into(), id);
            names.synced.insert(entry.file_name().into(), id);
            if is_folder {
                self.take(&entry.path(), id)?;
            }
        }
        Ok(())
    }

    /// Forgets which files a process had open: it ended.
    pub(super) fn end_of_process(&mut self) {
        self.open.clear();
        self.syncing.clear();
    }

    /// Does what a call did; tells whether a power cut from here on leaves something else than before.
    pub(super) fn play(&mut self, moment: Moment, call: &Call) -> bool {
        let thread = call.thread;
        match (moment, call.name.as_str()) {
            // The number may be given out anew before the call is seen to end.
            (Moment::Begin(_), "close") => {
                if let Some(file) = call.file() {
                    self.open.remove(&file);
                }
                false
            }
            (Moment::Begin(_), "fsync" | "fdatasync") => {
                if let Some(node) = self.node_of(call) {
                    self.syncing.insert(thread, (node, self.n_changes));
                }
                false
            }
            (Moment::End(_), "fsync" | "fdatasync") => {
                let found = self.syncing.remove(&thread);
                found.is_some_and(|(node, last)| self.sync(node, last, call.is_done()))
            }
            (Moment::End(_), name) if call.is_done() => self.change(name, call),
            _ => false,
        }
    }

    fn change(&mut self, name: &str, call: &Call) -> bool {
        let paths = call.paths();
        match (name, paths.as_slice()) {
            ("openat" | "openat2", [path]) => self.open(path, call),
            ("write" | "pwrite64", _) => self.write(call),
            ("ftruncate", _) => {
                let length = call.number(1);
                let node = self.node_of(call);
                node.zip(length)
                    .is_some_and(|(node, length)| self.put(node, Change::Length(length)))
            }
            ("rename" | "renameat" | "renameat2", [from, to]) => self.rename(from, to),
            ("unlink" | "unlinkat", [path]) => self.name(path, |name, _| Naming::Remove(name)),
            ("mkdir" | "mkdirat", [path]) => {
                let id = self.add(Node::Folder(Folder::default()));
                self.name(path, |name, _| Naming::Put(name, id))
            }
            _ => false,
        }
    }

    fn open(&mut self, path: &Path, call: &Call) -> bool {
        let mut has_changed = false;
        if self.find(path).is_none() && call.has("O_CREAT") {
            let id = self.add(Node::File(File::default()));
            has_changed = self.name(path, |name, _| Naming::Put(name, id));
        }
        let Some(node) = self.find(path) else {
            return false;
        };
        if let Some(number) = call.result {
            self.open.insert(number, (node, 0));
        }
        if call.has("O_TRUNC") {
            has_changed |= self.put(node, Change::Length(0));
        }
        has_changed
    }

    fn write(&mut self, call: &Call) -> bool {
        let place = call.file().and_then(|file| self.open.get_mut(&file));
        let Some((node, next)) = place else {
            return false;
        };
        let (node, bytes) = (*node, call.bytes());
        let at = if call.name == "pwrite64" {
            call.number(3).unwrap_or_default()
        } else {
            let at = *next;
            *next += bytes.len() as u64;
            at
        };
        self.put(node, Change::Write { at, bytes })
    }

    fn rename(&mut self, from: &Path, to: &Path) -> bool {
        let Some(id) = self.find(from) else {
            return false;
        };
        if from.parent() == to.parent() {
            let to = to.file_name().unwrap_or_default().into();
            return self.name(from, |name, _| Naming::Move(name, to, id));
        }
        self.name(to, |name, _| Naming::Put(name, id))
            && self.name(from, |name, _| Naming::Remove(name))
    }

    /// Makes what was changed up to a point last. Data that a failed sync should have written is lost for good: the
    /// system takes it for written.
    fn sync(&mut self, node: usize, last: u64, is_done: bool) -> bool {
        match self.nodes.get_mut(node) {
            Some(Node::File(file)) => {
                let n = file.waiting.partition_point(|(number, _)| *number <= last);
                let covered: Vec<_> = file.waiting.drain(..n).collect();
                for (_, change) in covered.into_iter().filter(|_| is_done) {
                    change.apply(&mut file.synced);
                }
            }
            // Names that were not written stay in the journal of the file system, and the next sync writes them.
            Some(Node::Folder(_)) if !is_done => {}
            Some(Node::Folder(folder)) => {
                let n = folder
                    .waiting
                    .partition_point(|(number, _)| *number <= last);
                let covered: Vec<_> = folder.waiting.drain(..n).collect();
                for (_, naming) in covered {
                    naming.apply(&mut folder.synced);
                }
            }
            None => return false,
        }
        true
    }

    /// Returns the files that a power cut leaves at this point.
    pub(super) fn state(&self, cut: &mut Cut<'_>) -> State {
        let mut state = State::new();
        self.collect(0, Path::new(""), cut, &mut state);
        state
    }

    fn collect(&self, node: usize, path: &Path, cut: &mut Cut<'_>, state: &mut State) {
        match self.nodes.get(node) {
            Some(Node::File(file)) => {
                state.insert(path.to_owned(), file.after(cut));
            }
            Some(Node::Folder(folder)) => {
                for (name, id) in folder.after(cut) {
                    self.collect(id, &path.join(name), cut, state);
                }
            }
            None => {}
        }
    }

    fn add(&mut self, node: Node) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    fn folder(&mut self, node: usize) -> Option<&mut Folder> {
        match self.nodes.get_mut(node)? {
            Node::Folder(folder) => Some(folder),
            Node::File(_) => None,
        }
    }

    /// Returns what a call works on.
    fn node_of(&self, call: &Call) -> Option<usize> {
        let open = call.file().and_then(|file| self.open.get(&file));
        open.map(|(node, _)| *node)
            .or_else(|| self.find(&call.file_path()))
    }

    /// Finds what has a name now.
    fn find(&self, path: &Path) -> Option<usize> {
        let mut node = 0;
        for name in path.strip_prefix(&self.root).ok()? {
            node = match self.nodes.get(node)? {
                Node::Folder(folder) => *folder.now.get(Path::new(name))?,
                Node::File(_) => return None,
            };
        }
        Some(node)
    }

    fn put(&mut self, node: usize, change: Change) -> bool {
        self.n_changes += 1;
        let Some(Node::File(file)) = self.nodes.get_mut(node) else {
            return false;
        };
        change.apply(&mut file.now);
        file.waiting.push((self.n_changes, change));
        true
    }

    fn name(&mut self, path: &Path, naming: impl FnOnce(PathBuf, usize) -> Naming) -> bool {
        self.n_changes += 1;
        let number = self.n_changes;
        let folder = path.parent().and_then(|parent| self.find(parent));
        let name = path.file_name().unwrap_or_default();
        let Some((id, folder)) = folder.and_then(|id| Some((id, self.folder(id)?))) else {
            return false;
        };
        let naming = naming(name.into(), id);
        naming.apply(&mut folder.now);
        folder.waiting.push((number, naming));
        true
    }
}

impl File {
    fn after(&self, cut: &mut Cut<'_>) -> Vec<u8> {
        match cut {
            Cut::All => self.now.clone(),
            Cut::Names | Cut::Synced => self.synced.clone(),
            Cut::Torn(random) => {
                let mut bytes = self.synced.clone();
                for (_, change) in &self.waiting {
                    change.apply_torn(&mut bytes, random);
                }
                bytes
            }
        }
    }
}

impl Folder {
    fn after(&self, cut: &mut Cut<'_>) -> Names {
        match cut {
            Cut::All | Cut::Names => self.now.clone(),
            Cut::Synced => self.synced.clone(),
            Cut::Torn(random) => {
                let mut names = self.synced.clone();
                for (_, naming) in &self.waiting {
                    if random.below(2) == 0 {
                        naming.apply(&mut names);
                    }
                }
                names
            }
        }
    }
}

impl Change {
    fn apply(&self, to: &mut Vec<u8>) {
        match self {
            Self::Length(length) => to.resize(usize::try_from(*length).unwrap_or(0), 0),
            Self::Write { at, bytes } => write(to, usize::try_from(*at).unwrap_or(0), bytes),
        }
    }

    /// Applies all, nothing, or some sectors.
    fn apply_torn(&self, to: &mut Vec<u8>, random: &mut Random) {
        match (random.below(3), self) {
            (0, _) => {}
            (1, _) | (_, Self::Length(_)) => self.apply(to),
            (_, Self::Write { at, bytes }) => {
                let start = usize::try_from(*at).unwrap_or(0);
                let mut done = 0;
                while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
                    let length = (SECTOR - (start + done) % SECTOR).min(rest.len());
                    if random.below(2) == 0 {
                        let sector = rest.get(..length).unwrap_or(rest);
                        write(to, start + done, sector);
                    }
                    done += length;
                }
            }
        }
    }
}

fn write(to: &mut Vec<u8>, at: usize, bytes: &[u8]) {
    let end = at + bytes.len();
    if to.len() < end {
        to.resize(end, 0);
    }
    if let Some(place) = to.get_mut(at..end) {
        place.copy_from_slice(bytes);
    }
}

impl Naming {
    fn apply(&self, names: &mut Names) {
        match self {
            Self::Put(name, id) => {
                names.insert(name.clone(), *id);
            }
            Self::Move(from, to, id) => {
                names.remove(from);
                names.insert(to.clone(), *id);
            }
            Self::Remove(name) => {
                names.remove(name);
            }
        }
    }
}

#[cfg(test)]
mod tests;
