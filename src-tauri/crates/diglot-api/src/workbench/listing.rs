//! The files of an open folder: a walk finds them behind, so that the first page is there before the last file was seen.
//! Owns the walk's thread and what it has found; must not know what is read of a file.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use diglot_agent::workspace::DirEntry;
use diglot_workspace::{FolderWorkspace, Walk};

use super::lock;

/// Files that are looked at in one folder; more are not shown.
const MOST_FILES: usize = 100_000;
/// Names of left-out entries that are shown.
const LEFT_OUT: usize = 20;
/// Files after which those who wait are told the first time.
const FIRST: usize = 100;
/// How long a page waits for a folder to be whole, so that one of usual size is shown at once as it is.
const PATIENCE: Duration = Duration::from_millis(50);

/// Holds the files of a folder, as far as they were found.
pub(super) struct Listing {
    found: Mutex<Found>,
    grew: Condvar,
    /// Ends the walk when the application closes.
    is_closing: Arc<AtomicBool>,
    /// Says that a folder is whole of which a part was shown.
    on_whole: Box<dyn Fn() + Send + Sync>,
}

#[derive(Default)]
struct Found {
    stage: Stage,
    /// Counts the walks: what an earlier one finds is of no use.
    walk: u64,
    /// What the walk gave so far; empty once it is over.
    entries: Vec<DirEntry>,
    n_documents: usize,
    whole: Arc<Vec<DirEntry>>,
    left_out: Vec<String>,
    /// Whether somebody saw a part.
    is_awaited: bool,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Stage {
    #[default]
    Unknown,
    Walking,
    Whole,
}

/// Holds a page of the files, and what is known of all.
pub(super) struct Page {
    pub(super) entries: Vec<DirEntry>,
    pub(super) n_files: usize,
    pub(super) n_documents: usize,
    pub(super) left_out: Vec<String>,
    /// Whether there are no more files than these.
    pub(super) is_whole: bool,
}

impl Found {
    fn entries(&self) -> &[DirEntry] {
        match self.stage {
            Stage::Whole => &self.whole,
            Stage::Unknown | Stage::Walking => &self.entries,
        }
    }
}

impl Listing {
    pub(super) fn new(
        is_closing: Arc<AtomicBool>,
        on_whole: impl Fn() + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self {
            found: Mutex::default(),
            grew: Condvar::new(),
            is_closing,
            on_whole: Box::new(on_whole),
        })
    }

    /// Forgets what was found, because something changed.
    pub(super) fn forget(&self) {
        let mut found = lock(&self.found);
        let walk = found.walk + 1;
        *found = Found {
            walk,
            ..Found::default()
        };
        // Who waits for the walk that is of no use any more begins another.
        self.grew.notify_all();
    }

    /// Returns all files in document order.
    pub(super) fn whole(self: &Arc<Self>, workspace: &FolderWorkspace) -> Arc<Vec<DirEntry>> {
        self.until(workspace, |found| {
            (found.stage == Stage::Whole).then(|| Arc::clone(&found.whole))
        })
    }

    /// Returns the first files that are of interest, so many at most.
    pub(super) fn first<T>(
        self: &Arc<Self>,
        workspace: &FolderWorkspace,
        n: usize,
        of_interest: impl Fn(&DirEntry) -> Option<T>,
    ) -> Vec<T> {
        self.until(workspace, |found| {
            let entries = found.entries().iter();
            let first: Vec<T> = entries.filter_map(&of_interest).take(n).collect();
            (first.len() == n || found.stage == Stage::Whole).then_some(first)
        })
    }

    /// Returns a page as soon as its files are found.
    pub(super) fn page(
        self: &Arc<Self>,
        workspace: &FolderWorkspace,
        offset: usize,
        limit: usize,
    ) -> Page {
        let begun = Instant::now();
        self.until(workspace, |found| {
            let is_whole = found.stage == Stage::Whole;
            let entries = found.entries();
            let is_there = entries.len() >= offset.saturating_add(limit);
            let is_late = begun.elapsed() >= PATIENCE;
            if !(is_whole || is_there && is_late) {
                return None;
            }
            let page = Page {
                entries: entries.iter().skip(offset).take(limit).cloned().collect(),
                n_files: entries.len(),
                n_documents: found.n_documents,
                left_out: found.left_out.clone(),
                is_whole,
            };
            found.is_awaited |= !is_whole;
            Some(page)
        })
    }

    /// Waits until enough was found, and takes it; begins the walk where there is none.
    fn until<T>(
        self: &Arc<Self>,
        workspace: &FolderWorkspace,
        mut enough: impl FnMut(&mut Found) -> Option<T>,
    ) -> T {
        loop {
            let mut found = lock(&self.found);
            let walk = found.walk;
            while found.stage != Stage::Unknown && found.walk == walk {
                if let Some(taken) = enough(&mut found) {
                    return taken;
                }
                let waited = self.grew.wait_timeout(found, PATIENCE);
                found = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            drop(found);
            self.begin(workspace);
        }
    }

    fn begin(self: &Arc<Self>, workspace: &FolderWorkspace) {
        let number = {
            let mut found = lock(&self.found);
            if found.stage != Stage::Unknown {
                return;
            }
            found.stage = Stage::Walking;
            found.walk
        };
        let walker = Walker {
            listing: Arc::clone(self),
            number,
        };
        let walk = workspace.walk();
        let left_out = walk.left_out_at_root().iter().take(LEFT_OUT);
        lock(&self.found).left_out = left_out.cloned().collect();
        // Without a thread the folder is as if it were empty, which the next look at it mends.
        let begun = thread::Builder::new().spawn(move || walker.go(walk));
        if let Err(error) = begun {
            tracing::error!(%error, "a folder cannot be gone through");
        }
    }
}

/// Goes through a folder; whatever becomes of it, nobody waits for it in vain.
struct Walker {
    listing: Arc<Listing>,
    number: u64,
}

impl Walker {
    fn go(self, walk: Walk) {
        let (mut batch, mut n) = (Vec::new(), 0);
        for entry in walk.take(MOST_FILES) {
            if self.listing.is_closing.load(Ordering::SeqCst) {
                break;
            }
            batch.push(entry);
            // Told ever more rarely, so that those who wait look at few parts.
            if batch.len() >= FIRST.max(n / 4) {
                n += batch.len();
                if !self.add(&mut batch) {
                    return;
                }
            }
        }
        self.add(&mut batch);
    }

    /// Adds what was found; tells whether the walk is still of use.
    fn add(&self, batch: &mut Vec<DirEntry>) -> bool {
        let mut found = lock(&self.listing.found);
        if found.walk != self.number {
            return false;
        }
        found.n_documents += batch.iter().filter(|entry| entry.is_document()).count();
        found.entries.append(batch);
        self.listing.grew.notify_all();
        true
    }
}

impl Drop for Walker {
    fn drop(&mut self) {
        let is_awaited = {
            let mut found = lock(&self.listing.found);
            if found.walk != self.number {
                return;
            }
            found.whole = Arc::new(std::mem::take(&mut found.entries));
            found.stage = Stage::Whole;
            self.listing.grew.notify_all();
            std::mem::take(&mut found.is_awaited)
        };
        if is_awaited {
            (self.listing.on_whole)();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use diglot_testkit::FolderFixture;

    use super::*;

    fn folder(n: usize) -> FolderFixture {
        let names: Vec<String> = (0..n).map(|n| format!("in/{n}.md")).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "One.\n")).collect();
        FolderFixture::new(&files).unwrap()
    }

    fn listing() -> (Arc<Listing>, mpsc::Receiver<()>) {
        let (told, whole) = mpsc::channel();
        let listing = Listing::new(Arc::default(), move || told.send(()).unwrap());
        (listing, whole)
    }

    #[test]
    fn a_small_folder_is_shown_whole() {
        let folder = folder(30);
        let workspace = FolderWorkspace::open(&folder.at("in")).unwrap();
        let (listing, _) = listing();
        let page = listing.page(&workspace, 20, 20);
        assert_eq!(
            (page.entries.len(), page.n_files, page.n_documents),
            (10, 30, 30)
        );
        assert!(page.is_whole);
        assert_eq!(listing.whole(&workspace).len(), 30);
        let names = listing.first(&workspace, 2, |entry| Some(entry.path.to_string()));
        assert_eq!(names, ["0.md", "1.md"]);
        assert!(
            listing
                .first(&workspace, 2, |_| None::<DirEntry>)
                .is_empty()
        );
    }

    #[test]
    fn a_part_is_followed_by_the_word_that_all_is_there() {
        let folder = folder(3);
        let workspace = FolderWorkspace::open(&folder.at("in")).unwrap();
        let (listing, whole) = listing();
        // As the walk is after its first files.
        let files: Vec<DirEntry> = workspace.walk().collect();
        *lock(&listing.found) = Found {
            stage: Stage::Walking,
            entries: files[..2].to_vec(),
            n_documents: 2,
            ..Found::default()
        };
        let walker = Walker {
            listing: Arc::clone(&listing),
            number: 0,
        };
        let page = listing.page(&workspace, 0, 2);
        assert!(!page.is_whole);
        assert_eq!((page.entries.len(), page.n_files), (2, 2));
        assert!(walker.add(&mut files[2..].to_vec()));
        drop(walker);
        whole.recv().unwrap();
        assert_eq!(*listing.whole(&workspace), files);
    }

    #[test]
    fn what_was_forgotten_is_looked_up_again() {
        let folder = folder(2);
        let workspace = FolderWorkspace::open(&folder.at("in")).unwrap();
        let (listing, _) = listing();
        assert_eq!(listing.whole(&workspace).len(), 2);
        folder.write("in/2.md", "Two.\n").unwrap();
        let walker = Walker {
            listing: Arc::clone(&listing),
            number: 0,
        };
        listing.forget();
        // A walk that was begun before changes nothing.
        assert!(!walker.add(&mut Vec::new()));
        drop(walker);
        assert_eq!(listing.whole(&workspace).len(), 3);
    }

    #[test]
    fn a_walk_ends_when_the_application_closes() {
        let folder = folder(3);
        let workspace = FolderWorkspace::open(&folder.at("in")).unwrap();
        let listing = Listing::new(Arc::new(AtomicBool::new(true)), || ());
        assert!(listing.whole(&workspace).is_empty());
    }
}
