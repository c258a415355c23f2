use proptest::prelude::*;

use crate::Format::ReStructuredText;
use crate::format::proof;

const TABLE: &str = "\
.. csv-table:: The title
   :header: \"Part, and kin\", Use
   :widths: 1, 2

   Seal,\"keeps \"\"it\"\" in,
   - really\"
   Lid  , closes it
   12, \"\"

Text.
";

fn render(text: &str, ordinal: usize, target: &str) -> String {
    proof::render(ReStructuredText, text, ordinal, target)
}

#[test]
fn cells_are_units() {
    let expected = [
        "The title",
        "Part, and kin",
        "Use",
        "Seal",
        "keeps \"it\" in,\n- really",
        "Lid",
        "closes it",
        "Text.",
    ];
    proof::check(ReStructuredText, TABLE, &expected);
    let file = TABLE.replace(":widths: 1, 2", ":file: a.csv");
    proof::check(ReStructuredText, &file, &["The title", "Text."]);
}

#[test]
fn options_name_the_marks() {
    let table = ".. csv-table::\n   :delim: ;\n   :quote: '\n   :escape: \\\n\n   a, b; 'it\\'s; so'; c\\;d\n";
    proof::check(ReStructuredText, table, &["a, b", "it's; so", "c;d"]);
    assert!(render(table, 0, "x; y's").contains("   x\\; y\\'s; 'it"));
    let table = ".. csv-table::\n   :delim: 0x7C\n   :keepspace:\n\n   a b| c|d e\n";
    proof::check(ReStructuredText, table, &["a b", "d e"]);
    let tabs = ".. csv-table::\n   :delim: tab\n\n   a\tb\n";
    proof::check(ReStructuredText, tabs, &["a", "b"]);
}

#[test]
fn targets_get_quotes_where_they_need_them() {
    for (ordinal, target, expected) in [
        (2, "a, b", ":header: \"Part, and kin\", \"a, b\"\n"),
        (3, "\"x\"", "   \"\"\"x\"\"\",\"keeps"),
        (3, "- x", "   \\- x,\"keeps"),
        (5, "zu, da", "   \"zu, da\", closes"),
        (5, "zu\nda", "   zu da  , closes"),
        (4, "\"x\"\ny", "   Seal,\"\"\"x\"\"\n   y\"\n"),
    ] {
        let output = render(TABLE, ordinal, target);
        assert!(output.contains(expected), "{output}");
    }
}

#[test]
fn broken_rows_have_no_units() {
    for rows in ["a, \"b", "a, \"b\" c", "\"a\nb, c"] {
        let text = format!(
            ".. csv-table::\n\n   {}\n\nText.\n",
            rows.replace('\n', "\n   ")
        );
        proof::check(ReStructuredText, &text, &["Text."]);
    }
}

proptest! {
    #[test]
    fn targets_read_back(target in "([a-z]{1,4}|,|\"|\\\\| |'|日){1,10}", ordinal in 1_usize..7) {
        let target = format!("b{target}a");
        let output = render(TABLE, ordinal, &target);
        let document = proof::parse(ReStructuredText, &output);
        let sources = proof::sources(&document);
        prop_assert_eq!(sources.len(), 8);
        prop_assert_eq!(sources[ordinal], target.as_str());
    }
}
