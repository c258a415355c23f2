//! The watcher: changes are told once, hidden files and reading are none.

use std::fs;

use diglot_agent::Workspace;

use super::*;
use crate::fixture::{Folder, path};

/// Longest that a system may take to tell of a change.
const PATIENCE: Duration = Duration::from_secs(20);

/// Waits until a path is told of, and returns all that were; a slow system tells a burst in parts.
async fn until(watch: &mut Watch, wanted: &str) -> BTreeSet<ProjectPath> {
    let mut told = BTreeSet::new();
    while !told.contains(&path(wanted)) {
        let changed = tokio::time::timeout(PATIENCE, watch.changed()).await;
        told.extend(changed.unwrap().unwrap());
    }
    told
}

#[tokio::test]
async fn a_change_is_told_and_what_is_not_shown_is_none() {
    let folder = Folder::new(&[
        ("a.md", "A\n"),
        ("docs/b.md", "B\n"),
        ("node_modules/c.md", "C\n"),
    ]);
    let workspace = folder.workspace();
    let mut watch = match Watch::start(&workspace) {
        Ok(watch) => watch,
        Err(error) => return println!("not tested here: {error:?}"),
    };
    workspace.read(&path("a.md")).unwrap();
    folder.file("node_modules/c.md", "changed");
    folder.file(".hidden.md", "new");
    folder.file("docs/b.md", "changed");
    assert_eq!(
        until(&mut watch, "docs/b.md").await,
        [path("docs/b.md")].into()
    );
    // As editors save: a new file renamed over the old one.
    let new = folder.file(".a.md.swp", "changed");
    fs::rename(new, folder.path().join("a.md")).unwrap();
    let told = until(&mut watch, "a.md").await;
    assert!(
        told.iter().all(|path| !path.name().starts_with('.')),
        "{told:?}"
    );
}

#[tokio::test]
async fn a_new_folder_is_watched_too() {
    let folder = Folder::new(&[]);
    let mut watch = match Watch::start(&folder.workspace()) {
        Ok(watch) => watch,
        Err(error) => return println!("not tested here: {error:?}"),
    };
    fs::create_dir(folder.path().join("new")).unwrap();
    until(&mut watch, "new").await;
    folder.file("new/a.md", "A\n");
    until(&mut watch, "new/a.md").await;
}

#[test]
fn dropping_the_watch_ends_its_thread() {
    let folder = Folder::new(&[]);
    let (events, received) = channel();
    let (tell, told) = unbounded_channel();
    let root = folder.path();
    let collector = Collector {
        root: root.clone(),
        watcher: Weak::new(),
        tell,
    };
    let thread = std::thread::spawn(move || collector.run(&received));
    let event = Event::new(EventKind::Any).add_path(root.join("a.md"));
    events.send(Ok(event)).unwrap();
    drop((events, told));
    thread.join().unwrap();
}
