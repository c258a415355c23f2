use diglot_document::LanguageTag;

use super::*;
use crate::memory::{MemoryId, MemoryItem, MemoryState};

struct Base(Vec<TermEntry>);

impl Terms for Base {
    fn find(&self, _format: Format, _source: &str) -> Vec<TermEntry> {
        self.0.clone()
    }

    fn is_waived(&self, source: &str, _fingerprint: &str) -> bool {
        source.contains("waived")
    }
}

fn entry(source: &str, target: &str, status: TermStatus) -> TermEntry {
    TermEntry {
        source: source.to_owned(),
        target: target.to_owned(),
        status,
        note: String::new(),
    }
}

fn languages() -> LanguagePair {
    let tag = |text| LanguageTag::parse(text).unwrap();
    LanguagePair {
        source: tag("en"),
        target: tag("de"),
    }
}

fn learnt(id: i64, source: &str, target: &str, state: MemoryState) -> MemoryItem {
    MemoryItem {
        id: MemoryId(id),
        text: format!("{source} is {target}"),
        term: Some(Term {
            source: source.to_owned(),
            target: target.to_owned(),
        }),
        state,
        ..MemoryItem::by_hand(MemoryKind::Terminology, languages())
    }
}

#[test]
fn what_was_learnt_and_is_active_counts_beside_the_termbase() {
    let memory = Memory {
        items: vec![
            learnt(1, "pump", "Pumpe", MemoryState::Active),
            learnt(2, "seal", "dichtung", MemoryState::Active),
            learnt(3, "valve", "Ventil", MemoryState::Suggested),
        ],
        next_id: 4,
    };
    let base = Base(vec![
        entry("seal", "Dichtung", TermStatus::Preferred),
        entry("wheel", "Rad", TermStatus::Preferred),
    ]);
    let languages = languages();
    let glossary = Glossary::new(&base, &memory, &languages);
    let found = glossary.find(Format::PlainText, "The pumps, a seal and a valve.");
    assert_eq!(
        found.entries,
        [
            entry("pump", "Pumpe", TermStatus::Preferred),
            entry("seal", "Dichtung", TermStatus::Preferred),
        ]
    );
    assert!(found.waived.is_empty());
    let found = glossary.find(Format::PlainText, "A seal that was waived.");
    assert_eq!(found.waived.len(), 1);
}

#[test]
fn a_line_tells_what_a_term_is_may_be_and_must_not_be() {
    let mut noted = entry("Seal", "Dichtung", TermStatus::Preferred);
    "of shafts".clone_into(&mut noted.note);
    let lines = term_lines(&[
        noted,
        entry("pump", "Pumpe", TermStatus::Preferred),
        entry("seal", "Dichtring", TermStatus::Admitted),
        entry("seal", "Gummi", TermStatus::Forbidden),
        entry("valve", "Klappe", TermStatus::Forbidden),
    ]);
    assert_eq!(
        lines,
        [
            "- Seal => Dichtung (also: Dichtring) (never: Gummi); of shafts",
            "- pump => Pumpe",
            "- valve (never: Klappe)",
        ]
    );
}
