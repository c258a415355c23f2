//! Memory: order, ids that are never given twice, and items that would overwrite others.

use diglot_agent::memory::{MemoryState, Scope};

use super::*;
use crate::fixture::{item, pair};

#[test]
fn items_come_in_order_of_id_for_their_language_pair() {
    let store = Store::in_memory().unwrap();
    let german = [
        item(1, "Use Sie.", "call00001"),
        item(3, "Be brief.", "call00003"),
    ];
    let french = MemoryItem {
        languages: pair("en", "fr"),
        ..item(2, "Vous.", "call00002")
    };
    for item in [&german[1], &french, &german[0]] {
        store.put_memory(item).unwrap();
    }
    let memory = store.memory(&pair("en", "de"), "/home/a").unwrap();
    assert_eq!(
        (memory.items.as_slice(), memory.next_id),
        (german.as_slice(), 4)
    );
    assert_eq!(
        store.memory(&pair("en", "fr"), "/home/a").unwrap().items,
        [french]
    );
    let empty = store.memory(&pair("de", "en"), "/home/a").unwrap();
    assert_eq!((empty.items.len(), empty.next_id), (0, 4));
}

#[test]
fn ids_are_not_given_again_after_a_deletion() {
    let store = Store::in_memory().unwrap();
    let first = store.add_memory(&item(0, "One.", "call00001")).unwrap();
    let second = store.add_memory(&item(0, "Two.", "call00002")).unwrap();
    assert_eq!((first.id, second.id), (MemoryId(1), MemoryId(2)));
    store.delete_memory(second.id).unwrap();
    store.delete_memory(second.id).unwrap();
    assert_eq!(
        store.memory(&pair("en", "de"), "/home/a").unwrap().next_id,
        3
    );
    assert_eq!(
        store
            .add_memory(&item(0, "Three.", "call00003"))
            .unwrap()
            .id,
        MemoryId(3)
    );
}

#[test]
fn a_changed_item_replaces_itself() {
    let store = Store::in_memory().unwrap();
    store.put_memory(&item(1, "Use Sie.", "call00001")).unwrap();
    let mut changed = item(1, "Use Sie, always.", "call00001");
    changed.evidence.extend(item(1, "", "call00009").evidence);
    changed.state = MemoryState::Active;
    store.put_memory(&changed).unwrap();
    assert_eq!(
        store.memory(&pair("en", "de"), "/home/a").unwrap().items,
        [changed]
    );
}

#[test]
fn an_item_learnt_at_the_same_time_overwrites_no_other() {
    let store = Store::in_memory().unwrap();
    let written = MemoryItem {
        evidence: Vec::new(),
        state: MemoryState::Active,
        ..item(0, "By hand.", "unused")
    };
    store.put_memory(&item(1, "Use Sie.", "call00001")).unwrap();
    let written = store.add_memory(&written).unwrap();
    let refused = [
        item(1, "Another decision.", "call00002"),
        MemoryItem {
            languages: pair("en", "fr"),
            ..item(1, "Use Sie.", "call00001")
        },
        item(written.id.0, "Learnt beside it.", "call00003"),
    ];
    for item in refused {
        let error = store.put_memory(&item).unwrap_err();
        assert!(
            matches!(error, StoreError::MemoryTaken { id } if id == item.id),
            "{error:?}"
        );
    }
    let mut taught = written.clone();
    taught.evidence.extend(item(0, "", "call00004").evidence);
    store.put_memory(&taught).unwrap();
    assert_eq!(
        store.memory(&pair("en", "de"), "/home/a").unwrap().items[1],
        taught
    );
}

#[test]
fn one_item_that_cannot_be_read_hides_no_other() {
    let store = Store::in_memory().unwrap();
    for id in 1..=3 {
        store
            .put_memory(&item(id, "Text.", &format!("call0000{id}")))
            .unwrap();
    }
    store
        .write(|tx| Ok(tx.execute("UPDATE memory SET body = '[]' WHERE id = 2", [])?))
        .unwrap();
    let ids: Vec<_> = store
        .memory(&pair("en", "de"), "/home/a")
        .unwrap()
        .items
        .iter()
        .map(|item| item.id.0)
        .collect();
    assert_eq!(ids, [1, 3]);
}

#[test]
fn an_item_whose_first_evidence_was_taken_back_is_the_same_item() {
    let store = Store::in_memory().unwrap();
    let mut both = item(1, "Use Sie.", "call00001");
    both.evidence.extend(item(1, "", "call00002").evidence);
    store.put_memory(&both).unwrap();
    let second = item(1, "Use Sie.", "call00002");
    store.put_memory(&second).unwrap();
    let memory = store.memory(&pair("en", "de"), "/home/a").unwrap();
    assert_eq!(memory.items, [second]);
}

#[test]
fn an_item_holds_where_its_scope_says() {
    let store = Store::in_memory().unwrap();
    let of = |id: i64, scope: Scope| MemoryItem {
        scope,
        ..item(id, "Text.", &format!("call0000{id}"))
    };
    let project = |folder: &str| Scope::Project {
        folder: folder.to_owned(),
    };
    for item in [
        of(1, Scope::Languages),
        of(2, project("/home/a")),
        of(3, project("/home/b")),
        of(4, Scope::All),
    ] {
        store.put_memory(&item).unwrap();
    }
    for (languages, folder, expected) in [
        (pair("en", "de"), "/home/a", vec![1, 2, 4]),
        (pair("en", "de"), "/home/b", vec![1, 3, 4]),
        (pair("en", "de"), "/home/c", vec![1, 4]),
        (pair("en", "pt"), "/home/a", vec![4]),
    ] {
        let memory = store.memory(&languages, folder).unwrap();
        let ids: Vec<i64> = memory.items.iter().map(|item| item.id.0).collect();
        assert_eq!(ids, expected, "{folder}");
    }
    // A changed scope is stored as well.
    store.put_memory(&of(4, Scope::Languages)).unwrap();
    let memory = store.memory(&pair("en", "pt"), "/home/a").unwrap();
    assert_eq!(memory.items, []);
}
