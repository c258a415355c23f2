use proptest::prelude::*;

use crate::Format::ReStructuredText;
use crate::format::proof;
use crate::format::rows::columns_of;
use crate::render_target;

fn check(text: &str, expected: &[&str]) {
    let document = proof::parse(ReStructuredText, text);
    assert_eq!(proof::sources(&document), expected, "{text}");
    proof::prove(&document);
}

/// Renders a table with some units replaced.
fn render(text: &str, targets: &[(&str, &str)]) -> String {
    let document = proof::parse(ReStructuredText, text);
    let target = |n: usize| {
        let source = &document.segments[n].source;
        let found = targets.iter().find(|(from, _)| from == source);
        found.map(|(_, to)| *to)
    };
    String::from_utf8(render_target(&document, target).unwrap()).unwrap()
}

fn renders(text: &str, targets: &[(&str, &str)], expected: &str) {
    let output = render(text, targets);
    assert_eq!(output, expected, "\n{output}");
    // The output is a table with the targets in it.
    let again = proof::parse(ReStructuredText, &output);
    assert_eq!(
        again.segments.len(),
        proof::parse(ReStructuredText, text).segments.len()
    );
}

const TABLES: &str = include_str!("../../../../tests/fixtures/rst/tables.rst");

const GRID: &str = "\
+-------+-------+
| Part  | Use   |
+=======+=======+
| Seal  | keeps |
|       | in    |
+-------+-------+
| Both of them  |
+-------+-------+
";

#[test]
fn cells_of_grid_tables_are_units() {
    check(GRID, &["Part", "Use", "Seal", "keeps\nin", "Both of them"]);
    check(
        "+---+-----+\n| a | - b |\n|   | - c |\n|   |     |\n|   | d:: |\n|   |     |\n|   |   e |\n+---+-----+\n",
        &["a", "b", "c", "d"],
    );
    check(
        "+----+----+\n| up | a  |\n| +  +----+\n| do | b  |\n+----+----+\n",
        &["up\n+\ndo", "a", "b"],
    );
}

#[test]
fn targets_that_fit_move_nothing() {
    renders(
        GRID,
        &[
            ("Part", "Teil"),
            ("keeps\nin", "hält\nzu"),
            ("Both of them", "Beide"),
        ],
        "\
+-------+-------+
| Teil  | Use   |
+=======+=======+
| Seal  | hält  |
|       | zu    |
+-------+-------+
| Beide         |
+-------+-------+
",
    );
}

#[test]
fn columns_and_rows_grow_with_their_cells() {
    renders(
        GRID,
        &[
            ("Seal", "Dichtung"),
            ("keeps\nin", "hält die Pumpe im Haus trocken"),
        ],
        "\
+----------+---------+
| Part     | Use     |
+==========+=========+
| Dichtung | hält    |
|          | die     |
|          | Pumpe   |
|          | im      |
|          | Haus    |
|          | trocken |
+----------+---------+
| Both of them       |
+----------+---------+
",
    );
    renders(
        GRID,
        &[
            ("keeps\nin", "dichtet sehr\ngut ab"),
            ("Both of them", "日本語の部品二つ"),
        ],
        "\
+-------+--------------+
| Part  | Use          |
+=======+==============+
| Seal  | dichtet sehr |
|       | gut ab       |
+-------+--------------+
| 日本語の部品二つ     |
+-------+--------------+
",
    );
}

#[test]
fn rows_grow_below_spans_and_lists() {
    renders(
        "+----+-------+\n| a1 | - b   |\n|    |   b   |\n+----+ - c   |\n| a2 |       |\n+----+-------+\n",
        &[("a1", "x"), ("b\nb", "one two three")],
        "+----+---------+\n| x  | - one   |\n|    |   two   |\n+----+   three |\n| a2 | - c     |\n+----+---------+\n",
    );
    renders(
        "- +---+---+\r\n  | a | b |\r\n  |   |\r\n\r\n  +---+---+\r\n  | a | b |  \r\n  | a |   |\r\n  +---+---+  \r\n\r\n- x",
        &[("a\na", "a\nbcd\ne")],
        "- +---+---+\r\n  | a | b |\r\n  |   |\r\n\r\n  +-----+---+\r\n  | a   | b |  \r\n  | bcd |   |\r\n  | e   |   |\r\n  +-----+---+  \r\n\r\n- x",
    );
}

#[test]
fn tables_stand_in_cells() {
    renders(
        "+-----------+\n| +--+----+ |\n| |a | b  | |\n| +--+----+ |\n+-----------+\n",
        &[("a", "日本"), ("b", "cde")],
        "+---------------+\n| +-----+-----+ |\n| |日本 | cde | |\n| +-----+-----+ |\n+---------------+\n",
    );
    let deep = (0..6).fold("+---+\n| a |\n+---+".to_owned(), |inner, _| {
        let width = inner.lines().next().unwrap().len();
        let rule = format!("+{}+", "-".repeat(width));
        let rows: Vec<_> = inner.lines().map(|line| format!("|{line}|")).collect();
        format!("{rule}\n{}\n{rule}", rows.join("\n"))
    });
    check(&deep, &[]);
}

#[test]
fn a_bar_below_a_corner_is_no_border() {
    renders(
        "+--+--+\n|a |b |\n+--+--+\n|cc dd|\n+--+--+\n",
        &[("cc dd", "xx|yy")],
        "+---+---+\n|a  |b  |\n+---+---+\n|xx|yy  |\n+---+---+\n",
    );
}

const SIMPLE: &str = "\
=====  =====  ======
   Inputs     Output
------------  ------
  A      B    A or B
=====  =====  ======
no     no     nothing at all
              of it

yes    no     yes
=====  =====  ======
";

#[test]
fn cells_of_simple_tables_are_units() {
    check(
        SIMPLE,
        &[
            "Inputs",
            "Output",
            "A",
            "B",
            "A or B",
            "no",
            "no",
            "nothing at all\nof it",
            "yes",
            "no",
            "yes",
        ],
    );
    check(
        "== ==\na  b\n\n   c\n== ==\n\nText.\n",
        &["a", "b", "c", "Text."],
    );
    check("== ==\na  b\n\n== ==\n\nText.\n", &["a", "b", "Text."]);
}

#[test]
fn columns_of_simple_tables_grow() {
    renders(
        SIMPLE,
        &[
            ("Inputs", "Die beiden Eingänge"),
            ("yes", "selbstverständlich"),
            ("nothing at all\nof it", "nichts"),
        ],
        "\
==================  =====  ==================
   Die beiden Eingänge     Output
-------------------------  ------------------
  A                   B    A or B
==================  =====  ==================
no                  no     nichts

selbstverständlich  no     selbstverständlich
==================  =====  ==================
",
    );
    renders(
        "  == ==\n  a  b\n\n     c\n  == ==\n",
        &[("a", "- one\ntwo"), ("b", "x\ny"), ("c", "日本語")],
        "  ========== ======\n  \\- one two x\n             y\n\n             日本語\n  ========== ======\n",
    );
    renders(
        "== =====\na  b c\n   d\ne  f\n== =====\n",
        &[("b c\nd", "b\nc\nd\ne")],
        "== =====\na  b\n   c\n   d\n   e\ne  f\n== =====\n",
    );
}

#[test]
fn malformed_tables_have_no_units() {
    for text in [
        "+---+---+\n| a | b\n+---+---+\n",
        "+---+---+\n| a | b |\n+---+--+\n",
        "+---+---+\n| a   b |\n+---+---+\n| c | d |\n+--+----+\n",
        "+---+---+\n| a + b |\n+-------+\n+ c | d |\n+---+---+\n",
        "+---+---+\n| a\t| b |\n+---+---+\n",
        "== ==\na  b\n== ==\nText.\n== ==\n",
        "=== ===\nabcde\n=== ===\n",
        "=== ===\na   b\n--- --\nc   d\n=== ===\n",
        "=== ===\na   b\n=== ====\n",
        "===  ===\na日本 b\n===  ===\n",
    ] {
        check(text, &[]);
    }
}

#[test]
fn broken_tables_take_linear_time() {
    for token in [
        "+-+-",
        "+-+\n",
        "| ",
        "+--+--+\n|  |  |\n",
        "== ==\n",
        "== ==\na b\n",
    ] {
        proof::parse(ReStructuredText, &token.repeat(20_000));
    }
    let corners = format!("{}+\n", "+-".repeat(400));
    let sides = format!("{}|\n", "| ".repeat(400));
    let text = format!("{corners}{}", sides.repeat(400));
    proof::parse(ReStructuredText, &format!("{text}+-{corners}"));
}

#[test]
fn tables_read_as_approved() {
    insta::assert_snapshot!(proof::listing(ReStructuredText, TABLES));
}

#[test]
fn translated_tables_are_drawn_as_approved() {
    let german = [
        ("Part", "Ersatzteil"),
        ("Keeps the\nwater in.", "Hält das Wasser in der Pumpe."),
        ("more\nlater", "später\nmehr"),
        ("Both are made of rubber", "Beide bestehen aus einem Gummi"),
        ("*A* or *B*", "*A* oder *B*"),
        ("yes", "jawohl"),
        ("something, in\ntwo lines", "etwas\nin\ndrei Zeilen"),
        ("用途", "Gebrauch"),
        ("two", "zwei, zweierlei"),
        ("Lid", "Deckel, rund"),
        ("5 \"new\" coins", "5 \"neue\" Münzen"),
    ];
    let output = render(TABLES, &german);
    insta::assert_snapshot!(output);
    let again = proof::parse(ReStructuredText, &output);
    assert_eq!(
        again.segments.len(),
        proof::parse(ReStructuredText, TABLES).segments.len()
    );
}

proptest! {
    #[test]
    fn drawn_tables_keep_their_cells_and_texts(
        grid in prop::collection::vec(prop::collection::vec("[a-z日]{1,4}( [a-z]{1,5})?", 3), 1..4),
        targets in prop::collection::vec("[a-z]{1,9}( [a-z日本]{1,9}){0,3}", 9),
        is_simple in any::<bool>(),
    ) {
        let width = 16;
        let rule = |mark: &str| if is_simple {
            vec![mark.repeat(width); 3].join(" ")
        } else {
            format!("+{0}+{0}+{0}+", "-".repeat(width))
        };
        let mut text = rule("=") + "\n";
        for row in &grid {
            let cells: Vec<_> = row
                .iter()
                .map(|cell| cell.clone() + &" ".repeat(width - columns_of(cell)))
                .collect();
            text += &if is_simple { cells.join(" ") } else { ["|", &cells.join("|"), "|"].concat() };
            text += "\n";
            if !is_simple {
                text += &(rule("-") + "\n");
            }
        }
        if is_simple {
            text += &(rule("=") + "\n");
        }
        let document = proof::parse(ReStructuredText, &text);
        prop_assert_eq!(document.segments.len(), grid.len() * 3);
        proof::prove(&document);
        let output = render_target(&document, |n| targets.get(n).map(String::as_str)).unwrap();
        let again = proof::parse(ReStructuredText, std::str::from_utf8(&output).unwrap());
        let found = proof::sources(&again);
        prop_assert_eq!(found, targets.iter().take(grid.len() * 3).collect::<Vec<_>>());
    }


    #[test]
    fn any_target_keeps_the_cells(target in "([a-z]{1,9}|[ \t|+=-]|\n|日本|́|\\\\|`|\\*|::){1,12}", which in 0_usize..5) {
        let document = proof::parse(ReStructuredText, GRID);
        let target = format!("{target}a");
        let output = render_target(&document, |n| (n == which).then_some(target.as_str())).unwrap();
        let output = String::from_utf8(output).unwrap();
        let span = crate::Span::new(0, output.trim_end().len());
        let table = super::Table::read(&output, span);
        prop_assert!(table.is_some_and(|table| table.cells.len() == 5), "{}", output);
    }
}
