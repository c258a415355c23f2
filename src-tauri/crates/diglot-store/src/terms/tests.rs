use std::time::Instant;

use super::*;
use crate::fixture::pair;

fn term(source: &str, target: &str, status: TermStatus) -> TermRow {
    TermRow {
        source: source.to_owned(),
        target: target.to_owned(),
        status,
        updated_at: 1,
        ..TermRow::default()
    }
}

fn targets(store: &Arc<Store>, source: &str) -> Vec<String> {
    let terms = StoreTerms::new(Arc::clone(store), pair("en", "de"));
    let found = terms.find(Format::PlainText, source);
    found.into_iter().map(|entry| entry.target).collect()
}

#[test]
fn terms_are_stored_found_changed_and_deleted() {
    let store = Arc::new(Store::in_memory().unwrap());
    let languages = pair("en", "de");
    let seal = store
        .put_term(&languages, &term("seal", "Dichtung", TermStatus::Preferred))
        .unwrap();
    let ring = store
        .put_term(
            &languages,
            &term("seal ring", "Gummi", TermStatus::Forbidden),
        )
        .unwrap();
    assert_eq!(targets(&store, "Two seals."), ["Dichtung"]);
    assert_eq!(targets(&store, "A seal ring."), ["Dichtung", "Gummi"]);
    assert!(targets(&store, "A ring.").is_empty());
    let changed = TermRow {
        source: "gasket".to_owned(),
        note: "of the head".to_owned(),
        ..seal.clone()
    };
    assert_eq!(store.put_term(&languages, &changed).unwrap(), changed);
    assert!(targets(&store, "Two seals.").is_empty());
    assert_eq!(targets(&store, "Two gaskets."), ["Dichtung"]);
    let page = |query| store.terms(&languages, query, 0, 10).unwrap();
    assert_eq!(page("").rows, [changed.clone(), ring.clone()]);
    assert_eq!(page(" HEAD").rows, std::slice::from_ref(&changed));
    assert_eq!(page("gum").n_rows, 1);
    assert_eq!(page("%").n_rows, 0);
    let second = store.terms(&languages, "", 1, 1).unwrap();
    assert_eq!((second.rows, second.n_rows), (vec![ring.clone()], 2));
    store.delete_term(ring.id).unwrap();
    store.delete_term(ring.id).unwrap();
    assert_eq!(page("").n_rows, 1);
    let gone = store.put_term(&languages, &ring);
    assert!(matches!(gone, Err(StoreError::NoTerm)));
    let empty = store.put_term(&languages, &term("→", "x", TermStatus::Preferred));
    assert!(matches!(empty, Err(StoreError::NoTerm)));
    assert!(page("").rows.iter().all(|row| row.id != ring.id));
    assert_eq!(store.terms(&pair("en", "fr"), "", 0, 10).unwrap().n_rows, 0);
}

#[test]
fn adding_again_changes_only_what_says_something_else() {
    let store = Store::in_memory().unwrap();
    let languages = pair("en", "de");
    let mut terms = vec![
        term("seal", "Dichtung", TermStatus::Preferred),
        term("seal", "Gummi", TermStatus::Forbidden),
    ];
    let added = store.add_terms(&languages, &terms).unwrap();
    assert_eq!((added.n_added, added.n_changed, added.n_same), (2, 0, 0));
    terms[1].status = TermStatus::Admitted;
    terms.push(term("pump", "Pumpe", TermStatus::Preferred));
    let added = store.add_terms(&languages, &terms).unwrap();
    assert_eq!((added.n_added, added.n_changed, added.n_same), (1, 1, 1));
}

#[test]
fn keys_of_another_version_are_made_anew() {
    let store = Arc::new(Store::in_memory().unwrap());
    store
        .put_term(
            &pair("en", "de"),
            &term("seal", "Dichtung", TermStatus::Preferred),
        )
        .unwrap();
    store
        .write(|tx| {
            tx.execute_batch("UPDATE term SET key = 'x'; UPDATE term_keys SET version = 0;")?;
            Ok(())
        })
        .unwrap();
    assert!(targets(&store, "A seal.").is_empty());
    store.renew_term_keys().unwrap();
    assert_eq!(targets(&store, "A seal."), ["Dichtung"]);
}

#[test]
fn a_look_up_costs_no_more_with_many_terms() {
    const SOURCE: &str =
        "Close the valve before the seal of the pump is turned, and wait for the operator's word.";
    let time = |n: usize| {
        let store = Arc::new(Store::in_memory().unwrap());
        let mut terms: Vec<TermRow> = (0..n)
            .map(|number| {
                term(
                    &format!("part {number} seal"),
                    "Teil",
                    TermStatus::Preferred,
                )
            })
            .collect();
        terms.push(term("seal", "Dichtung", TermStatus::Preferred));
        store.add_terms(&pair("en", "de"), &terms).unwrap();
        let mut best = f64::MAX;
        for _ in 0..30 {
            let started = Instant::now();
            assert_eq!(targets(&store, SOURCE), ["Dichtung"]);
            best = best.min(started.elapsed().as_secs_f64());
        }
        best
    };
    let (few, many) = (time(200), time(20_000));
    assert!(many < few * 3.0 + 0.002, "{few} {many}");
}
