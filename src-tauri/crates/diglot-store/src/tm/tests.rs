//! The translation memory: exact, fuzzy, small and large, and what it must not return.

use super::*;
use crate::fixture::{pair, path, tm_pair};

fn store(pairs: &[(&str, &str)]) -> Arc<Store> {
    let store = Store::in_memory().unwrap();
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(source, target)| tm_pair(source, target))
        .collect();
    store.add_pairs(&pairs, 1).unwrap();
    Arc::new(store)
}

fn found(store: &Arc<Store>, source: &str) -> Vec<(u8, String)> {
    StoreMatches::new(Arc::clone(store), pair("en", "de"))
        .find(source)
        .into_iter()
        .map(|found| (found.percent, found.target))
        .collect()
}

fn expect(found: &[(u8, String)], expected: &[(u8, &str)]) {
    let found: Vec<_> = found
        .iter()
        .map(|(percent, text)| (*percent, text.as_str()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn an_exact_match_gives_the_latest_first() {
    let store = store(&[("Open", "Öffnen"), ("Open", "Offen"), ("Open", "Öffnen")]);
    expect(&found(&store, "Open"), &[(100, "Öffnen"), (100, "Offen")]);
}

#[test]
fn blanks_and_the_form_of_accents_do_not_matter_but_case_does() {
    let store = store(&[("Gr\u{f6}\u{df}e  of\nthe tank", "Tankgröße")]);
    expect(
        &found(&store, " Gro\u{308}\u{df}e of the tank"),
        &[(100, "Tankgröße")],
    );
    expect(&found(&store, "Gr\u{f6}\u{df}e of the TANK"), &[]);
}

#[test]
fn fuzzy_matches_come_best_first_and_not_below_75() {
    let store = store(&[
        ("Fill the tank before the first run.", "A"),
        ("Fill the tank before the last run.", "B"),
        ("Fill the pump before every single run.", "C"),
        ("Call the service line.", "D"),
    ]);
    let found = found(&store, "Fill the tank before the first run!");
    let targets: Vec<_> = found.iter().map(|(_, target)| target.as_str()).collect();
    assert_eq!(targets[..2], ["A", "B"]);
    assert!(!targets.contains(&"D"));
    assert!(
        found.iter().all(|(percent, _)| (75..=99).contains(percent)),
        "{found:?}"
    );
}

#[test]
fn a_fuzzy_match_is_never_called_exact() {
    let long = "word ".repeat(60);
    let store = store(&[(&format!("{long}a"), "A")]);
    expect(&found(&store, &format!("{long}b")), &[(99, "A")]);
}

#[test]
fn at_most_five_are_returned() {
    let pairs: Vec<_> = (0..9)
        .map(|n| format!("Fill the tank number {n}."))
        .collect();
    let pairs: Vec<_> = pairs.iter().map(|source| (source.as_str(), "x")).collect();
    assert_eq!(found(&store(&pairs), "Fill the tank number 4.").len(), 5);
}

#[test]
fn languages_do_not_mix() {
    let store = store(&[("Open", "Öffnen")]);
    let french = tm_pair("Open", "Ouvrir");
    store
        .add_pairs(
            &[TmPair {
                languages: pair("en", "fr"),
                ..french
            }],
            2,
        )
        .unwrap();
    expect(&found(&store, "Open"), &[(100, "Öffnen")]);
    assert_eq!(store.find_matches(&pair("fr", "en"), "Open").unwrap(), []);
}

#[test]
fn a_pair_confirmed_again_takes_the_new_context() {
    let store = store(&[("Open", "Öffnen"), ("Close", "Schließen")]);
    let again = TmPair {
        previous: Some("File".to_owned()),
        path: path("menu.md"),
        ..tm_pair("Open", "Öffnen")
    };
    store.add_pairs(std::slice::from_ref(&again), 2).unwrap();
    let all = store.pairs(&pair("en", "de")).unwrap();
    assert_eq!(all, [tm_pair("Close", "Schließen"), again]);
}

/// Enough sources that the index is asked; the text of each is made of its number.
fn large() -> Arc<Store> {
    let word = |n: usize| format!("{}{}", ["ka", "lo", "mi", "nu", "pe"][n % 5], n / 5 % 400);
    let pairs: Vec<_> = (0..6_000)
        .map(|n| {
            let text = format!(
                "The {} of the {} and the {} is {}.",
                word(n),
                word(n * 7 + 3),
                word(n * 13 + 5),
                word(n * 29 + 11)
            );
            tm_pair(&text, &format!("target {n}"))
        })
        .collect();
    let store = Store::in_memory().unwrap();
    store.add_pairs(&pairs, 1).unwrap();
    store
        .add_pairs(
            &[tm_pair(
                "请先打开主机的电源开关",
                "Schalten Sie den Strom ein.",
            )],
            2,
        )
        .unwrap();
    Arc::new(store)
}

#[test]
fn in_a_large_memory_the_index_finds_what_a_scan_finds() {
    let store = large();
    for pair in store.pairs(&pair("en", "de")).unwrap().iter().step_by(97) {
        let asked = format!("{} Now", pair.source);
        let found = store.find_matches(&pair.languages, &asked).unwrap();
        assert_eq!(
            found.first().map(|found| &found.source),
            Some(&pair.source),
            "{asked}"
        );
    }
    let found = found(&store, "请先打开备机的电源开关");
    assert_eq!(found[0].1, "Schalten Sie den Strom ein.");
}

#[test]
fn text_that_looks_like_a_query_is_only_text() {
    let store = large();
    for text in [
        "\"",
        "NEAR(a b)",
        "a* OR b",
        "terms:x",
        "-",
        "",
        "\0",
        "1 2 3",
    ] {
        assert_eq!(found(&store, text), [], "{text:?}");
    }
}

#[test]
fn a_pair_goes_with_its_last_confirmation() {
    let store = store(&[
        ("Fill the tank.", "Tank füllen."),
        ("Fill the tank.", "Tank füllen."),
        ("Fill the tanks.", "Tanks füllen."),
    ]);
    let withdraw = |source: &str, target: &str| {
        let pairs = [tm_pair(source, target)];
        store.write(|tx| withdraw(tx, &pairs)).unwrap();
    };
    withdraw("Fill the tank.", "Tank füllen.");
    assert_eq!(found(&store, "Fill the tank.")[0].1, "Tank füllen.");
    withdraw("Fill the tank.", "Tank füllen.");
    withdraw("Fill the tank.", "Nobody said so.");
    expect(&found(&store, "Fill the tank."), &[(96, "Tanks füllen.")]);
    withdraw("Fill the tanks.", "Tanks füllen.");
    expect(&found(&store, "Fill the tank."), &[]);
    let counts = |sql: &str| {
        let count = |tx: &Transaction<'_>| Ok(tx.query_row(sql, [], |row| row.get::<_, i64>(0))?);
        store.write(count).unwrap()
    };
    assert_eq!(counts("SELECT n_sources FROM language_pair"), 0);
    assert_eq!(counts("SELECT coalesce(max(n), 0) FROM tm_term"), 0);
    // It can come back.
    store
        .add_pairs(&[tm_pair("Fill the tank.", "Neu.")], 2)
        .unwrap();
    expect(&found(&store, "Fill the tank."), &[(100, "Neu.")]);
}

#[test]
fn in_a_large_memory_what_is_withdrawn_is_not_found_by_its_terms() {
    let many: Vec<TmPair> = (0..2_100)
        .map(|n| tm_pair(&format!("Part number {n} of the gearbox."), "Teil."))
        .collect();
    let store = store(&[("Drain the hydraulic oil.", "Öl ablassen.")]);
    store.add_pairs(&many, 1).unwrap();
    let source = "Drain the hydraulic oils.";
    assert_eq!(found(&store, source)[0].1, "Öl ablassen.");
    let pairs = [tm_pair("Drain the hydraulic oil.", "Öl ablassen.")];
    store.write(|tx| withdraw(tx, &pairs)).unwrap();
    expect(&found(&store, source), &[]);
}
