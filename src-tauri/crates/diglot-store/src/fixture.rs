//! Values that the store's tests are made of.

use diglot_agent::copilot::DecisionMode;
use diglot_agent::entry::SourceRead;
use diglot_agent::memory::{Evidence, MemoryId, MemoryItem, MemoryKind, MemoryState};
use diglot_agent::store::{Commit, SessionCounts, TmPair, UnitRow};
use diglot_agent::{CallId, Entry, Message, ProjectPath, Seq, SessionId, SourceText};
use diglot_document::{LanguagePair, LanguageTag, Origin, Rules, UnitState};
use serde_json::json;

use crate::{NewSession, Store};

/// A time at which files are opened.
pub(crate) const NOW: i64 = 1_796_065_375_123;

pub(crate) fn pair(source: &str, target: &str) -> LanguagePair {
    let tag = |text| LanguageTag::parse(text).unwrap();
    LanguagePair {
        source: tag(source),
        target: tag(target),
    }
}

pub(crate) fn new_session(title: &str, at: i64) -> NewSession {
    NewSession {
        title: title.to_owned(),
        folder: format!("/books/{title}"),
        target_folder: format!("/books/{title}-de"),
        languages: pair("en", "de"),
        instructions: String::new(),
        settings: json!({}),
        at,
    }
}

/// A store with one session.
pub(crate) fn store() -> (Store, SessionId) {
    let store = Store::in_memory().unwrap();
    let session = store.create_session(&new_session("guide", 1)).unwrap();
    (store, session)
}

pub(crate) fn commit(session: SessionId, expected: u64) -> Commit {
    Commit {
        session,
        expected: Seq(expected),
        entries: Vec::new(),
        sources: Vec::new(),
        units: Vec::new(),
        counts: SessionCounts::default(),
        pairs: Vec::new(),
        withdrawn: Vec::new(),
        memory: Vec::new(),
        forgotten: Vec::new(),
        at: 10,
    }
}

pub(crate) fn said(text: &str) -> Entry {
    Entry::Message(Message::User {
        text: text.to_owned(),
    })
}

pub(crate) fn path(text: &str) -> ProjectPath {
    ProjectPath::parse(text).unwrap()
}

pub(crate) fn read(name: &str, source: &SourceText) -> Entry {
    Entry::SourceRead(SourceRead {
        path: path(name),
        hash: source.hash.clone(),
        encoding: None,
        rules: Rules::default(),
    })
}

pub(crate) fn unit(name: &str, unit: usize, source: &str, target: &str) -> UnitRow {
    UnitRow {
        path: path(name),
        unit,
        source: source.to_owned(),
        target: target.to_owned(),
        state: UnitState::Approved,
        origin: Origin::Model,
        mode: DecisionMode::Single,
        revised: false,
    }
}

pub(crate) fn tm_pair(source: &str, target: &str) -> TmPair {
    TmPair {
        languages: pair("en", "de"),
        source: source.to_owned(),
        target: target.to_owned(),
        previous: None,
        next: None,
        path: path("guide.md"),
    }
}

/// An item that the decision on `call` taught.
pub(crate) fn item(id: i64, text: &str, call: &str) -> MemoryItem {
    let evidence = Evidence {
        session: SessionId(1),
        call_id: CallId::from_text(call),
        source: "Fill the tank.".to_owned(),
        draft: "Fülle den Tank.".to_owned(),
        target: Some("Füllen Sie den Tank.".to_owned()),
        reason: None,
        at: 5,
        fault: None,
        marked: None,
    };
    MemoryItem {
        id: MemoryId(id),
        text: text.to_owned(),
        state: MemoryState::Suggested,
        evidence: vec![evidence],
        updated_at: 5,
        ..MemoryItem::by_hand(MemoryKind::Style, pair("en", "de"))
    }
}
