use proptest::prelude::*;

use super::read;
use crate::Format::ReStructuredText;
use crate::format::proof;

fn check(text: &str, expected: &[&str]) {
    proof::check(ReStructuredText, text, expected);
}

fn render(text: &str, ordinal: usize, target: &str) -> String {
    proof::render(ReStructuredText, text, ordinal, target)
}

#[test]
fn a_guide_reads_as_approved() {
    insta::assert_snapshot!(proof::listing(
        ReStructuredText,
        include_str!("../../../tests/fixtures/rst/guide.rst")
    ));
}

#[test]
fn titles_and_paragraphs() {
    check(
        "=====\n Top \n=====\n\nOne\ntwo.\n\nSub\n---\n1. Part\n~~~~~~~\n----\n\nThree.\n",
        &["Top", "One\ntwo.", "Sub", "1. Part", "Three."],
    );
}

#[test]
fn lists_nest_by_indentation() {
    check(
        "- one\n  more\n\n  - two\n- three\n\n1. four\n#. five\n\nA. Einstein was\nhere.\n",
        &[
            "one\nmore",
            "two",
            "three",
            "four",
            "five",
            "A. Einstein was\nhere.",
        ],
    );
}

#[test]
fn definitions_fields_and_options() {
    check(
        "term : str\n    What it is.\n\n:Author: A. Nobody\n:param int x: The\n    number.\n\n-a, --all  Shows all.\n--long=FILE\n    Reads a file.\n",
        &[
            "term",
            "What it is.",
            "The\nnumber.",
            "Shows all.",
            "Reads a file.",
        ],
    );
}

#[test]
fn literal_blocks_and_doctests_are_no_text() {
    check(
        "Run this::\n\n    code here\n\n    more code\n\nThen\n::\n\n> quoted code\n> more\n\n>>> doctest here\nresult here\n\nEnd.\n",
        &["Run this", "Then", "End."],
    );
}

#[test]
fn directives_hold_text_where_they_do() {
    check(
        ".. note:: Mind the\n   gap.\n\n   Really.\n\n.. warning::\n   :class: big\n\n   Hot.\n\n.. figure:: a.png\n   :alt: A pump\n   :width: 5\n\n   The pump.\n\n.. code-block:: c\n   :caption: The code\n\n   int x;\n\n.. function:: open(name)\n\n   Opens it.\n\n.. versionadded:: 3.2\n   The *x* argument.\n\n.. toctree::\n   :caption: More\n\n   intro\n   The guide <guide>\n\n.. admonition:: A title\n\n   Its text.\n",
        &[
            "Mind the\ngap.",
            "Really.",
            "Hot.",
            "A pump",
            "The pump.",
            "The code",
            "Opens it.",
            "The *x* argument.",
            "More",
            "The guide",
            "A title",
            "Its text.",
        ],
    );
}

#[test]
fn comments_targets_and_substitutions_are_no_text() {
    check(
        ".. A comment\n   goes on.\n\n.. _target: a b\n\n.. |name| replace:: some text\n\n.. [1] A footnote.\n.. [CIT] A\n   citation.\n\n__ anonymous\n\n..\n\n   A quote.\n",
        &["A footnote.", "A\ncitation.", "A quote."],
    );
}

#[test]
fn line_blocks_glossaries_and_list_tables() {
    check(
        "| A line\n|   another\n    goes on\n\n.. glossary::\n\n   pump\n   motor\n      A thing.\n\n.. list-table:: Title\n   :header-rows: 1\n\n   * - One\n     - Two\n   * - Three\n     - Four\n",
        &[
            "A line",
            "another\ngoes on",
            "pump",
            "motor",
            "A thing.",
            "Title",
            "One",
            "Two",
            "Three",
            "Four",
        ],
    );
}

#[test]
fn tables_of_lines_stand_in_directives() {
    check(
        "One.\n\n.. table:: The title\n   :widths: auto\n\n   =====  =====\n   A      B\n   =====  =====\n   c      d\n\n   e      f\n   =====  =====\n\n   Text.\n\n+---+---+\n| a | b |\n+---+---+\n\nTwo.\n",
        &[
            "One.",
            "The title",
            "A",
            "B",
            "c",
            "d",
            "e",
            "f",
            "Text.",
            "a",
            "b",
            "Two.",
        ],
    );
}

#[test]
fn underlines_grow_with_their_titles() {
    assert_eq!(
        render("Pump\n====\n\nx\n", 0, "Die Pumpe"),
        "Die Pumpe\n=========\n\nx\n"
    );
    assert_eq!(render("Pump\n====\n", 0, "X"), "X\n====\n");
    assert_eq!(
        render("====\r\nPump\r\n====\r\n", 0, "日本の"),
        "======\r\n日本の\r\n======\r\n"
    );
    assert_eq!(render("Pump\n====\n", 0, "- X\ny"), "\\- X y\n======\n");
}

#[test]
fn targets_open_no_blocks() {
    let openers = [
        "- x", "1. x", ".. x", "| x", ":a: x", "x\n----", ">>> x", "-a  x", "----", "x::", "__ x",
        "== ==", "+--+",
    ];
    for target in openers {
        proof::prove_neighbours(ReStructuredText, "", target);
    }
    assert_eq!(render("Run::\n\n  x\n", 0, "运行："), "运行： ::\n\n  x\n");
    assert_eq!(render("Run::\n\n  x\n", 0, "Los:"), "Los::\n\n  x\n");
    assert_eq!(render("- a\n- b\n", 0, "x\ny"), "- x\n  y\n- b\n");
    assert_eq!(render(".. note:: a\n", 0, "x\ny"), ".. note:: x\n   y\n");
}

#[test]
fn deep_nesting_is_bounded() {
    let deep = (0..20_000).fold(String::new(), |text, _| text + "- ") + "x";
    assert!(read(&deep).pieces.is_empty());
    let staircase: String = (0..3_000).map(|n| " ".repeat(n) + "a\n").collect();
    read(&staircase);
}

#[test]
fn marks_without_end_take_linear_time() {
    for token in [
        "`a ",
        "*a ",
        ":a:`b",
        "a_",
        "``a ",
        "|a ",
        "[a",
        "`a`b ",
        "..\n\n",
        "== ==\na\n\n",
        "a::\n\n",
    ] {
        read(&token.repeat(50_000));
    }
}

proptest! {
    #[test]
    fn any_text_keeps_its_bytes_and_its_neighbours(
        text in "([a-z]{1,4}|[ \t]|\r?\n|\r|  |- |1\\. |\\.\\. |::|---- ?|====|== ==|:a: |`|\\*|_|\\||>>> |-x  |\\[a\\]|note:: |figure:: |:alt: |toctree:: |日){0,40}",
        target in "([a-z]{1,4}|[ \t]|\n|- |1\\. |\\.\\. |::|----|=|:a: |`|\\*|_|\\||>>> |-x  |日|[\u{27E6}é]){0,12}",
    ) {
        proof::prove_neighbours(ReStructuredText, &text, &format!("{target}a"));
    }
}
