//! Tests of what counts as a term, where it stands, and whether a target meets it.

use std::collections::HashSet;
use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;

fn tag(text: &str) -> LanguageTag {
    LanguageTag::parse(text).unwrap()
}

fn pair(text: &str) -> LanguagePair {
    let (source, target) = text.split_once('>').unwrap();
    LanguagePair {
        source: tag(source),
        target: tag(target),
    }
}

/// Shows what is found in a Markdown source: each place in brackets, `=` when exact, `~` when inflected, `?` when related.
fn lit(language: &str, terms: &[&str], source: &str) -> String {
    let terms: Vec<CheckedTerm<'_>> = terms
        .iter()
        .map(|term| CheckedTerm::preferred(term, "x"))
        .collect();
    let found = review_terms(
        Format::Markdown,
        source,
        "",
        &terms,
        &pair(&format!("{language}>de")),
    );
    let mut places: Vec<TermPlace> = found.into_iter().flat_map(|found| found.places).collect();
    places.sort_by_key(|place| place.span.start);
    let mut text = String::new();
    let mut at = 0;
    for place in places {
        let mark = match place.form {
            TermForm::Exact => '=',
            TermForm::Inflected => '~',
            TermForm::Related => '?',
        };
        text += Span::new(at, place.span.start).of(source);
        let _ = write!(text, "[{mark}{}]", place.span.of(source));
        at = place.span.end;
    }
    text + Span::new(at, source.len()).of(source)
}

#[test]
fn places_follow_case_inflection_and_compounds() {
    for (language, terms, expected) in [
        (
            "en",
            &["seal"][..],
            "The [=seal] and the [=Seal], two [~seals].",
        ),
        ("en", &["seal"], "[?Sealing] wax is not a wheel."),
        (
            "en",
            &["Settings"],
            "Open [=Settings]; these [~settings] stay.",
        ),
        ("en", &["setting"], "Two [~settings] of this [?set]."),
        ("en", &["IT"], "Ask [=IT] what it is."),
        ("en", &["résumé"], "A [=résumé] or a [~resume]."),
        (
            "de",
            &["Dichtung"],
            "Die [~Dichtungen] und die Pumpen[?dichtung].",
        ),
        ("de", &["Pumpe"], "Die [?Pumpen]dichtung der [=Pumpe]."),
        ("pl", &["plik"], "Otwórz [~pliki], zamknij [=plik]."),
        ("ru", &["файл"], "Два [~файла], не файловый архив."),
        ("fi", &["pumppu"], "[~Pumpun] käynti; [=pumppu] pysähtyy."),
        ("ko", &["펌프"], "[?펌프]가 멈춥니다."),
        ("he", &["משאבה"], "ה[?משאבה] נעצרת"),
    ] {
        let source: String = expected.chars().filter(|c| !"[]=~?".contains(*c)).collect();
        assert_eq!(lit(language, terms, &source), expected, "{language}");
    }
}

#[test]
fn the_longest_term_wins() {
    let terms = ["seal", "seal ring", "ring", "seal ring kit"];
    for expected in [
        "A [=seal ring] and a [=seal].",
        "A [=seal ring kit] and a [=ring].",
        "A [=seal]. [=Ring] twice.",
        "A [=seal], [=ring].",
        "Two [~seal-rings].",
    ] {
        let source: String = expected.chars().filter(|c| !"[]=~?".contains(*c)).collect();
        assert_eq!(lit("en", &terms, &source), expected);
    }
}

#[test]
fn markup_is_seen_through_and_code_is_not_looked_at() {
    for (source, expected) in [
        (
            "The **seal** ring is `seal`.",
            "The **[=seal** ring] is `seal`.",
        ),
        ("The seal `x` ring.", "The [=seal] `x` ring."),
        (
            "A [seal](http://seal.example/seal).",
            "A [[=seal]](http://seal.example/seal).",
        ),
        ("<b>seal</b> ring", "<b>[=seal</b> ring]"),
        (
            "{n, plural, one {seal} other {seal}}",
            "{n, plural, one {seal} other {[=seal]}}",
        ),
    ] {
        assert_eq!(lit("en", &["seal", "seal ring"], source), expected);
    }
}

#[test]
fn signs_and_scripts_without_blanks_are_looked_for_as_written() {
    for (language, terms, expected) in [
        ("en", &["C++"][..], "[=C++] is not C, nor XC++."),
        ("en", &["Node.js"], "Use [=Node.js] or a node."),
        ("zh", &["水泵", "泵"], "[=水泵]停止，[=泵]也停。"),
        ("ja", &["USB"], "この[=USB]端子はUSBX用。"),
        ("en", &["水泵"], "The [=水泵] sign."),
    ] {
        let source: String = expected.chars().filter(|c| !"[]=~?".contains(*c)).collect();
        assert_eq!(lit(language, terms, &source), expected);
    }
}

fn state(languages: &str, terms: &[(&str, TermStatus)], source: &str, target: &str) -> TermState {
    let terms: Vec<CheckedTerm<'_>> = terms
        .iter()
        .map(|&(target, status)| CheckedTerm {
            source: "seal",
            target,
            status,
        })
        .collect();
    let found = review_terms(Format::PlainText, source, target, &terms, &pair(languages));
    found[0].state
}

#[test]
fn what_is_admitted_counts_and_what_is_forbidden_is_named() {
    use TermState::{Forbidden as Bad, Met, Unmet};
    use TermStatus::{Admitted, Forbidden, Preferred};
    let all = [
        ("Dichtung", Preferred),
        ("Dichtring", Admitted),
        ("Gummi", Forbidden),
    ];
    for (terms, target, expected) in [
        (&all[..], "Die Dichtungen sind trocken.", Met),
        (&all, "Die Dichtringe sind trocken.", Met),
        (&all, "Die Robben sind trocken.", Unmet),
        (&all, "Das Gummi ist trocken.", Bad),
        (&all, "Das Gummi der Dichtung ist trocken.", Bad),
        // Within a compound it may be another thing.
        (&all, "Die Gummidichtung ist trocken.", Met),
        (&all[2..], "Die Robben sind trocken.", Met),
        (&all[2..], "Die Gummis sind trocken.", Bad),
        // A forbidden word within a preferred term is no fault.
        (
            &[("Ring aus Gummi", Preferred), ("Gummi", Forbidden)],
            "Der Ring aus Gummi ist trocken.",
            Met,
        ),
        // Who says both, allows it.
        (
            &[("Gummi", Preferred), ("gummi", Forbidden)],
            "Das Gummi ist trocken.",
            Met,
        ),
    ] {
        let found = state("en>de", terms, "The seal is dry.", target);
        assert_eq!(found, expected, "{target}");
    }
}

#[test]
fn only_the_exact_form_is_certain() {
    let terms = [CheckedTerm::preferred("seal", "Dichtung")];
    let certain = |source: &str| {
        review_terms(Format::PlainText, source, "", &terms, &pair("en>de"))[0].is_certain()
    };
    assert!(certain("The Seal is dry."));
    assert!(certain("Seals and a seal."));
    assert!(!certain("The seals are dry."));
}

/// Looks terms up as a store does: only those whose keys the text asks for.
fn found_by_key(language: &str, terms: &[&str], source: &str) -> usize {
    let language = tag(language);
    let keys = term_keys(Format::Markdown, source, &language);
    let keys: HashSet<String> = keys.into_iter().collect();
    let is_found = |term: &&&str| keys.contains(&term_key(term, &language).unwrap());
    terms.iter().filter(is_found).count()
}

#[test]
fn keys_find_what_the_places_show() {
    for (language, term, source) in [
        ("en", "leaf", "Two leaves."),
        ("en", "seal ring", "The **seal** rings."),
        ("en", "C++", "In C++ it works."),
        (
            "en",
            "a very long term of many words",
            "A very long term of many words.",
        ),
        ("de", "Dichtung", "Die Pumpendichtungen."),
        ("de", "Arbeit", "Der Arbeitsspeicher."),
        (
            "ja",
            "ウインドウマネージャー",
            "このウインドウマネージャーは速い。",
        ),
        ("zh", "泵", "水泵"),
        ("ko", "펌프", "펌프가"),
        ("en", "水泵", "a 水泵 b"),
    ] {
        assert_eq!(found_by_key(language, &[term], source), 1, "{term}");
        assert_ne!(lit(language, &[term], source), source, "{term}");
    }
    assert_eq!(term_key("→ &", &tag("en")), None);
    assert!(is_term("7", &tag("en")));
}

proptest! {
    /// Whatever is shown in a text, a store finds by its keys; and no text or term is a panic.
    #[test]
    fn what_is_shown_is_found_by_key(
        language in prop::sample::select(vec!["en", "de", "fi", "ru", "ar", "zh", "ko", "he", "tr", "hi", "el", "xx"]),
        term in "(seals?|Dichtung|häuser|файлы|水泵|펌프|C\\+\\+|ring|İ|ß|\\PC{1,4})( (ring|Öl|x|\\PC{1,3})){0,3}",
        source in "(seals?|Pumpendichtungen|Häuser|файлов|大水泵|펌프가|C\\+\\+|rings|İ|ß|\\*\\*|`|<b>| |-|\\PC){0,12}",
        around in any::<bool>(),
    ) {
        let source = if around { format!("{source} {term} {source}") } else { source };
        let language = tag(language);
        let terms = [CheckedTerm::preferred(&term, "x")];
        let languages = LanguagePair { source: language.clone(), target: tag("de") };
        let found = review_terms(Format::Markdown, &source, &source, &terms, &languages);
        for place in found.iter().flat_map(|found| &found.places) {
            prop_assert!(!place.span.of(&source).is_empty());
        }
        // A sign may make another word of its neighbours in a text: `3.` and `3.5`.
        if !found.is_empty() && !super::contained::has_signs(&term) {
            let keys = term_keys(Format::Markdown, &source, &language);
            prop_assert!(keys.contains(&term_key(&term, &language).unwrap()), "{term:?} {source:?}");
        }
    }
}
