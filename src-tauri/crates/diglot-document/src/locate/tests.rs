//! Tests of locating: the order of SPEC 3 and each refusal.

use super::*;
use crate::{SegmentKind, Span};

/// One letter a unit: `o` open, `r` open after a rejection, `p` proposed, `c` confirmed.
struct States(&'static str);

impl States {
    fn at(&self, ordinal: usize) -> Option<char> {
        self.0.chars().nth(ordinal)
    }
}

impl UnitStates for States {
    fn is_confirmed(&self, ordinal: usize) -> bool {
        self.at(ordinal) == Some('c')
    }
    fn is_open(&self, ordinal: usize) -> bool {
        matches!(self.at(ordinal), Some('o' | 'r'))
    }
    fn next_open(&self) -> Option<usize> {
        self.0.find(['o', 'r'])
    }
    fn first_never_proposed(&self) -> Option<usize> {
        self.0.find('o')
    }
}

fn segments(sources: &[&str]) -> Vec<Segment> {
    sources
        .iter()
        .enumerate()
        .map(|(ordinal, source)| Segment {
            ordinal,
            span: Span { start: 0, end: 0 },
            kind: SegmentKind::Paragraph,
            source: (*source).to_owned(),
            continuations: Vec::new(),
            hints: std::sync::Arc::default(),
        })
        .collect()
}

fn check(sources: &[&str], states: &'static str, quote: &str, expected: Result<Location, Refusal>) {
    let found = locate(&segments(sources), &States(states), None, Some(quote));
    assert_eq!(found, expected, "{quote:?} in {sources:?} with {states}");
}

fn check_number(
    sources: &[&str],
    states: &'static str,
    (number, quote): (usize, Option<&str>),
    expected: Result<Location, Refusal>,
) {
    let found = locate(&segments(sources), &States(states), Some(number), quote);
    assert_eq!(
        found, expected,
        "{number} {quote:?} in {sources:?} with {states}"
    );
}

const MANUAL: [&str; 3] = [
    "Fill the tank before the first run.",
    "Do not run the pump dry.",
    "Call the service line if the red lamp stays on.",
];

#[test]
fn repeated_paragraphs_are_taken_in_order() {
    let units = [
        "Open the cover.",
        "Press OK.",
        "Turn the key.",
        "Press OK.",
        "Close the cover.",
        "Press OK.",
    ];
    check(&units, "cooooo", "Press OK.", Ok(Location::Found(1)));
    check(&units, "cccooo", "Press OK.", Ok(Location::Found(3)));
    check(&units, "cccpco", "Press OK.", Ok(Location::Found(5)));
    check(
        &units,
        "cccccc",
        "Press OK.",
        Err(Refusal::AlreadyConfirmed(1)),
    );
}

#[test]
fn a_part_of_an_earlier_paragraph_is_its_own_unit() {
    let units = [
        "Filter the water, then clean the Filter housing.",
        "Filter",
        "Filters",
    ];
    check(&units, "coo", "Filter", Ok(Location::Found(1)));
    check(&units, "ooo", "Filter", Ok(Location::Skip(1)));
    check(&units, "cco", "Filters", Ok(Location::Found(2)));
    check(
        &["Menu", "File", "Menu File"],
        "coo",
        "File",
        Ok(Location::Found(1)),
    );
}

#[test]
fn a_passed_over_unit_makes_a_skip_but_a_rejected_one_does_not() {
    check(&MANUAL, "coo", MANUAL[2], Ok(Location::Skip(2)));
    check(&MANUAL, "cro", MANUAL[2], Ok(Location::Found(2)));
    check(&MANUAL, "cpo", MANUAL[2], Ok(Location::Found(2)));
    check(&MANUAL, "rco", MANUAL[0], Ok(Location::Found(0)));
}

#[test]
fn a_closed_unit_is_no_candidate() {
    check(&MANUAL, "coo", MANUAL[0], Err(Refusal::AlreadyConfirmed(0)));
    check(&MANUAL, "poo", MANUAL[0], Err(Refusal::AlreadyProposed(0)));
    check_number(&MANUAL, "coo", (1, None), Err(Refusal::AlreadyConfirmed(0)));
    check_number(&MANUAL, "poo", (1, None), Err(Refusal::AlreadyProposed(0)));
}

#[test]
fn a_paraphrase_or_an_invention_is_not_found() {
    check(
        &MANUAL,
        "ooo",
        "Please fill up the tank before you run it for the first time.",
        Err(Refusal::NotFound),
    );
    check(
        &MANUAL,
        "ooo",
        "The warranty ends after two years.",
        Err(Refusal::NotFound),
    );
    check(
        &MANUAL,
        "ooo",
        "Fill the tank before the first run!",
        Err(Refusal::NotFound),
    );
}

#[test]
fn typography_of_a_quote_does_not_matter() {
    let units = ["“Don’t run it dry” – that’s the rule… always.", "End…"];
    check(
        &units,
        "oo",
        "\"Don't run it dry\" - that's the rule... always.",
        Ok(Location::Found(0)),
    );
    check(&units, "co", "End...", Ok(Location::Found(1)));
    check(
        &["Der Pru\u{308}fer misst die Gro\u{308}ße."],
        "o",
        "Der Prüfer misst die Größe.",
        Ok(Location::Found(0)),
    );
    check(&["one\ntwo"], "o", "one\r\ntwo", Ok(Location::Found(0)));
}

#[test]
fn twins_that_differ_in_invisible_characters_are_taken_in_order() {
    let units = [
        "Pressure: 12\u{A0}bar at 20\u{A0}°C in the main\u{AD}line.",
        "Pressure: 12 bar at 20 °C in the\u{200B} main\u{AD}line.",
    ];
    let quote = "Pressure: 12 bar at 20 °C in the mainline.";
    check(&units, "oo", quote, Ok(Location::Found(0)));
    check(&units, "co", quote, Ok(Location::Found(1)));
    check(&units, "cc", quote, Err(Refusal::AlreadyConfirmed(0)));
}

#[test]
fn blanks_tell_units_apart_only_when_they_are_exact() {
    let units = ["intro", "two words", "two  words", "two\twords"];
    check(&units, "cooo", "two  words", Ok(Location::Skip(2)));
    check(&units, "cooo", " two words ", Ok(Location::Found(1)));
    check(&units, "oooo", " two words ", Err(Refusal::NotFound));
}

#[test]
fn a_quote_of_the_wrong_size_says_so() {
    check(
        &MANUAL,
        "ooo",
        "before the first run",
        Err(Refusal::Part(0)),
    );
    check(&MANUAL, "ooo", "the red lamp", Err(Refusal::Part(2)));
    check(&MANUAL, "ooo", "the", Err(Refusal::Part(0)));
    check(&MANUAL, "coo", "on", Err(Refusal::NotFound));
    check(
        &MANUAL,
        "ooo",
        "Fill the tank before the first run.\n\nDo not run the pump dry.",
        Err(Refusal::Several(0)),
    );
}

#[test]
fn a_number_alone_is_enough() {
    check_number(&MANUAL, "ooo", (1, None), Ok(Location::Found(0)));
    check_number(&MANUAL, "ooo", (3, None), Ok(Location::Skip(2)));
    check_number(&MANUAL, "ppo", (3, Some("  ")), Ok(Location::Found(2)));
    check_number(&MANUAL, "ooo", (0, None), Err(Refusal::NoSuchUnit));
    check_number(&MANUAL, "ooo", (4, None), Err(Refusal::NoSuchUnit));
}

#[test]
fn number_and_quote_must_agree() {
    check_number(
        &MANUAL,
        "ooo",
        (1, Some("Fill the tank\nbefore the first run.")),
        Ok(Location::Found(0)),
    );
    check_number(
        &MANUAL,
        "ooo",
        (1, Some(MANUAL[1])),
        Err(Refusal::Mismatch(0)),
    );
    check_number(
        &MANUAL,
        "coo",
        (1, Some(MANUAL[1])),
        Err(Refusal::Mismatch(0)),
    );
}

#[test]
fn nothing_given_finds_nothing() {
    let found = locate(&segments(&MANUAL), &States("ooo"), None, Some(" \n"));
    assert_eq!(found, Err(Refusal::NotFound));
}

#[test]
fn normal_text_is_stable() {
    let once = normalize("  „Quote“\u{A0}–\r\n\u{FEFF}e\u{301}… ");
    assert_eq!(once, "\"Quote\" - é...");
    assert_eq!(normalize(&once), once);
}
