//! The project folder: what is shown, what can be read, and that nothing leads out.

use std::fs::{self, File};
use std::time::SystemTime;

use super::*;
use crate::fixture::{Folder, is, path, pipe, short};

fn listed(workspace: &FolderWorkspace, folder: &str) -> (Vec<String>, Vec<String>) {
    let listing = workspace.list(&path(folder)).unwrap();
    (
        listing.entries.iter().map(short).collect(),
        listing.left_out,
    )
}

fn not_found(name: &str) -> WorkspaceError {
    WorkspaceError::NotFound { path: path(name) }
}

fn refused(name: &str, reason: Untranslatable) -> WorkspaceError {
    WorkspaceError::Untranslatable {
        path: path(name),
        reason,
    }
}

#[test]
fn what_can_be_opened() {
    let folder = Folder::new(&[("a.md", "A\n")]);
    let open = |path: &Path| FolderWorkspace::open(path).map(|found| found.path().to_owned());
    assert_eq!(
        open(&folder.path()).unwrap(),
        folder.path().canonicalize().unwrap()
    );
    assert!(matches!(
        open(&folder.path().join("no")),
        Err(OpenError::NotFound { .. })
    ));
    assert!(matches!(
        open(&folder.path().join("a.md")),
        Err(OpenError::NotAFolder { .. })
    ));
    #[cfg(unix)]
    assert!(matches!(
        open(Path::new("/")),
        Err(OpenError::WholeDisk { .. })
    ));
}

#[test]
fn a_listing_has_folders_then_files_in_natural_order_with_reasons() {
    let folder = Folder::new(&[
        ("10.md", ""),
        ("2.md", ""),
        ("zoo/a.md", ""),
        ("Alps/a.md", ""),
        ("photo.bin", "x"),
        ("package-lock.json5x", "x"),
        (".env", "x"),
        ("node_modules/a/b.md", ""),
    ]);
    let big = File::create(folder.path().join("big.txt")).unwrap();
    big.set_len(MAX_BYTES + 1).unwrap();
    let (entries, left_out) = listed(&folder.workspace(), "");
    let expected = [
        "Alps/",
        "zoo/",
        "2.md",
        "10.md",
        "big.txt: TooLarge",
        "package-lock.json5x: UnknownFormat",
        "photo.bin: UnknownFormat",
    ];
    assert_eq!(entries, expected);
    assert_eq!(left_out, [".env", "node_modules"]);
    assert_eq!(
        folder.workspace().read(&path("big.txt")),
        Err(refused("big.txt", Untranslatable::TooLarge))
    );
}

#[test]
fn a_document_is_read_byte_for_byte() {
    let folder = Folder::new(&[("docs/a.md", "\u{feff}One.\r\n\0two")]);
    let workspace = folder.workspace();
    let source = workspace.read(&path("docs/a.md")).unwrap();
    assert_eq!(&source.bytes[..], "\u{feff}One.\r\n\0two".as_bytes());
    assert_eq!(workspace.hash(&path("docs/a.md")).unwrap(), source.hash);
    assert_eq!(source.hash, SourceHash::of(&source.bytes));
    assert_eq!(
        workspace.read(&path("docs")),
        Err(refused("docs", Untranslatable::NotAFile))
    );
    assert_eq!(
        workspace.read(&path("")),
        Err(refused("", Untranslatable::NotAFile))
    );
    assert_eq!(
        workspace.read(&path("docs/b.md")),
        Err(not_found("docs/b.md"))
    );
    assert_eq!(
        workspace.read(&path("docs/a.md/b.md")),
        Err(not_found("docs/a.md/b.md"))
    );
    assert_eq!(workspace.list(&path("nowhere")), Err(not_found("nowhere")));
}

#[test]
fn a_changed_file_has_another_hash_even_with_the_same_size_and_time() {
    let folder = Folder::new(&[]);
    let file = folder.file("a.md", "old text");
    let workspace = folder.workspace();
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let set_time = |file: &Path| {
        File::options()
            .write(true)
            .open(file)
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
    };
    set_time(&file);
    let old = workspace.hash(&path("a.md")).unwrap();
    assert!(
        workspace.hashes.lock().unwrap().contains_key(&path("a.md")),
        "kept"
    );
    assert_eq!(workspace.hash(&path("a.md")).unwrap(), old);
    let other = folder.file("b.md", "new text");
    set_time(&other);
    fs::rename(&other, &file).unwrap();
    assert_eq!(
        workspace.hash(&path("a.md")).unwrap(),
        SourceHash::of(b"new text")
    );
}

#[test]
fn a_file_that_was_just_written_is_read_again() {
    let folder = Folder::new(&[("a.md", "text")]);
    let workspace = folder.workspace();
    workspace.hash(&path("a.md")).unwrap();
    assert!(workspace.hashes.lock().unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn links_pipes_and_sockets_are_named_and_not_opened() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    let folder = Folder::new(&[("a.md", "A\n"), ("docs/b.md", "B\n")]);
    let secret = folder.outside().join("secret.md");
    fs::write(&secret, "top secret").unwrap();
    let here = folder.path();
    symlink(&secret, here.join("absolute.md")).unwrap();
    symlink("../secret.md", here.join("relative.md")).unwrap();
    symlink("a.md", here.join("inside.md")).unwrap();
    symlink("nothing", here.join("dangling.md")).unwrap();
    symlink("loop.md", here.join("loop.md")).unwrap();
    symlink("..", here.join("up")).unwrap();
    symlink("docs", here.join("twin")).unwrap();
    let _socket = UnixListener::bind(here.join("socket.md")).unwrap();
    let mut names = vec![
        "absolute.md",
        "dangling.md",
        "inside.md",
        "loop.md",
        "relative.md",
        "socket.md",
        "twin",
        "up",
    ];
    if pipe(&here.join("pipe.md")) {
        names.insert(4, "pipe.md");
    }
    let workspace = folder.workspace();
    let listing = workspace.list(&path("")).unwrap();
    let special: Vec<_> = listing
        .entries
        .iter()
        .filter(|entry| is(entry, Untranslatable::NotAFile))
        .map(|entry| entry.path.as_str())
        .collect();
    assert_eq!(special, names);
    for name in names {
        assert_eq!(
            workspace.read(&path(name)),
            Err(refused(name, Untranslatable::NotAFile))
        );
    }
    for name in ["up/secret.md", "twin/b.md", "up/guide/a.md"] {
        assert_eq!(workspace.read(&path(name)), Err(not_found(name)));
    }
    assert_eq!(workspace.list(&path("up")), Err(not_found("up")));
    assert_eq!(
        workspace.walk().count(),
        listing.entries.len() - 1 + 1,
        "docs gives its one file"
    );
}

#[cfg(unix)]
#[test]
fn names_that_are_no_text_are_shown_and_cannot_be_asked_for() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new(&[("a.md", "A\n")]);
    for name in [&b"caf\xe9.md"[..], b"two\nlines.md"] {
        fs::write(folder.path().join(OsStr::from_bytes(name)), "x").unwrap();
    }
    let (entries, _) = listed(&folder.workspace(), "");
    assert_eq!(
        entries,
        [
            "a.md",
            "caf\u{fffd}.md: Unreadable",
            "two\u{fffd}lines.md: Unreadable"
        ]
    );
    assert_eq!(folder.workspace().walk().count(), 3);
    let asked = "caf\u{fffd}.md";
    assert_eq!(folder.workspace().read(&path(asked)), Err(not_found(asked)));
}

#[cfg(unix)]
#[test]
fn what_may_not_be_read_fails_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new(&[("a.md", "A\n"), ("shut/b.md", "B\n"), ("z.md", "Z\n")]);
    for (name, mode) in [("a.md", 0o000), ("shut", 0o000)] {
        fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    if fs::read(folder.path().join("a.md")).is_ok() {
        println!("not tested here: this user may read everything");
        return;
    }
    let workspace = folder.workspace();
    let error = workspace.read(&path("a.md")).unwrap_err();
    assert!(
        matches!(&error, WorkspaceError::Unreadable { .. }),
        "{error:?}"
    );
    let walked: Vec<_> = workspace.walk().map(|entry| short(&entry)).collect();
    assert_eq!(walked, ["shut: Unreadable", "a.md", "z.md"]);
    fs::set_permissions(
        folder.path().join("shut"),
        fs::Permissions::from_mode(0o700),
    )
    .unwrap();
}

#[test]
fn what_is_left_out_of_the_listing_cannot_be_read_either() {
    let folder = Folder::new(&[
        (
            ".gitignore",
            "/private/\n*.draft.md\n!keep.draft.md\n[\n# words\n",
        ),
        ("private/a.md", "x"),
        ("a.draft.md", "x"),
        ("keep.draft.md", "x"),
        (".env.md", "x"),
        ("docs/private/a.md", "x"),
        ("docs/.gitignore", "local.md\n!a.draft.md\n"),
        ("docs/local.md", "x"),
        ("docs/a.draft.md", "x"),
        ("dist/a.md", "x"),
        ("local.md", "x"),
    ]);
    let workspace = folder.workspace();
    let (entries, left_out) = listed(&workspace, "");
    assert_eq!(entries, ["docs/", "keep.draft.md", "local.md"]);
    assert_eq!(
        left_out,
        [".env.md", ".gitignore", "a.draft.md", "dist", "private"]
    );
    let (entries, left_out) = listed(&workspace, "docs");
    assert_eq!(entries, ["docs/private/", "docs/a.draft.md"]);
    assert_eq!(left_out, [".gitignore", "local.md"]);
    for name in [
        "private/a.md",
        "a.draft.md",
        ".env.md",
        "docs/local.md",
        "dist/a.md",
    ] {
        assert_eq!(workspace.read(&path(name)), Err(not_found(name)), "{name}");
    }
    assert!(workspace.read(&path("docs/private/a.md")).is_ok());
    assert_eq!(workspace.list(&path("private")), Err(not_found("private")));
}

#[test]
fn ignore_files_outside_the_project_do_not_count() {
    let folder = Folder::new(&[("a.md", "A\n")]);
    fs::write(folder.outside().join(".gitignore"), "*.md\n").unwrap();
    assert_eq!(listed(&folder.workspace(), "").0, ["a.md"]);
}

/// Field case: dependency folders, version control, build output, lock files.
#[test]
fn thirty_documents_are_offered_among_thousands_of_files() {
    let folder = Folder::new(&[
        (".git/HEAD", "ref"),
        (".git/objects/00/a.md", "x"),
        (".DS_Store", "x"),
        ("docs/.hidden.md", "x"),
        (".gitignore", "build/\n"),
        ("build/copy/page.md", "x"),
        ("docs/~$draft.docx", "lock"),
        ("docs/page.md.bak", "old"),
    ]);
    for n in 0..30 {
        folder.file(&format!("docs/part{n:02}/page.md"), "Page.\n");
        folder.file(&format!("node_modules/pkg{n:04}/README.md"), "Package\n");
    }
    let mut walk = folder.workspace().walk();
    let documents: Vec<_> = walk
        .by_ref()
        .filter(|entry| matches!(entry.kind, DirEntryKind::Document { .. }))
        .map(|entry| entry.path.as_str().to_owned())
        .collect();
    let expected: Vec<_> = (0..30)
        .map(|n| format!("docs/part{n:02}/page.md"))
        .collect();
    assert_eq!(documents, expected);
    assert_eq!(
        walk.n_left_out(),
        7,
        "five names and two folders, whatever they hold"
    );
    let (entries, left_out) = listed(&folder.workspace(), "");
    assert_eq!((entries.len(), left_out.len()), (1, 5));
}

/// Field case: what a model asks for outside the folder.
#[test]
fn a_path_that_leads_out_cannot_be_made() {
    for text in [
        "../secret.md",
        "docs/../../secret.md",
        "/etc/passwd",
        "C:\\x.md",
        "~/x.md",
        "file:///x",
    ] {
        assert!(
            ProjectPath::parse(text).is_err() && ProjectPath::parse(&format!(" {text}")).is_err()
        );
    }
    for text in ["../a", "/a", "a/../../b"] {
        assert!(ProjectPath::from_listing(text).is_err(), "{text}");
    }
}

/// Field case: accents in two forms, blanks, percent signs, emoji, reserved names.
#[test]
fn awkward_names_are_listed_read_and_found_in_either_form() {
    let decomposed = "Gro\u{308}\u{df}e.md";
    let long = format!("{}.md", "x".repeat(200));
    let names = [
        "m\u{e5}l/side et.md",
        decomposed,
        "\u{dc}bung.md",
        "50% #1 & co.md",
        "a%20b.md",
        "\u{7b2c}\u{4e00}\u{7ae0}.md",
        "\u{1f680} start.md",
        "-dash.md",
        "aux.md",
        "dots..md",
        &long,
        " lead.md",
    ];
    let folder = Folder::new(&[]);
    for name in names {
        folder.file(name, "Text of one file.\n");
    }
    let workspace = folder.workspace();
    let walked: Vec<_> = workspace.walk().map(|entry| entry.path).collect();
    assert_eq!(walked.len(), names.len());
    for name in names {
        assert!(walked.contains(&path(name)), "{name}");
        assert!(workspace.read(&path(name)).is_ok(), "{name}");
    }
    assert!(workspace.read(&path("Gr\u{f6}\u{df}e.md")).is_ok());
    assert!(workspace.read(&path("U\u{308}bung.md")).is_ok());
    assert!(workspace.read(&path("ma\u{30a}l/side et.md")).is_ok());
    folder.file("Gr\u{f6}\u{df}e.md", "Its twin.\n");
    let twin = workspace.read(&path("Gr\u{f6}\u{df}e.md")).unwrap();
    assert_eq!(&twin.bytes[..], b"Its twin.\n", "the exact name goes first");
}

#[test]
fn a_walk_goes_folder_by_folder_in_the_order_of_the_listings() {
    let folder = Folder::new(&[
        ("z.md", ""),
        ("b/10.md", ""),
        ("b/9.md", ""),
        ("a/deep/er/x.md", ""),
        ("a/y.md", ""),
    ]);
    let walked: Vec<_> = folder
        .workspace()
        .walk()
        .map(|entry| short(&entry))
        .collect();
    assert_eq!(
        walked,
        ["a/deep/er/x.md", "a/y.md", "b/9.md", "b/10.md", "z.md"]
    );
}

#[test]
fn folders_below_the_deepest_are_named_and_not_entered() {
    let folder = Folder::new(&[]);
    let deep = vec!["d"; 70].join("/");
    folder.file(&format!("{deep}/a.md"), "x");
    let walked: Vec<_> = folder
        .workspace()
        .walk()
        .map(|entry| short(&entry))
        .collect();
    assert_eq!(walked, [format!("{}: Unreadable", vec!["d"; 65].join("/"))]);
}
