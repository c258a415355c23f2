//! Commits: all or nothing, the optimistic lock, and reading back.

use diglot_agent::message::{RawMessage, Usage};
use diglot_agent::store::{SessionCounts, UnitRow};
use diglot_agent::{Message, Seq, SourceText};
use diglot_document::{Origin, UnitState};

use super::*;
use crate::Progress;
use crate::fixture::{commit, item, new_session, pair, path, read, said, store, tm_pair, unit};

#[test]
fn a_commit_writes_everything_that_belongs_together() {
    let (store, session) = store();
    let source = SourceText::new(b"Fill the tank.\n".to_vec());
    let rows = vec![
        unit("a.md", 2, "Two.", "Zwei."),
        unit("a.md", 1, "One.", "Eins.\0 \u{1f680}"),
        unit("b.md", 1, "Other.", ""),
    ];
    let mut work = commit(session, 0);
    work.entries = vec![said("Go on."), read("a.md", &source)];
    work.sources = vec![source.clone()];
    work.units.clone_from(&rows);
    work.counts = SessionCounts {
        n_units: 3,
        n_confirmed: 2,
        n_waiting: 1,
        n_tokens: 400,
    };
    work.pairs = vec![tm_pair("One.", "Eins.")];
    work.memory = vec![item(1, "Use Sie.", "call00001")];
    work.at = 77;
    assert_eq!(store.commit(&work).unwrap(), Seq(2));

    let entries: Vec<_> = (1..).map(Seq).zip(work.entries.clone()).collect();
    assert_eq!(store.entries(session, Seq(0)).unwrap(), entries);
    assert_eq!(store.entries(session, Seq(1)).unwrap(), entries[1..]);
    assert_eq!(store.entries(session, Seq(2)).unwrap(), []);
    assert_eq!(store.source(&source.hash).unwrap(), Some(source));
    let in_order = [rows[1].clone(), rows[0].clone()];
    assert_eq!(store.units(session, &path("a.md")).unwrap(), in_order);
    assert_eq!(store.all_units(session).unwrap().len(), 3);
    assert_eq!(
        store.find_matches(&pair("en", "de"), "One.").unwrap().len(),
        1
    );
    assert_eq!(
        store.memory(&pair("en", "de"), "/home/a").unwrap().items,
        work.memory
    );
    let row = store.session(session).unwrap();
    assert_eq!(
        (row.seq, row.counts, row.updated_at),
        (Seq(2), work.counts, 77)
    );
}

#[test]
fn a_later_commit_replaces_rows_and_forgets_items() {
    let (store, session) = store();
    let mut work = commit(session, 0);
    work.units = vec![unit("a.md", 1, "One.", "Eins.")];
    work.memory = vec![item(1, "Use Sie.", "call00001")];
    work.entries = vec![said("a")];
    store.commit(&work).unwrap();
    let mut row = unit("a.md", 1, "One.", "Ein.");
    (row.state, row.origin, row.revised) = (UnitState::Refined, Origin::Hand, true);
    let mut work = commit(session, 1);
    work.entries = vec![said("b")];
    work.units = vec![row.clone()];
    work.forgotten = vec![diglot_agent::memory::MemoryId(1)];
    assert_eq!(store.commit(&work).unwrap(), Seq(2));
    assert_eq!(store.units(session, &path("a.md")).unwrap(), [row]);
    assert!(
        store
            .memory(&pair("en", "de"), "/home/a")
            .unwrap()
            .items
            .is_empty()
    );
}

#[test]
fn the_projection_can_be_rebuilt() {
    let (store, session) = store();
    let mut work = commit(session, 0);
    work.units = vec![
        unit("a.md", 1, "One.", "Eins."),
        unit("b.md", 1, "Two.", "Zwei."),
    ];
    store.commit(&work).unwrap();
    let rows = vec![unit("a.md", 1, "One.", "Neu.")];
    store.replace_units(session, &rows).unwrap();
    assert_eq!(store.all_units(session).unwrap(), rows);
}

#[test]
fn a_log_that_moved_is_a_conflict_and_nothing_is_written() {
    let (store, session) = store();
    let mut work = commit(session, 0);
    work.entries = vec![said("first")];
    store.commit(&work).unwrap();
    work.entries = vec![said("second")];
    work.units = vec![unit("a.md", 1, "One.", "Eins.")];
    let error = store.commit(&work).unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::Conflict {
                expected: Seq(0),
                found: Seq(1),
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(
        store.entries(session, Seq(0)).unwrap(),
        [(Seq(1), said("first"))]
    );
    assert!(store.all_units(session).unwrap().is_empty());
}

#[test]
fn a_commit_that_fails_late_leaves_nothing_behind() {
    let (store, session) = store();
    store.put_memory(&item(1, "Use Sie.", "call00001")).unwrap();
    let mut work = commit(session, 0);
    work.entries = vec![said("a")];
    work.units = vec![unit("a.md", 1, "One.", "Eins.")];
    work.memory = vec![item(1, "Another.", "call00002")];
    let error = store.commit(&work).unwrap_err();
    assert!(matches!(error, StoreError::MemoryTaken { .. }), "{error:?}");
    assert!(store.entries(session, Seq(0)).unwrap().is_empty());
    assert!(store.all_units(session).unwrap().is_empty());
    assert_eq!(store.session(session).unwrap().seq, Seq(0));
}

#[test]
fn an_entry_must_not_name_a_source_that_nobody_has() {
    let (store, session) = store();
    let source = SourceText::new(b"text".to_vec());
    let mut work = commit(session, 0);
    work.entries = vec![read("a.md", &source)];
    let error = store.commit(&work).unwrap_err();
    assert!(matches!(&error, StoreError::SourceMissing { hash } if *hash == source.hash));
    assert!(store.entries(session, Seq(0)).unwrap().is_empty());
}

#[test]
fn entries_of_the_first_format_are_read() {
    let (store, session) = store();
    let mut work = commit(session, 0);
    work.entries = vec![said("a")];
    store.commit(&work).unwrap();
    let lesson = r#"{"type":"lesson","value":{"items":[],"withdrawn":["x"]}}"#;
    store
        .write(|tx| {
            Ok(tx.execute(
                "INSERT INTO entry (session, seq, kind, format, body) VALUES (1, 2, 'lesson', 1, ?1)",
                [lesson],
            )?)
        })
        .unwrap();
    let entries = store.entries(session, Seq(1)).unwrap();
    assert!(
        matches!(&entries[..], [(Seq(2), Entry::Lesson(lesson))] if lesson.units.is_empty()),
        "{entries:?}"
    );
}

#[test]
fn one_entry_that_cannot_be_read_stops_its_session_alone() {
    let (store, broken) = store();
    let sound = store.create_session(&new_session("other", 2)).unwrap();
    for session in [broken, sound] {
        let mut work = commit(session, 0);
        work.entries = vec![said("a"), said("a secret"), said("c")];
        store.commit(&work).unwrap();
    }
    let check = |change: &str, words: &str| {
        store
            .write(|tx| {
                Ok(tx.execute(
                    &format!("UPDATE entry SET {change} WHERE session = 1 AND seq = 2"),
                    [],
                )?)
            })
            .unwrap();
        let error = store.entries(broken, Seq(0)).unwrap_err();
        let text = error.to_string();
        assert!(
            matches!(error, StoreError::UnreadableEntry { seq: Seq(2), .. }),
            "{text}"
        );
        assert!(text.contains(words) && !text.contains("secret"), "{text}");
    };
    check(
        "body = '{\"type\":\"Future\",\"value\":\"secret\"}'",
        "not an entry",
    );
    check("format = 99", "newer version");
    assert_eq!(
        store.entries(broken, Seq(2)).unwrap().len(),
        1,
        "what lies behind can be read"
    );
    assert_eq!(store.entries(sound, Seq(0)).unwrap().len(), 3);
    let log = store.log(broken).unwrap();
    assert_eq!(
        log.entries,
        [(Seq(1), said("a"))],
        "as far as it can be read"
    );
    assert!(log.fault.is_some());
    let log = store.log(sound).unwrap();
    assert!(log.entries.len() == 3 && log.fault.is_none());
}

#[test]
fn a_log_with_a_gap_or_without_its_end_says_so() {
    for (gone, n_left) in [(2, 1), (3, 2)] {
        let (store, session) = store();
        let mut work = commit(session, 0);
        work.entries = vec![said("a"), said("b"), said("c")];
        store.commit(&work).unwrap();
        let sql = format!("DELETE FROM entry WHERE seq = {gone}");
        store.write(|tx| Ok(tx.execute(&sql, [])?)).unwrap();
        let log = store.log(session).unwrap();
        assert_eq!(log.entries.len(), n_left);
        let part = store.log_part(session, Seq(0), n_left).unwrap();
        assert!(part.entries == log.entries && part.fault.is_none());
        let part = store.log_part(session, Seq(n_left as u64), 10).unwrap();
        assert!(part.entries.is_empty() && part.fault.is_some());
        let fault = log.fault.expect("a log with a gap has a fault");
        assert!(
            matches!(fault, StoreError::UnreadableEntry { seq, .. } if seq.0 == gone),
            "{fault:?}"
        );
    }
}

#[test]
fn a_source_that_is_not_what_was_read_is_an_error() {
    let (store, session) = store();
    let source = SourceText::new(b"Fill the tank.\n".to_vec());
    let mut work = commit(session, 0);
    work.entries = vec![read("a.md", &source)];
    work.sources = vec![source.clone()];
    store.commit(&work).unwrap();
    store
        .write(|tx| Ok(tx.execute("UPDATE source SET bytes = CAST('x' AS BLOB)", [])?))
        .unwrap();
    let error = store.source(&source.hash).unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::UnreadableRow {
                table: "source",
                ..
            }
        ),
        "{error:?}"
    );
}

#[test]
fn a_fold_skips_what_only_the_window_needs() {
    let raw = Some(RawMessage {
        provider: "p".to_owned(),
        message: serde_json::json!({"role": "assistant"}),
    });
    let answered = |raw| {
        Entry::Message(Message::Assistant {
            text: "Ja.".to_owned(),
            reasoning: None,
            tool_calls: Vec::new(),
            raw,
            usage: Usage::default(),
            asked: None,
        })
    };
    let chunk: Entry = serde_json::from_value(serde_json::json!({"type": "chunk", "value":
        {"path": null, "fromUnit": 1, "toUnit": 0, "memory": [], "matches": []}}))
    .unwrap();
    let (store, session) = store();
    assert_eq!(store.last_window(session).unwrap(), Seq(0));
    let mut work = commit(session, 0);
    work.entries = vec![
        answered(raw.clone()),
        chunk.clone(),
        answered(raw.clone()),
        chunk.clone(),
        answered(raw.clone()),
    ];
    store.commit(&work).unwrap();
    assert_eq!(store.last_window(session).unwrap(), Seq(4));
    let lean = store.fold_part(session, Seq(0), 9, Seq(4)).unwrap();
    assert!(lean.fault.is_none());
    let lean: Vec<Entry> = lean.entries.into_iter().map(|(_, entry)| entry).collect();
    let bare = || answered(None);
    assert_eq!(lean, [bare(), chunk.clone(), bare(), chunk, answered(raw)]);
}

#[test]
fn the_documents_that_were_read_are_known_without_the_log() {
    let (store, session) = store();
    assert_eq!(store.documents_read(session).unwrap(), []);
    let text = |text: &str| SourceText::new(text.as_bytes().to_vec());
    let (first, again, other) = (text("One.\n"), text("Two.\n"), text("Three.\n"));
    let mut work = commit(session, 0);
    work.entries = vec![
        read("b.md", &first),
        said("Go on."),
        read("a.md", &other),
        read("b.md", &again),
    ];
    work.sources = vec![first, again.clone(), other.clone()];
    store.commit(&work).unwrap();
    let found = store.documents_read(session).unwrap();
    let found: Vec<_> = found
        .iter()
        .map(|read| (read.path.as_str(), &read.hash))
        .collect();
    assert_eq!(found, [("b.md", &again.hash), ("a.md", &other.hash)]);
}

#[test]
fn rows_tell_how_far_each_document_is() {
    let (store, session) = store();
    let mut work = commit(session, 0);
    let in_state = |path, number, state| UnitRow {
        state,
        ..unit(path, number, "One.", "Eins.")
    };
    work.units = vec![
        in_state("a.md", 1, UnitState::Approved),
        in_state("a.md", 2, UnitState::Proposed),
        in_state("a.md", 3, UnitState::Rejected),
        in_state("a.md", 4, UnitState::Refined),
        in_state("b.md", 2, UnitState::Approved),
    ];
    store.commit(&work).unwrap();
    let progress = |name, n_confirmed, first_open| Progress {
        path: path(name),
        n_confirmed,
        first_open,
    };
    let expected = [progress("a.md", 2, 3), progress("b.md", 1, 1)];
    assert_eq!(store.progress(session).unwrap(), expected);
}
