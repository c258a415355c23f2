//! Tests of finding placeables.

use proptest::prelude::*;

use super::PlaceableKind::{
    Address, Attribute, Code, Emphasis, HardBreak, Link, Math, Number, Placeholder, Reference, Tag,
};
use super::*;

fn check_in(format: Format, text: &str, expected: &[(PlaceableKind, &str)]) {
    let found: Vec<_> = placeables(format, text)
        .into_iter()
        .map(|found| {
            (
                found.kind,
                text.get(found.span.start..found.span.end).unwrap(),
            )
        })
        .collect();
    assert_eq!(found, expected, "{text:?}");
}

fn check(text: &str, expected: &[(PlaceableKind, &str)]) {
    check_in(Format::Markdown, text, expected);
}

#[test]
fn references_and_images() {
    check(
        "See [the guide][g], [g][] or [g]. A badge: [![build state][b]][ci].",
        &[
            (Reference, "][g]"),
            (Reference, "[g][]"),
            (Reference, "[g]"),
            (Reference, "][b]"),
            (Reference, "][ci]"),
        ],
    );
    check(
        "![Pump diagram](img/pump_1.png \"Side view\") and <https://example.org/a_b?x=1&y=2>.",
        &[
            (Link, "](img/pump_1.png \""),
            (Link, "\")"),
            (Link, "<https://example.org/a_b?x=1&y=2>"),
        ],
    );
    check(
        "A note[^1] and [an aside of many words] […]",
        &[(Reference, "[^1]")],
    );
    check(
        "[a\\]b](x (t)) [](y) [`c`](<z z>)",
        &[
            (Link, "](x ("),
            (Link, "))"),
            (Link, "](y)"),
            (Code, "`c`"),
            (Link, "](<z z>)"),
        ],
    );
}

#[test]
fn attributes() {
    check("Install the tool {#install}", &[(Attribute, "{#install}")]);
    check("See [below](#next-steps).", &[(Link, "](#next-steps)")]);
}

#[test]
fn math_and_prices() {
    check(
        "The energy is $E = m_i c^2$ and costs $5 to $6 per day.",
        &[(Math, "$E = m_i c^2$"), (Number, "5"), (Number, "6")],
    );
    check(
        "Inline \\(a_1 * b_1\\) stays.",
        &[(Math, "\\(a_1 * b_1\\)")],
    );
    check(
        "Twice \\(a*b*c\\), once $x_i$ \\(see below\\).",
        &[(Math, "\\(a*b*c\\)"), (Math, "$x_i$")],
    );
    check(
        "Between $5-$6 and 7$.",
        &[(Number, "5"), (Number, "6"), (Number, "7")],
    );
}

#[test]
fn placeholders() {
    check(
        "Hi {{name}}, you have %(n)d new mails",
        &[(Placeholder, "{{name}}"), (Placeholder, "%(n)d")],
    );
    check(
        "Copied %d of %s (100%%)",
        &[
            (Placeholder, "%d"),
            (Placeholder, "%s"),
            (Number, "100"),
            (Placeholder, "%%"),
        ],
    );
    check(
        "%1$s {0} ${x} {user.name:>5} %@ {% if a %} <0/> <1>x</1>",
        &[
            (Placeholder, "%1$s"),
            (Placeholder, "{0}"),
            (Placeholder, "${x}"),
            (Placeholder, "{user.name:>5}"),
            (Placeholder, "%@"),
            (Placeholder, "{% if a %}"),
            (Placeholder, "<0/>"),
            (Placeholder, "<1>"),
            (Placeholder, "</1>"),
        ],
    );
    check(
        "{n, plural, one {# file} other {# files}} {see the note} :name",
        &[(Placeholder, "{n, plural, one {# file} other {# files}}")],
    );
    check(
        "{Anzahl} %{count} %PATH%",
        &[
            (Placeholder, "{Anzahl}"),
            (Placeholder, "%{count}"),
            (Placeholder, "%PATH%"),
        ],
    );
}

#[test]
fn a_percent_sign_is_no_placeholder() {
    check(
        "5 % de, 100% sure, 7\u{A0}% des, the %discount, %-Zeichen",
        &[(Number, "5"), (Number, "100%"), (Number, "7")],
    );
}

#[test]
fn emphasis_is_what_the_parser_calls_emphasis() {
    check(
        "Read **this** _now_, ~~not~~ 2 * 3 * 4 or snake_case_name.",
        &[
            (Emphasis, "**"),
            (Emphasis, "**"),
            (Emphasis, "_"),
            (Emphasis, "_"),
            (Emphasis, "~~"),
            (Emphasis, "~~"),
            (Number, "2"),
            (Number, "3"),
            (Number, "4"),
        ],
    );
    check(
        "***both***",
        &[
            (Emphasis, "*"),
            (Emphasis, "**"),
            (Emphasis, "**"),
            (Emphasis, "*"),
        ],
    );
    check(
        "**\"quoted\"** first, **open",
        &[(Emphasis, "**"), (Emphasis, "**")],
    );
}

#[test]
fn code_tags_and_breaks() {
    check(
        "Type three backticks (` ``` `) to open.",
        &[(Code, "` ``` `")],
    );
    check(
        "First line  \nsecond\\\nthird",
        &[(HardBreak, "  \n"), (HardBreak, "\\\n")],
    );
    check(
        "<b>A</b> &amp; <br/> \\<i> a <b c> d",
        &[
            (Tag, "<b>"),
            (Tag, "</b>"),
            (Tag, "&amp;"),
            (Tag, "<br/>"),
            (Tag, "<b c>"),
        ],
    );
    check("1. no list, # no heading", &[(Number, "1")]);
}

#[test]
fn addresses() {
    check(
        "See https://x.org/a_b_c/(d). Or (www.y.org), a.b@c.de!",
        &[
            (Address, "https://x.org/a_b_c/(d)"),
            (Address, "www.y.org"),
            (Address, "a.b@c.de"),
        ],
    );
    check(
        "请访问https://x.org/a。再见",
        &[(Address, "https://x.org/a")],
    );
    check(
        "**https://x.org/1**",
        &[
            (Emphasis, "**"),
            (Address, "https://x.org/1"),
            (Emphasis, "**"),
        ],
    );
}

#[test]
fn numbers() {
    check(
        "3,407,218 or 518 370, 1.5, v2.1.0, 10:30, 2024-05-01, 20 °C, 30°, 第3章, ١٬٢٣٤",
        &[
            (Number, "3,407,218"),
            (Number, "518 370"),
            (Number, "1.5"),
            (Number, "2.1.0"),
            (Number, "10:30"),
            (Number, "2024-05-01"),
            (Number, "20"),
            (Number, "30°"),
            (Number, "3"),
            (Number, "١٬٢٣٤"),
        ],
    );
}

#[test]
fn plain_text_knows_no_markdown() {
    check_in(
        Format::PlainText,
        "**a** [b](c) `code` {x} <br/> &amp; # 5  \nnext",
        &[
            (Code, "`code`"),
            (Placeholder, "{x}"),
            (Tag, "<br/>"),
            (Number, "5"),
        ],
    );
}

proptest! {
    #[test]
    fn spans_are_ordered_disjoint_and_on_boundaries(
        text in "([-a *_~`$%{}<>\\[\\]()!\\\\\"'&;:#.,/@0-9é中\n]|https://|\\]\\(){0,40}",
        plain in any::<bool>(),
    ) {
        let format = if plain { Format::PlainText } else { Format::Markdown };
        let mut end = 0;
        for found in placeables(format, &text) {
            prop_assert!(found.span.start >= end && found.span.end > found.span.start);
            prop_assert!(text.get(found.span.start..found.span.end).is_some());
            end = found.span.end;
        }
    }
}
