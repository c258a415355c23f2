//! P14: names that become links while they are opened. One thread exchanges files and folders for links to an outside,
//! over and over; everything that the crate can do goes on meanwhile. What the outside holds must never be seen or touched.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use diglot_agent::{SourceHash, Workspace};
use diglot_document::LanguageTag;
use diglot_testkit::{Depth, Promise};

use crate::fixture::{Folder, path};
use crate::{FolderWorkspace, TargetFolder, Walk, target_path};

/// Stands in every file of the outside, and in the name of one.
const CANARY: &str = "canary";
/// A file name that the project and the targets have as well.
const FILE: &str = "doc.md";

/// What a name is exchanged for, and back.
struct Trap {
    /// The name.
    at: PathBuf,
    /// The file or folder of the outside with the same inside.
    outside: PathBuf,
    is_folder: bool,
}

impl Trap {
    /// Makes the name a link and then what it was. Somebody who works there may be in the way; the next round will do.
    fn flip(&self) -> io::Result<()> {
        let beside = |ending: &str| {
            let name = self.at.file_name().unwrap().to_string_lossy();
            self.at.with_file_name(format!(".{name}.{ending}"))
        };
        let (link, real) = (beside("link"), beside("real"));
        // What is left of a round in which somebody was faster.
        drop(fs::remove_file(&link));
        drop(fs::remove_dir_all(&real));
        symlink(&self.outside, &link)?;
        if self.is_folder {
            fs::rename(&self.at, &real)?;
            fs::rename(&link, &self.at)?;
            thread::yield_now();
            fs::remove_file(&self.at)?;
            fs::rename(&real, &self.at)
        } else {
            fs::rename(&link, &self.at)?;
            thread::yield_now();
            fs::write(&real, "Ours.\n")?;
            fs::rename(&real, &self.at)
        }
    }
}

/// Counts what was done, and what should not have been seen.
#[derive(Default)]
struct Seen {
    n_done: usize,
    n_refused: usize,
    escapes: Vec<String>,
}

impl Seen {
    fn note<T, E>(&mut self, what: &str, result: Result<T, E>, is_outside: impl Fn(&T) -> bool) {
        self.n_done += 1;
        match result {
            Ok(found) if is_outside(&found) => self.escapes.push(what.to_owned()),
            Ok(_) => {}
            Err(_) => self.n_refused += 1,
        }
    }
}

/// Ends the other thread, also when this one fails.
struct Ending<'a>(&'a AtomicBool);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn read_on(workspace: &FolderWorkspace, seen: &mut Seen) {
    let secret = SourceHash::of(CANARY.as_bytes());
    for name in ["doc.md", "sub/doc.md", "sub/inner/doc.md"] {
        let source = workspace.read(&path(name));
        seen.note(name, source, |source| source.hash == secret);
        let hash = workspace.hash(&path(name));
        seen.note(name, hash, |hash| *hash == secret);
    }
    for folder in ["sub", "sub/inner"] {
        let listing = workspace.list(&path(folder));
        seen.note(folder, listing, |listing| {
            let entries = &listing.entries;
            entries
                .iter()
                .any(|entry| entry.path.name().contains(CANARY))
        });
    }
    let is_outside = |mut walk: Walk| walk.any(|entry| entry.path.name().contains(CANARY));
    seen.note("walk", Ok::<_, ()>(is_outside(workspace.walk())), |found| {
        *found
    });
}

fn write_on(targets: &TargetFolder, n: usize, seen: &mut Seen) {
    let secret = Some(SourceHash::of(CANARY.as_bytes()));
    let text = format!("Ours {n}.\n");
    for name in ["doc.md", "sub/doc.md", "sub/inner/doc.md", "sub/new.md"] {
        let name = path(name);
        let found = targets.hash(&name);
        let last = found.as_ref().ok().cloned().flatten();
        seen.note(name.as_str(), found, |hash| *hash == secret);
        let written = targets.write(&name, text.as_bytes(), last.as_ref());
        seen.note(name.as_str(), written, |_| false);
    }
    seen.note("beside", targets.beside(&path("sub/doc.md")), |_| false);
    if let Ok(kept) = targets.keep_aside(&path(FILE)) {
        // Else there is one more for each round; by path it is out of reach while the folder is a link.
        drop(fs::remove_file(targets.path().join(kept.as_str())));
    }
}

/// Makes a folder that has in it what a project has, too.
fn fill(folder: &Path, text: &str, more: Option<&str>) {
    for name in ["doc.md", "sub/doc.md", "sub/inner/doc.md"] {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        if let Some(more) = more {
            fs::write(file.with_file_name(more), text).unwrap();
        }
    }
}

/// Returns every file below a folder with its content.
fn state(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(state(&path));
        } else {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found.sort();
    found
}

#[test]
fn p14_names_that_become_links_lead_nowhere() {
    let time = Depth::of_run().pick(Duration::from_millis(500), Duration::from_mins(1));
    let folder = Folder::new(&[]);
    let outside = folder.outside().join("outside");
    let target = target_path(&folder.path(), &LanguageTag::parse("de").unwrap(), 1);
    fill(&folder.path(), "Ours.\n", None);
    fill(&target, "Ours.\n", None);
    fill(&outside, CANARY, Some(&format!("{CANARY}.md")));
    let before = state(&outside);
    let workspace = folder.workspace();
    let targets = TargetFolder::open(&target, &folder.path()).unwrap();
    let trap = |root: &Path, name: &str, is_folder| Trap {
        at: root.join(name),
        outside: outside.join(name),
        is_folder,
    };
    let mut traps = Vec::new();
    for root in [&folder.path(), &target] {
        traps.push(trap(root, FILE, false));
        traps.push(trap(root, "sub", true));
        traps.push(trap(root, "sub/inner", true));
    }
    traps.push(Trap {
        at: target.clone(),
        outside: outside.clone(),
        is_folder: true,
    });
    let (is_over, n_flips) = (AtomicBool::new(false), AtomicUsize::new(0));
    let seen = thread::scope(|scope| {
        scope.spawn(|| {
            for trap in traps.iter().cycle() {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                if trap.flip().is_ok() {
                    n_flips.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        let _ending = Ending(&is_over);
        let mut seen = Seen::default();
        let begun = Instant::now();
        while begun.elapsed() < time {
            read_on(&workspace, &mut seen);
            write_on(&targets, seen.n_done, &mut seen);
        }
        seen
    });
    let mut escapes = seen.escapes;
    if state(&outside) != before {
        escapes.push("the outside is another".to_owned());
    }
    let (n_done, n_refused, n_flips) = (seen.n_done, seen.n_refused, n_flips.into_inner());
    let first = escapes
        .first()
        .map_or(String::new(), |at| format!("; {at}"));
    let figure = format!(
        "{n_done} lookups and writes, {n_refused} refused, while names became links {n_flips} times: {} escapes{first}",
        escapes.len()
    );
    // A run in which nothing met a link would show nothing.
    let is_held = escapes.is_empty() && n_refused > 0 && n_refused < n_done && n_flips > 0;
    Promise::new(14, is_held, figure, "0 escapes").tell();
}
