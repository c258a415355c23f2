//! Targets: written whole, and never over somebody else's work.

use std::fs;

use diglot_document::LanguageTag;

use super::*;
use crate::fixture::{Folder, path, pipe};

struct Case {
    folder: Folder,
    targets: TargetFolder,
}

fn german() -> LanguageTag {
    LanguageTag::parse("de").unwrap()
}

impl Case {
    fn new() -> Self {
        let folder = Folder::new(&[("doc.md", "Source.\n")]);
        let targets = open(&folder).unwrap();
        Self { folder, targets }
    }

    fn write(&self, name: &str, text: &str, last: Option<&str>) -> Result<Written, TargetError> {
        let last = last.map(|text| SourceHash::of(text.as_bytes()));
        self.targets
            .write(&path(name), text.as_bytes(), last.as_ref())
    }

    fn on_disk(&self, name: &str) -> PathBuf {
        self.targets.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        let file = self.on_disk(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.on_disk(name)).unwrap()
    }

    /// Names in the target folder, so that nothing is left lying about.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.targets.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

fn open(folder: &Folder) -> Result<TargetFolder, TargetError> {
    TargetFolder::open(&target_path(&folder.path(), &german(), 1), &folder.path())
}

#[test]
fn targets_go_beside_the_project() {
    let folder = Folder::new(&[]);
    let project = folder.path();
    assert_eq!(
        target_path(Path::new("/x/guide"), &german(), 1),
        Path::new("/x/guide-de")
    );
    assert_eq!(
        target_path(Path::new("/x/v1.2"), &german(), 2),
        Path::new("/x/v1.2-de-2")
    );
    assert_eq!(
        free_target_path(&project, &german()),
        folder.outside().join("guide-de")
    );
    fs::create_dir(folder.outside().join("guide-de")).unwrap();
    fs::write(folder.outside().join("guide-de-2"), "").unwrap();
    assert_eq!(
        free_target_path(&project, &german()),
        folder.outside().join("guide-de-3")
    );
}

#[test]
fn the_tree_is_mirrored_and_made_with_the_first_target() {
    let case = Case::new();
    assert!(!case.targets.path().exists());
    assert_eq!(case.targets.hash(&path("a/b/c.md")).unwrap(), None);
    assert_eq!(
        case.write("a/b/c.md", "One.", None).unwrap(),
        Written::Created
    );
    assert_eq!(case.text("a/b/c.md"), "One.");
    assert_eq!(
        case.targets.hash(&path("a/b/c.md")).unwrap(),
        Some(SourceHash::of(b"One."))
    );
    assert_eq!(case.names(), ["a"]);
}

#[test]
fn what_we_wrote_is_replaced_and_the_same_is_not_touched() {
    let case = Case::new();
    case.write("doc.md", "One.", None).unwrap();
    assert_eq!(
        case.write("doc.md", "One.", None).unwrap(),
        Written::Unchanged
    );
    let last = SourceHash::of(b"One.");
    let written = case
        .targets
        .write(&path("doc.md"), b"Two.", Some(&last))
        .unwrap();
    assert_eq!(
        (written, case.text("doc.md").as_str()),
        (Written::Replaced, "Two.")
    );
    assert_eq!(case.names(), ["doc.md"]);
}

#[test]
fn a_target_that_was_deleted_is_written_again() {
    let case = Case::new();
    case.write("doc.md", "One.", None).unwrap();
    fs::remove_dir_all(case.targets.path()).unwrap();
    let last = SourceHash::of(b"One.");
    let written = case
        .targets
        .write(&path("doc.md"), b"Two.", Some(&last))
        .unwrap();
    assert_eq!(written, Written::Created);
}

/// Field case: a human translation already sits where the target goes.
#[test]
fn a_file_that_was_there_before_stays_until_it_is_kept_aside() {
    let case = Case::new();
    case.put("de/doc.md", "By hand.");
    let found = SourceHash::of(b"By hand.");
    let error = case.write("de/doc.md", "Ours.", None).unwrap_err();
    assert!(matches!(&error, TargetError::Foreign { found: hash, .. } if *hash == found));
    assert_eq!(case.text("de/doc.md"), "By hand.");
    assert_eq!(
        case.targets.beside(&path("de/doc.md")).unwrap(),
        path("de/doc.diglot.md")
    );
    let kept = case.targets.keep_aside(&path("de/doc.md")).unwrap();
    assert_eq!(kept, path("de/doc.before-diglot.md"));
    assert_eq!(
        case.write("de/doc.md", "Ours.", None).unwrap(),
        Written::Created
    );
    assert_eq!(case.text("de/doc.before-diglot.md"), "By hand.");
    case.put("de/doc.md", "By hand again.");
    let kept = case.targets.keep_aside(&path("de/doc.md")).unwrap();
    assert_eq!(kept, path("de/doc.before-diglot-2.md"));
    assert!(
        case.targets.keep_aside(&path("de/doc.md")).is_err(),
        "nothing is there"
    );
}

#[test]
fn a_file_that_was_there_before_with_our_content_is_ours() {
    let case = Case::new();
    case.put("doc.md", "Same.");
    assert_eq!(
        case.write("doc.md", "Same.", None).unwrap(),
        Written::Unchanged
    );
}

#[test]
fn a_target_that_somebody_edited_is_not_overwritten() {
    let case = Case::new();
    case.write("doc.md", "One.", None).unwrap();
    case.put("doc.md", "Edited.");
    let last = SourceHash::of(b"One.");
    let error = case
        .targets
        .write(&path("doc.md"), b"Two.", Some(&last))
        .unwrap_err();
    let edited = SourceHash::of(b"Edited.");
    assert!(matches!(&error, TargetError::EditedOutside { found, .. } if *found == edited));
    assert_eq!(case.text("doc.md"), "Edited.");
    let written = case
        .targets
        .write(&path("doc.md"), b"Two.", Some(&edited))
        .unwrap();
    assert_eq!(written, Written::Replaced, "a person said that it may go");
}

#[test]
fn a_change_between_the_look_and_the_rename_is_seen() {
    let case = Case::new();
    case.write("doc.md", "One.", None).unwrap();
    let dir = case.targets.folder_of(&path("doc.md")).unwrap().unwrap();
    let seen = look(&dir, &path("doc.md")).unwrap();
    case.put("doc.md", "Edited.");
    let error = put(&dir, &path("doc.md"), b"Two.", seen.as_ref()).unwrap_err();
    assert!(matches!(error, TargetError::EditedOutside { .. }));
    let error = put(&dir, &path("doc.md"), b"Two.", None).unwrap_err();
    assert!(
        matches!(error, TargetError::EditedOutside { .. }),
        "one that appeared"
    );
    assert_eq!(
        (case.text("doc.md").as_str(), case.names().len()),
        ("Edited.", 1)
    );
}

/// Field case: killed while a target is written.
#[test]
fn what_a_crash_left_half_written_is_removed_at_the_next_start() {
    let case = Case::new();
    case.write("a/doc.md", "One.", None).unwrap();
    case.put(".diglot-77-0.tmp", "On");
    case.put("a/.diglot-77-1.tmp", "On");
    case.put("a/.diglot-notes.md", "A person's.");
    let reopened = open(&case.folder).unwrap();
    assert_eq!(case.names(), ["a"]);
    assert_eq!(case.text("a/.diglot-notes.md"), "A person's.");
    assert_eq!(
        reopened.hash(&path("a/doc.md")).unwrap(),
        Some(SourceHash::of(b"One."))
    );
    case.put(&format!(".diglot-{}-0.tmp", std::process::id()), "taken");
    assert_eq!(case.write("b.md", "One.", None).unwrap(), Written::Created);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_refused() {
    use std::os::unix::fs::symlink;
    let case = Case::new();
    case.write("doc.md", "One.", None).unwrap();
    let outside = case.folder.outside().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("victim.md"), "Mine.").unwrap();
    symlink(outside.join("victim.md"), case.on_disk("link.md")).unwrap();
    symlink("nothing", case.on_disk("dangling.md")).unwrap();
    symlink(&outside, case.on_disk("linked")).unwrap();
    for name in [
        "link.md",
        "dangling.md",
        "linked/victim.md",
        "linked/new.md",
    ] {
        let error = case.write(name, "Ours.", None).unwrap_err();
        assert!(
            matches!(error, TargetError::Link { .. }),
            "{name}: {error:?}"
        );
    }
    for name in ["doc.md/inner.md", "linked"] {
        let error = case.write(name, "Ours.", None).unwrap_err();
        assert!(
            matches!(
                error,
                TargetError::NotAFile { .. } | TargetError::Link { .. }
            ),
            "{name}"
        );
    }
    if pipe(&case.on_disk("pipe.md")) {
        let error = case.write("pipe.md", "Ours.", None).unwrap_err();
        assert!(matches!(error, TargetError::NotAFile { .. }), "{error:?}");
    }
    let kept = case.targets.keep_aside(&path("link.md")).unwrap();
    assert_eq!(kept, path("link.before-diglot.md"));
    assert!(case.on_disk(kept.as_str()).is_symlink());
    case.write("link.md", "Ours.", None).unwrap();
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
    assert_eq!(
        fs::read_to_string(outside.join("victim.md")).unwrap(),
        "Mine."
    );
}

#[cfg(unix)]
#[test]
fn a_target_folder_that_is_a_link_is_refused() {
    let folder = Folder::new(&[]);
    let elsewhere = tempfile::tempdir().unwrap();
    let link = folder.outside().join("guide-de");
    std::os::unix::fs::symlink(elsewhere.path(), link).unwrap();
    assert!(matches!(open(&folder), Err(TargetError::Unusable { .. })));
}

#[test]
fn sources_and_targets_never_mix() {
    let folder = Folder::new(&[("doc.md", "Source.\n"), ("sub/doc.md", "Source.\n")]);
    let project = folder.path();
    for target in [
        project.clone(),
        project.join("de"),
        project.join("sub"),
        folder.outside().to_owned(),
    ] {
        let result = TargetFolder::open(&target, &project);
        assert!(
            matches!(result, Err(TargetError::Overlaps { .. })),
            "{}",
            target.display()
        );
    }
    #[cfg(unix)]
    {
        let alias = folder.outside().join("alias");
        std::os::unix::fs::symlink(&project, &alias).unwrap();
        let result = TargetFolder::open(&alias.join("de"), &project);
        assert!(matches!(result, Err(TargetError::Overlaps { .. })));
        let result = TargetFolder::open(&project.join("de"), &alias);
        assert!(matches!(result, Err(TargetError::Overlaps { .. })));
    }
    TargetFolder::open(&folder.outside().join("guide-evil"), &project).unwrap();
}

#[test]
fn a_hard_link_to_a_source_is_broken_and_the_source_stays() {
    let case = Case::new();
    fs::create_dir(case.targets.path()).unwrap();
    let source = case.folder.path().join("doc.md");
    fs::hard_link(&source, case.on_disk("doc.md")).unwrap();
    let last = SourceHash::of(b"Source.\n");
    case.targets
        .write(&path("doc.md"), b"Target.\n", Some(&last))
        .unwrap();
    assert_eq!(case.text("doc.md"), "Target.\n");
    assert_eq!(fs::read_to_string(source).unwrap(), "Source.\n");
}

#[cfg(unix)]
#[test]
fn the_mode_of_a_target_stays_and_a_protected_one_is_not_replaced() {
    use std::os::unix::fs::PermissionsExt;
    let case = Case::new();
    case.write("doc.md", "One.", None).unwrap();
    let file = case.on_disk("doc.md");
    let set = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    let mode = || fs::metadata(&file).unwrap().permissions().mode() & 0o777;
    set(0o664);
    case.targets
        .write(&path("doc.md"), b"Two.", Some(&SourceHash::of(b"One.")))
        .unwrap();
    assert_eq!(mode(), 0o664);
    set(0o444);
    let last = SourceHash::of(b"Two.");
    let error = case
        .targets
        .write(&path("doc.md"), b"Three.", Some(&last))
        .unwrap_err();
    assert!(matches!(error, TargetError::ReadOnly { .. }));
    assert_eq!(
        (case.text("doc.md").as_str(), case.names().len()),
        ("Two.", 1)
    );
}

/// Field case: the targets belong to a web server, and the person is in its group or an administrator.
#[cfg(unix)]
#[test]
fn the_owner_of_a_target_stays_where_the_system_allows_it() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    const NOBODY: u32 = 65_534;
    let case = Case::new();
    case.write("doc.md", "One.", None).unwrap();
    let file = case.on_disk("doc.md");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    if chown(&file, Some(NOBODY), Some(NOBODY)).is_err() {
        println!("not tested here: this user may give no file away");
        return;
    }
    let last = SourceHash::of(b"One.");
    case.targets
        .write(&path("doc.md"), b"Two.", Some(&last))
        .unwrap();
    let found = fs::metadata(&file).unwrap();
    assert_eq!(
        (found.uid(), found.gid(), found.mode() & 0o777),
        (NOBODY, NOBODY, 0o640)
    );
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_written_is_an_error_and_leaves_no_file() {
    use std::os::unix::fs::PermissionsExt;
    let case = Case::new();
    case.write("doc.md", "One.", None).unwrap();
    let folder = case.targets.path();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o500)).unwrap();
    if fs::write(folder.join("probe"), "").is_ok() {
        println!("not tested here: this user may write everywhere");
        return;
    }
    let error = case.write("new.md", "One.", None).unwrap_err();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700)).unwrap();
    assert!(matches!(error, TargetError::Io { .. }), "{error:?}");
    assert_eq!(case.names(), ["doc.md"]);
}

/// Field case: the same names in two folders, with two endings, in two cases.
#[test]
fn every_source_has_a_target_of_its_own_and_clashes_are_told() {
    let names = [
        "a/readme.md",
        "b/readme.md",
        "guide.md",
        "guide.txt",
        "Intro.md",
        "intro.md",
        "name.de.md",
        "Gr\u{f6}\u{df}e.md",
        "Gro\u{308}\u{df}e.md",
    ];
    let case = Case::new();
    for name in names {
        assert_eq!(
            case.write(name, name, None).unwrap(),
            Written::Created,
            "{name}"
        );
    }
    for name in names {
        assert_eq!(case.text(name), name);
    }
    let paths = names.map(path);
    let expected = [
        vec![path("Gr\u{f6}\u{df}e.md"), path("Gro\u{308}\u{df}e.md")],
        vec![path("Intro.md"), path("intro.md")],
    ];
    assert_eq!(clashes(&paths), expected);
    assert!(!case.targets.ignores_case());
}

#[test]
fn free_names_keep_the_ending() {
    let check = |name: &str, expected: &str| {
        assert_eq!(
            free_name(None, &path(name), "diglot"),
            path(expected),
            "{name}"
        );
    };
    check("a/b.tar.gz", "a/b.tar.diglot.gz");
    check("LICENSE", "LICENSE.diglot");
    check("a.b/c", "a.b/c.diglot");
}
