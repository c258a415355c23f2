//! Tells that files of the project may have changed. A hint only: it may miss changes and tell of some that are
//! none; what a file holds is told by its hash.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use diglot_agent::ProjectPath;
use notify::{Config, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::names::is_left_out;
use crate::scope::Scope;
use crate::tree::FolderWorkspace;

/// Quiet after which changes are told: programs write in bursts.
const QUIET: Duration = Duration::from_millis(200);
/// Longest that changes are held back while more come.
const LONGEST: Duration = Duration::from_secs(2);
/// Folders that are watched at most: systems have few watches, and share them.
const FOLDERS: usize = 4096;

/// Reports why a folder is not watched; everything else works without.
#[derive(Debug, thiserror::Error)]
#[error("the folder cannot be watched")]
pub struct WatchError(#[from] notify::Error);

/// Watches the folders of a project that are shown, until it is dropped.
#[derive(Debug)]
pub struct Watch {
    _watcher: Arc<Mutex<RecommendedWatcher>>,
    changes: UnboundedReceiver<Vec<ProjectPath>>,
}

impl Watch {
    /// Starts to watch.
    ///
    /// # Errors
    /// When the system cannot, or has no watches left.
    pub fn start(workspace: &FolderWorkspace) -> Result<Self, WatchError> {
        let (events, received) = channel();
        let config = Config::default().with_follow_symlinks(false);
        let forward = move |event: notify::Result<Event>| {
            // Nobody listens any more: the watch is being dropped.
            events.send(event).unwrap_or_default();
        };
        let mut watcher = RecommendedWatcher::new(forward, config)?;
        let root = workspace.path().to_owned();
        watcher.watch(&root, RecursiveMode::NonRecursive)?;
        let mut folders = Vec::new();
        find_folders(&workspace.root(), &mut folders);
        for folder in folders {
            if let Err(error) =
                watcher.watch(&root.join(folder.as_str()), RecursiveMode::NonRecursive)
            {
                tracing::info!(%error, "not all folders are watched");
                break;
            }
        }
        let watcher = Arc::new(Mutex::new(watcher));
        let (tell, changes) = unbounded_channel();
        let collector = Collector {
            root,
            watcher: Arc::downgrade(&watcher),
            tell,
        };
        std::thread::Builder::new()
            .name("diglot-watch".to_owned())
            .spawn(move || collector.run(&received))
            .map_err(notify::Error::io)?;
        Ok(Self {
            _watcher: watcher,
            changes,
        })
    }

    /// Waits for changes and returns what changed, in order and each once. `None` when the watch has ended.
    pub async fn changed(&mut self) -> Option<Vec<ProjectPath>> {
        self.changes.recv().await
    }
}

/// Finds the folders below one that are shown, in the order of the listings.
fn find_folders(scope: &Scope, found: &mut Vec<ProjectPath>) {
    for name in scope
        .entries()
        .map(|entries| entries.folders)
        .unwrap_or_default()
    {
        if found.len() == FOLDERS {
            return;
        }
        if let Ok(inner) = scope.enter(&name) {
            found.push(inner.path().clone());
            find_folders(&inner, found);
        }
    }
}

/// Collects events into changes, on a thread of its own.
struct Collector {
    root: PathBuf,
    watcher: Weak<Mutex<RecommendedWatcher>>,
    tell: UnboundedSender<Vec<ProjectPath>>,
}

impl Collector {
    /// Runs until the watcher or the listener is gone.
    fn run(&self, events: &Receiver<notify::Result<Event>>) {
        while let Ok(first) = events.recv() {
            let mut changed = BTreeSet::new();
            self.collect(first, &mut changed);
            let since = Instant::now();
            let ended = loop {
                match events.recv_timeout(QUIET) {
                    Ok(event) => self.collect(event, &mut changed),
                    Err(RecvTimeoutError::Timeout) => break false,
                    Err(RecvTimeoutError::Disconnected) => break true,
                }
                if since.elapsed() > LONGEST {
                    break false;
                }
            };
            let told = changed.is_empty() || self.tell.send(changed.into_iter().collect()).is_ok();
            if ended || !told {
                return;
            }
        }
    }

    fn collect(&self, event: notify::Result<Event>, changed: &mut BTreeSet<ProjectPath>) {
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                tracing::info!(%error, "a change may have been missed");
                return;
            }
        };
        // Our own reading is no change.
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        for absolute in &event.paths {
            let Some(path) = self.inside(absolute) else {
                continue;
            };
            if matches!(event.kind, EventKind::Create(_)) && absolute.is_dir() {
                self.watch_too(absolute);
            }
            changed.insert(path);
        }
    }

    /// Returns the path inside the project of something that is shown there.
    fn inside(&self, absolute: &Path) -> Option<ProjectPath> {
        let relative = absolute.strip_prefix(&self.root).ok()?;
        let mut path = ProjectPath::root();
        for part in relative {
            let name = part.to_str().filter(|name| !is_left_out(name, false))?;
            path = path.join(name).ok()?;
        }
        Some(path)
    }

    fn watch_too(&self, folder: &Path) {
        let is_link = folder
            .symlink_metadata()
            .is_ok_and(|found| found.is_symlink());
        let shown = folder
            .file_name()
            .is_some_and(|name| !is_left_out(&name.to_string_lossy(), true));
        if let (Some(watcher), true, false) = (self.watcher.upgrade(), shown, is_link) {
            let mut watcher = watcher.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = watcher.watch(folder, RecursiveMode::NonRecursive) {
                tracing::info!(%error, "a new folder is not watched");
            }
        }
    }
}

#[cfg(test)]
mod tests;
