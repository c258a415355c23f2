use proptest::prelude::*;

use super::*;
use crate::format::proof::{parse, prove, sources};
use crate::{Document, Format, ParseOptions, Rules, render_target};

const TABLE: &str = "id,text,note,size\r\n1,Open the file,\"Said \"\"aloud\"\"\r\nby all\",10 kB\r\n2,\"Close, then go\",x_1,5\r\n\r\n3, Leave it ,,\r\n";

fn read_columns(text: &str, columns: &[&str]) -> Document {
    let options = ParseOptions {
        rules: Rules {
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
            ..Rules::default()
        },
        ..ParseOptions::default()
    };
    Document::parse(Format::Csv, text.as_bytes(), &options).unwrap()
}

#[test]
fn columns_of_texts_are_found() {
    for (text, expected) in [
        (
            TABLE,
            &[
                "Open the file",
                "Said \"aloud\"\nby all",
                "Close, then go",
                "Leave it",
            ][..],
        ),
        (
            "en;de\nThe first; Der erste\nA second, too; Ein zweiter\n",
            &["The first", "Der erste", "A second, too", "Ein zweiter"],
        ),
        (
            "k\tA sentence that is no name of a column.\nl\tAnother one here.\n",
            &[
                "A sentence that is no name of a column.",
                "Another one here.",
            ],
        ),
        (
            "Just one line of text, with a comma",
            &["Just one line of text", "with a comma"],
        ),
        ("1,2\n3,4\n", &[]),
        ("", &[]),
    ] {
        let document = parse(Format::Csv, text);
        assert_eq!(sources(&document), expected, "{text}");
        prove(&document);
    }
    let document = parse(Format::Csv, TABLE);
    assert_eq!(document.segments[0].hints.note.as_deref(), Some("text"));
}

#[test]
fn a_person_chooses_columns_by_name_or_number() {
    for columns in [["text"], ["2"]] {
        let document = read_columns(TABLE, &columns);
        assert_eq!(
            sources(&document),
            ["Open the file", "Close, then go", "Leave it"]
        );
    }
    assert_eq!(sources(&read_columns(TABLE, &["none"])), [""; 0]);
}

#[test]
fn a_cell_gets_quotes_where_it_needs_them() {
    for (target, expected) in [
        ("a, b", "\"a, b\""),
        ("say \"a\"", "\"say \"\"a\"\"\""),
        ("a\r\nb", "\"a\nb\""),
        ("a; b", "a; b"),
    ] {
        let document = read_columns(TABLE, &["text"]);
        let output = render_target(&document, |n| (n == 0).then_some(target)).unwrap();
        let expected = TABLE.replace("Open the file", expected);
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }
}

proptest! {
    #[test]
    fn any_target_reads_back(target in "[a-z ,;\"\n\r\té日]{0,20}x", ordinal in 0..3_usize) {
        let document = read_columns(TABLE, &["text"]);
        let output = render_target(&document, |n| (n == ordinal).then_some(target.as_str())).unwrap();
        let again = read_columns(std::str::from_utf8(&output).unwrap(), &["text"]);
        let mut wanted: Vec<String> = sources(&document).iter().map(ToString::to_string).collect();
        wanted[ordinal] = target.replace("\r\n", "\n").replace('\r', "\n").trim().to_owned();
        prop_assert_eq!(sources(&again), wanted);
        let text = Document::parse(Format::Csv, &output, &ParseOptions::default()).unwrap().text;
        prop_assert_eq!(Rows::new(&text, ',').map(|row| row.len()).collect::<Vec<_>>(), [4; 4]);
    }

    #[test]
    fn any_text_keeps_its_bytes(text in "([a-zé]{1,6} [a-z]{1,6}|[,;\"\n\r\t| ]){0,40}") {
        prove(&parse(Format::Csv, &text));
        prove(&read_columns(&text, &["1", "2", "3"]));
    }
}
