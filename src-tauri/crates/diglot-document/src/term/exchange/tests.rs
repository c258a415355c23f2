//! Tests of files with terms: forms that other programs write, what is refused and why, and the way there and back.

use proptest::prelude::*;

use super::tbx::TbxVersion;
use super::*;
use crate::LanguageTag;

fn languages() -> LanguagePair {
    let tag = |text| LanguageTag::parse(text).unwrap();
    LanguagePair {
        source: tag("en"),
        target: tag("de"),
    }
}

fn term(source: &str, target: &str, status: TermStatus) -> FileTerm {
    FileTerm {
        source: source.to_owned(),
        target: target.to_owned(),
        status,
        ..FileTerm::default()
    }
}

fn read(text: &str) -> FileTerms {
    read_terms(text.as_bytes(), &languages()).unwrap()
}

#[test]
fn the_form_of_translate_toolkit_is_read() {
    let file = read(include_str!("../../../tests/fixtures/terms/toolkit.tbx"));
    let of = |target: &str, status, note: &str| FileTerm {
        note: note.to_owned(),
        definition: "A ring that keeps a liquid in.".to_owned(),
        concept: "1".to_owned(),
        ..term("shaft seal", target, status)
    };
    assert_eq!(
        file.terms,
        [
            of("Wellendichtung", TermStatus::Preferred, ""),
            of(
                "Simmerring",
                TermStatus::Admitted,
                "a trade mark & in wide use"
            ),
            of("Gummi", TermStatus::Forbidden, ""),
            FileTerm {
                note: "of the pump".to_owned(),
                ..term("wheel", "Rad", TermStatus::Preferred)
            },
        ]
    );
    let refused = RefusedTerm {
        line: 34,
        text: "valve".to_owned(),
        reason: TermRefusal::NoTarget,
    };
    assert_eq!(file.refused, [refused]);
    assert_eq!(file.left_out, [("partOfSpeech".to_owned(), 1)]);
}

#[test]
fn the_form_of_omegat_is_read_whatever_the_region() {
    let file = read(include_str!("../../../tests/fixtures/terms/omegat.tbx"));
    let of = |source: &str| FileTerm {
        note: "Both words are in use.".to_owned(),
        subject: "pumps".to_owned(),
        concept: "c42".to_owned(),
        ..term(source, "Pumpengehäuse", TermStatus::Preferred)
    };
    assert_eq!(file.terms, [of("pump housing"), of("casing")]);
    assert_eq!(file.left_out, [("context".to_owned(), 1)]);
    // A concept with two sources is one entry again.
    for version in [TbxVersion::V2, TbxVersion::V3] {
        let written = write_tbx(&file.terms, &languages(), version);
        assert_eq!(written.matches("<term>").count(), 3, "{written}");
        assert_eq!(read(&written).terms, file.terms);
    }
}

#[test]
fn version_3_is_read_with_its_data_as_elements() {
    let file = read(include_str!("../../../tests/fixtures/terms/v3-dct.tbx"));
    let of = |target: &str, status| FileTerm {
        definition: "too wide".to_owned(),
        subject: "pumps".to_owned(),
        concept: "c1".to_owned(),
        ..term("wheel", target, status)
    };
    assert_eq!(
        file.terms,
        [
            of("Laufrad", TermStatus::Preferred),
            of("Rad", TermStatus::Forbidden)
        ]
    );
}

#[test]
fn csv_is_read_by_its_head_and_however_its_columns_are_parted() {
    let seal = FileTerm {
        note: "of \"shafts\", not of rods".to_owned(),
        ..term("seal", "Dichtung", TermStatus::Admitted)
    };
    for text in [
        "source,target,status,note\nseal,Dichtung,admitted,\"of \"\"shafts\"\", not of rods\"\n",
        "Source Term;Target Term;Usage;Comment\r\nseal;Dichtung;Admitted;\"of \"\"shafts\"\", not of rods\"\r\n",
        "\u{FEFF}de\tstatus\ten\tnote\nDichtung\tadmittedTerm-admn-sts\tseal\tof \"shafts\", not of rods\n",
    ] {
        assert_eq!(read(text).terms, std::slice::from_ref(&seal), "{text}");
    }
    let bare = FileTerm {
        note: "of shafts".to_owned(),
        ..term("seal", "Dichtung", TermStatus::Preferred)
    };
    for head in [
        "",
        "# Glossary in tab-separated format -*- coding: utf-8 -*-\n",
    ] {
        let file = read(&format!("{head}seal\tDichtung\tof shafts\n\twheel\n"));
        assert_eq!(file.terms, std::slice::from_ref(&bare));
        assert_eq!(file.refused[0].line, 2 + head.lines().count());
    }
    let other = read("source,target,owner\nseal,Dichtung,Ana\n");
    assert_eq!(other.left_out, [("owner".to_owned(), 1)]);
}

#[test]
fn what_is_no_term_is_named_with_its_line() {
    let file = read(&format!(
        "source,target,status\nseal,,\n,Dichtung,\n→,Pfeil,\nseal,Dichtung,maybe\n{},lang,\n\nok,gut,\n",
        "long ".repeat(200)
    ));
    let reasons: Vec<(usize, TermRefusal)> = file
        .refused
        .iter()
        .map(|refused| (refused.line, refused.reason))
        .collect();
    assert_eq!(
        reasons,
        [
            (2, TermRefusal::NoTarget),
            (3, TermRefusal::NoSource),
            (4, TermRefusal::NoLetter),
            (5, TermRefusal::UnknownStatus),
            (6, TermRefusal::TooLong),
        ]
    );
    assert_eq!(file.terms.len(), 1);
    let error = |bytes: &[u8]| read_terms(bytes, &languages()).unwrap_err();
    assert_eq!(error(b"<html><body/></html>"), TermFileError::NotTbx);
    assert_eq!(error(b"a,b\n1,2\n"), TermFileError::NoColumns);
    assert_eq!(error(b""), TermFileError::NoColumns);
    assert_eq!(error(b"\x7fELF\0\0\0\x01\0\0"), TermFileError::NotText);
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(
        terms in prop::collection::vec(
            ("[a-z&<>\"';,]{0,3}[a-z]{1,3}", "[a-zß&<>\"';,]{0,3}[a-z]{1,3}", 0..3_u8, "([a-z&<,\"]{1,6}( [a-z]{1,3})?)?", "[a-c]?"),
            0..8,
        ),
    ) {
        let mut written: Vec<FileTerm> = Vec::new();
        for (source, target, status, note, concept) in terms {
            let status = [TermStatus::Preferred, TermStatus::Admitted, TermStatus::Forbidden][usize::from(status)];
            let new = FileTerm { note, concept, ..term(&source, &target, status) };
            if !written.iter().any(|old| old.source == new.source && old.target == new.target) {
                written.push(new);
            }
        }
        let mut bare = written.clone();
        // Ids of entries are made anew where they do not fit.
        let sort = |terms: &mut Vec<FileTerm>| {
            for term in terms.iter_mut() {
                term.concept.clear();
            }
            terms.sort_by(|a, b| (&a.source, &a.target).cmp(&(&b.source, &b.target)));
        };
        sort(&mut bare);
        let mut files = vec![write_csv(&written)];
        if !written.is_empty() {
            files.extend([TbxVersion::V2, TbxVersion::V3].map(|version| write_tbx(&written, &languages(), version).into_bytes()));
        }
        for bytes in files {
            let mut again = read_terms(&bytes, &languages()).unwrap();
            prop_assert!(again.refused.is_empty());
            sort(&mut again.terms);
            prop_assert_eq!(&again.terms, &bare);
        }
    }

    #[test]
    fn no_file_is_a_panic(text in "(<termEntry>|</termEntry>|<langSet xml:lang=\"en\">|<langSet xml:lang='de'>|</langSet>|<tig>|<term>|</term>|&amp;|<!\\[CDATA\\[|\\]\\]>|[a-z,;\"\t\n<>/]){0,40}") {
        drop(read_terms(text.as_bytes(), &languages()));
    }
}
