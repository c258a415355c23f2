use diglot_document::{Document, Format, ParseOptions, UnitState};

use super::*;
use crate::entry::SourceRead;
use crate::workspace::{DirEntry, DirEntryKind};

fn state(text: &str) -> DocumentState {
    let options = ParseOptions::default();
    let document = Document::parse(Format::PlainText, text.as_bytes(), &options).unwrap();
    let read = SourceRead {
        path: ProjectPath::from_listing("a.txt").unwrap(),
        hash: SourceHash::of(text.as_bytes()),
        encoding: None,
        rules: diglot_document::Rules::default(),
    };
    DocumentState::new(read, Arc::new(document), 0)
}

#[test]
fn units_with_the_same_text_are_numbered() {
    let state = state("Note.\n\nOne.\n\nNote.\n\nNote.\n");
    let places: Vec<_> = (0..5).map(|ordinal| state.occurrence(ordinal)).collect();
    let expected = [Some((1, 3)), None, Some((2, 3)), Some((3, 3)), None];
    assert_eq!(places, expected);
}

#[test]
fn a_unit_is_open_until_it_is_proposed_set_aside_or_confirmed() {
    let mut state = state("One.\n\nTwo.\n\nThree.\n");
    state.units[0].skipped = true;
    state.index(0);
    state.units[1].proposal = Some(CallId::new(Seq(1), 0));
    state.index(1);
    assert_eq!(state.open_from(0).collect::<Vec<_>>(), [2]);
    assert_eq!(state.aside.iter().copied().collect::<Vec<_>>(), [0]);
    // Set aside once, it is no longer passed over.
    state.units[0].skipped = false;
    state.index(0);
    assert_eq!(state.next_open(), Some(0));
    assert_eq!(state.never.iter().copied().collect::<Vec<_>>(), [2]);
    state.units[2].state = UnitState::Approved;
    state.index(2);
    assert_eq!(state.open_from(1).count(), 0);
}

#[test]
fn what_is_left_of_a_listing_follows_what_is_done() {
    let entry = |path: &str, kind: DirEntryKind| DirEntry {
        path: ProjectPath::from_listing(path).unwrap(),
        kind,
    };
    let document = || DirEntryKind::Document {
        format: Format::PlainText,
        n_bytes: 1,
    };
    let mut listed = Listed::default();
    listed.add_folder(&ProjectPath::root());
    for (path, kind) in [
        ("b", DirEntryKind::Folder),
        ("a.txt", document()),
        ("c.txt", document()),
        ("a.txt", document()),
    ] {
        listed.add(&entry(path, kind), path == "c.txt");
    }
    let unread = |listed: &Listed| listed.unread().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(unread(&listed), ["a.txt"]);
    assert_eq!(listed.unlisted().count(), 1);
    listed.mark_read(&ProjectPath::from_listing("a.txt").unwrap());
    listed.add_folder(&ProjectPath::from_listing("b").unwrap());
    assert_eq!(unread(&listed), Vec::<String>::new());
    assert_eq!(listed.unlisted().count(), 0);
}
