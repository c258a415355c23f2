//! Sessions: every method, the order and search of the list, rows that cannot be read.

use diglot_agent::{Seq, SessionId, SourceText};
use serde_json::json;

use super::*;
use crate::fixture::{commit, new_session, pair, read, said, store, tm_pair, unit};

fn titles(page: &Page<SessionRow>) -> Vec<&str> {
    page.rows.iter().map(|row| row.title.as_str()).collect()
}

#[test]
fn a_new_session_is_what_was_given() {
    let (store, id) = store();
    let expected = SessionRow {
        id,
        title: "guide".to_owned(),
        folder: "/books/guide".to_owned(),
        target_folder: "/books/guide-de".to_owned(),
        languages: pair("en", "de"),
        instructions: String::new(),
        settings: json!({}),
        attempt: None,
        seq: Seq(0),
        counts: SessionCounts::default(),
        created_at: 1,
        updated_at: 1,
        damage: None,
    };
    assert_eq!(store.session(id).unwrap(), expected);
}

#[test]
fn what_a_person_sets_is_kept() {
    let (store, id) = store();
    let attempt = Attempt {
        error: json!({ "code": "x" }),
        try_again_at: Some(9),
        n_tries: 2,
        at: 7,
    };
    store.rename_session(id, "Handbuch").unwrap();
    store.set_languages(id, &pair("fr", "pt-BR")).unwrap();
    store.set_instructions(id, "Be brief.").unwrap();
    store
        .set_session_settings(id, &json!({ "lookAhead": 2 }))
        .unwrap();
    store.set_attempt(id, Some(&attempt)).unwrap();
    let row = store.session(id).unwrap();
    let found = (
        row.title,
        row.languages,
        row.instructions,
        row.settings,
        row.attempt,
    );
    let expected = (
        "Handbuch".to_owned(),
        pair("fr", "pt-BR"),
        "Be brief.".to_owned(),
        json!({ "lookAhead": 2 }),
        Some(attempt),
    );
    assert_eq!(found, expected);
    store.set_attempt(id, None).unwrap();
    assert_eq!(store.session(id).unwrap().attempt, None);
    store.set_tokens(id, 70).unwrap();
    assert_eq!(store.session(id).unwrap().counts.n_tokens, 70);
}

#[test]
fn a_session_that_is_not_there_is_an_error_everywhere() {
    let (store, _) = store();
    let gone = SessionId(99);
    let errors = [
        store.session(gone).unwrap_err(),
        store.rename_session(gone, "x").unwrap_err(),
        store.set_session_settings(gone, &json!(1)).unwrap_err(),
        store.set_attempt(gone, None).unwrap_err(),
        store.delete_session(gone).unwrap_err(),
        store.entries(gone, Seq(0)).unwrap_err(),
        store.commit(&commit(gone, 0)).unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, StoreError::SessionNotFound { session } if session == gone));
    }
}

#[test]
fn the_list_has_the_last_worked_on_first_and_comes_in_pages() {
    let store = Store::in_memory().unwrap();
    for (title, at) in [("a", 30), ("b", 10), ("c", 20), ("d", 20)] {
        store.create_session(&new_session(title, at)).unwrap();
    }
    let page = store.sessions(None, 0, 3).unwrap();
    assert_eq!((titles(&page), page.n_total), (vec!["a", "d", "c"], 4));
    let page = store.sessions(Some("  "), 3, 3).unwrap();
    assert_eq!((titles(&page), page.n_total), (vec!["b"], 4));
    store
        .commit(&crate::fixture::commit(SessionId(2), 0))
        .unwrap();
    assert_eq!(store.session(SessionId(2)).unwrap().updated_at, 10);
}

#[test]
fn the_list_is_searched_in_titles_folders_languages_and_units_in_any_case() {
    let store = Store::in_memory().unwrap();
    let guide = store.create_session(&new_session("Über uns", 1)).unwrap();
    let other = NewSession {
        languages: pair("en", "zh-Hant"),
        ..new_session("100%_done", 2)
    };
    store.create_session(&other).unwrap();
    let mut work = commit(guide, 0);
    work.units = vec![unit("a.md", 1, "Fill the tank.", "Залейте БАК.")];
    store.commit(&work).unwrap();
    let check = |query: &str, expected: &[&str]| {
        assert_eq!(
            titles(&store.sessions(Some(query), 0, 9).unwrap()),
            expected,
            "{query}"
        );
    };
    check("ÜBER", &["Über uns"]);
    check("/books/100", &["100%_done"]);
    check("zh-hant", &["100%_done"]);
    check("THE TANK", &["Über uns"]);
    check("залейте бак", &["Über uns"]);
    check("%_", &["100%_done"]);
    check("nothing", &[]);
}

#[test]
fn a_folder_and_language_finds_the_session_last_worked_on() {
    let store = Store::in_memory().unwrap();
    let first = store.create_session(&new_session("guide", 5)).unwrap();
    store.create_session(&new_session("guide", 3)).unwrap();
    let found = |folder, language| {
        let language = LanguageTag::parse(language).unwrap();
        store
            .find_session(folder, &language)
            .unwrap()
            .map(|row| row.id)
    };
    assert_eq!(found("/books/guide", "de"), Some(first));
    assert_eq!(found("/books/guide", "fr"), None);
    assert_eq!(found("/books/guid", "de"), None);
}

#[test]
fn deleting_takes_the_log_units_and_unshared_sources_and_keeps_what_was_learnt() {
    let (store, first) = store();
    let second = store.create_session(&new_session("other", 2)).unwrap();
    let (own, shared) = (
        SourceText::new(b"own".to_vec()),
        SourceText::new(b"shared".to_vec()),
    );
    let mut work = commit(first, 0);
    work.entries = vec![said("hello"), read("a.md", &own), read("b.md", &shared)];
    work.sources = vec![own.clone(), shared.clone()];
    work.units = vec![unit("a.md", 1, "Own.", "Eigen.")];
    work.pairs = vec![tm_pair("Own.", "Eigen.")];
    store.commit(&work).unwrap();
    let mut work = commit(second, 0);
    work.entries = vec![read("b.md", &shared)];
    store.commit(&work).unwrap();

    store.delete_session(first).unwrap();
    assert!(store.all_units(first).unwrap().is_empty());
    assert_eq!(store.source(&own.hash).unwrap(), None);
    assert_eq!(store.source(&shared.hash).unwrap(), Some(shared));
    assert_eq!(
        store.find_matches(&pair("en", "de"), "Own.").unwrap().len(),
        1
    );
    let count = |connection: &Connection| {
        Ok(connection.query_row("SELECT count(*) FROM entry", [], |row| row.get(0))?)
    };
    let n: i64 = store.read(count).unwrap();
    assert_eq!(n, 1, "the other session's entry alone");
    assert_ne!(store.create_session(&new_session("new", 3)).unwrap(), first);
}

#[test]
fn one_row_that_cannot_be_read_hides_no_other() {
    let (store, first) = store();
    let second = store.create_session(&new_session("other", 2)).unwrap();
    let break_it = |column: &'static str, value: &'static str| {
        let sql = format!("UPDATE session SET {column} = ?1 WHERE id = ?2");
        store
            .write(|tx| Ok(tx.execute(&sql, params![value, first.0])?))
            .unwrap();
    };
    break_it("settings", "{");
    let page = store.sessions(None, 0, 9).unwrap();
    assert_eq!(
        (titles(&page), page.n_unreadable),
        (vec!["other", "guide"], 0)
    );
    assert_eq!(page.rows[0].damage, None);
    let damage = page.rows[1].damage.clone().expect("the broken row says so");
    assert!(damage.contains("session"), "{damage}");
    break_it("source_language", "???");
    let page = store.sessions(None, 0, 9).unwrap();
    assert_eq!(
        (titles(&page), page.n_total, page.n_unreadable),
        (vec!["other"], 2, 1)
    );
    let error = store.session(first).unwrap_err();
    assert!(matches!(
        error,
        StoreError::UnreadableRow {
            table: "session",
            ..
        }
    ));
    store.session(second).unwrap();
}

#[test]
fn sessions_of_a_folder_are_those_of_no_other() {
    let store = Store::in_memory().unwrap();
    let first = store.create_session(&new_session("guide", 1)).unwrap();
    let second = store.create_session(&new_session("guide", 2)).unwrap();
    store.create_session(&new_session("guide two", 3)).unwrap();
    let found = store.sessions_of("/books/guide").unwrap();
    let ids: Vec<_> = found.iter().map(|row| row.id).collect();
    assert_eq!(ids, [second, first]);
}
