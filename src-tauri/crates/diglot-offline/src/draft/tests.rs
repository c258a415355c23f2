//! Which draft is proposed.

use std::slice::from_ref;

use diglot_agent::workspace::ProjectPath;

use super::*;
use crate::fake::{WordByWord, found, pair};

fn unit(source: &str) -> OpenUnit {
    OpenUnit {
        path: ProjectPath::parse("guide.md").unwrap(),
        unit: 1,
        source: source.to_owned(),
        repeat: None,
        rejected: None,
    }
}

fn engine() -> WordByWord {
    WordByWord::new(&[
        ("Open", "Abra"),
        ("the", "o"),
        ("file", "arquivo"),
        ("twice", "duas vezes"),
    ])
}

fn draft(
    unit: &OpenUnit,
    matches: &[TmMatch],
    drafter: Option<&WordByWord>,
) -> Option<(String, Origin)> {
    draft_with(unit, matches, drafter, &[])
}

fn draft_with(
    unit: &OpenUnit,
    matches: &[TmMatch],
    drafter: Option<&WordByWord>,
    terms: &[(String, String)],
) -> Option<(String, Origin)> {
    let languages = pair("en", "pt");
    let drafter = drafter.map(|drafter| drafter as &dyn Drafter);
    let drafted = Drafting {
        languages: &languages,
        terms,
        drafter,
    }
    .draft(unit, matches);
    drafted.map(|draft| (draft.text, draft.origin))
}

fn of(text: &str, origin: Origin) -> (String, Origin) {
    (text.to_owned(), origin)
}

#[test]
fn sources_of_drafts_have_an_order() {
    let mut repeated = unit("Open the file");
    repeated.repeat = Some("Repetido".to_owned());
    let plain = unit("Open the file");
    let (exact, close, far) = (found(100, "Exato"), found(92, "Perto"), found(80, "Longe"));
    let all = [exact, close.clone(), far.clone()];
    let engine = engine();
    assert_eq!(
        draft(&repeated, &all, Some(&engine)),
        Some(of("Repetido", Origin::ExactMatch))
    );
    assert_eq!(
        draft(&plain, &all, Some(&engine)),
        Some(of("Exato", Origin::ExactMatch))
    );
    assert_eq!(
        draft(&plain, &[close, far.clone()], Some(&engine)),
        Some(of("Perto", Origin::FuzzyMatch))
    );
    assert_eq!(
        draft(&plain, from_ref(&far), Some(&engine)),
        Some(of("Abra o arquivo", Origin::Engine))
    );
    assert_eq!(
        draft(&plain, &[far], None),
        Some(of("Longe", Origin::FuzzyMatch))
    );
    assert_eq!(draft(&plain, &[], None), None);
}

#[test]
fn what_was_rejected_is_not_proposed_again() {
    let mut unit = unit("Open the file");
    unit.repeat = Some("Repetido".to_owned());
    unit.rejected = Some("Repetido".to_owned());
    let engine = engine();
    assert_eq!(
        draft(&unit, &[found(100, "Exato")], None),
        Some(of("Exato", Origin::ExactMatch))
    );
    assert_eq!(
        draft(&unit, &[], Some(&engine)),
        Some(of("Abra o arquivo", Origin::Engine))
    );
    unit.rejected = Some("Abra o arquivo".to_owned());
    unit.repeat = None;
    assert_eq!(draft(&unit, &[], Some(&engine)), None);
    assert_eq!(
        draft(&unit, &[found(80, "Longe")], Some(&engine)),
        Some(of("Longe", Origin::FuzzyMatch))
    );
}

#[test]
fn a_fuzzy_match_that_loses_code_is_passed_over() {
    let unit = unit("Open `a` twice");
    let matches = [found(95, "Abra `b` já"), found(90, "Abra `a` já")];
    assert_eq!(
        draft(&unit, &matches, None),
        Some(of("Abra `a` já", Origin::FuzzyMatch))
    );
    assert_eq!(draft(&unit, &matches[..1], None), None);
}

#[test]
fn terms_that_the_engine_misses_are_put_in() {
    let terms = [
        ("file".to_owned(), "ficheiro".to_owned()),
        ("twice".to_owned(), "duas vezes".to_owned()),
    ];
    let engine = engine();
    let drafted = draft_with(&unit("Open the file twice"), &[], Some(&engine), &terms);
    assert_eq!(
        drafted,
        Some(of("Abra o ficheiro duas vezes", Origin::Engine))
    );
}

#[test]
fn an_engine_that_loses_everything_still_loses_no_markup() {
    let careless = WordByWord {
        is_careless: true,
        ..engine()
    };
    let drafted = draft(&unit("Open **the** `x` file"), &[], Some(&careless));
    assert_eq!(drafted, Some(of("Abra **o** `x` arquivo", Origin::Engine)));
}

#[test]
fn numbers_that_the_engine_changes_are_held() {
    let engine = WordByWord::new(&[("Open", "Abra"), ("12", "13")]);
    assert_eq!(
        draft(&unit("Open 12 times"), &[], Some(&engine)),
        Some(of("Abra 12 times", Origin::Engine))
    );
}

#[test]
fn what_is_only_code_is_its_own_translation() {
    assert_eq!(
        draft(&unit("`cargo run`"), &[], Some(&engine())),
        Some(of("`cargo run`", Origin::Engine))
    );
}

#[test]
fn edges_follow_the_source() {
    assert_eq!(finished("Open file", "abrir arquivo."), "Abrir arquivo");
    assert_eq!(finished("a… b.", "c... d."), "c… d.");
    assert_eq!(finished("WASM.", "WASM"), "WASM.");
    assert_eq!(finished("Files:", "文件"), "文件");
    assert_eq!(
        draft(&unit("Open the file…"), &[], Some(&engine())),
        Some(of("Abra o arquivo…", Origin::Engine))
    );
}

#[test]
fn plain_text_keeps_its_lines_or_its_width() {
    let mut address = unit("Open the file\nthe file");
    address.path = ProjectPath::parse("notes.txt").unwrap();
    assert_eq!(
        draft(&address, &[], Some(&engine())),
        Some(of("Abra o arquivo\no arquivo", Origin::Engine))
    );
    let line = "Open the file and then open the file and then open the file";
    assert_eq!(wrapped_width(line), None);
    assert_eq!(
        wrapped_width(&format!("{line}\nthe file")),
        Some(line.len())
    );
    assert_eq!(rewrapped("um dois três", 7), "um dois\ntrês");
}
