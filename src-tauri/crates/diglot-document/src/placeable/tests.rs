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
        &[
            (Placeholder, "{n, plural, one {"),
            (Placeholder, "#"),
            (Placeholder, "} other {"),
            (Placeholder, "#"),
            (Placeholder, "}}"),
        ],
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

#[test]
fn each_family_of_placeholders() {
    let only = |text: &str, expected: &[&str]| {
        let found: Vec<_> = placeables(Format::PlainText, text)
            .into_iter()
            .filter(|found| found.kind == Placeholder)
            .map(|found| found.span.of(text))
            .collect();
        assert_eq!(found, expected, "{text:?}");
    };
    only(
        "%-10s %5.2f %lld %zu %1$@ %#@files@ %m 100%%",
        &[
            "%-10s",
            "%5.2f",
            "%lld",
            "%zu",
            "%1$@",
            "%#@files@",
            "%m",
            "%%",
        ],
    );
    only(
        "%(name)s {name!r:>10} {} {:.2f} {:?} {0[key]} {when:%d %b}",
        &[
            "%(name)s",
            "{name!r:>10}",
            "{}",
            "{:.2f}",
            "{:?}",
            "{0[key]}",
            "{when:%d %b}",
        ],
    );
    only(
        "{{count, number}} $t(key) $t(a, {\"n\": f(1)}) ${x}",
        &[
            "{{count, number}}",
            "$t(key)",
            "$t(a, {\"n\": f(1)})",
            "${x}",
        ],
    );
    only(
        "%{x} %<x>.2f #{x} %<not a name>",
        &["%{x}", "%<x>.2f", "#{x}"],
    );
    only("%1 of %2, %L1, %n items", &["%1", "%2", "%L1", "%n"]);
    only("%5 off, %20", &[]);
    only(
        "{0:N2} {1,10} {2:dd MMM yyyy} {a:see the page}",
        &["{0:N2}", "{1,10}", "{2:dd MMM yyyy}"],
    );
    only(
        "{{{raw}}} {{#if a}} {% if b %} {# note #} <%= c %> <?php d ?> $USER$ US$ A$",
        &[
            "{{{raw}}}",
            "{{#if a}}",
            "{% if b %}",
            "{# note #}",
            "<%= c %>",
            "<?php d ?>",
            "$USER$",
        ],
    );
    only("%Y-%m-%d", &["%Y", "%m", "%d"]);
    only("{...} {!} {,} {", &[]);
}

#[test]
fn messages_are_read_with_their_branches() {
    let branches = |text: &str| -> Vec<String> {
        let messages = message::find(text).messages;
        let all = messages.iter().flat_map(|message| &message.branches);
        all.map(|(selector, span)| format!("{selector}={}", span.of(text)))
            .collect()
    };
    assert_eq!(
        branches("{n, plural, offset:1 =0{none}one{one of {x}} other{'{'#'}' it''s}}"),
        ["=0=none", "one=one of {x}", "other='{'#'}' it''s"]
    );
    assert_eq!(
        branches("{a, select, x {{n, plural, other {#}}} other {}}"),
        ["x={n, plural, other {#}}", "other=", "other=#"]
    );
    for broken in [
        "{n, plural, one {x}",
        "{n, plural, }",
        "{n, plural}",
        "{n, number, other {x}}",
        "{n, plural, one x other {y}}",
        "{n, plural, other {it's '{ open}}",
    ] {
        assert!(branches(broken).is_empty(), "{broken}");
    }
}

#[test]
fn tags_are_elements_or_closed() {
    check_in(
        Format::PlainText,
        "<b>x</b> <file> <Link>y</Link> <x id=\"1\"/> <!-- z --> <BR> a < b",
        &[
            (Tag, "<b>"),
            (Tag, "</b>"),
            (Tag, "<Link>"),
            (Tag, "</Link>"),
            (Tag, "<x id=\"1\"/>"),
            (Tag, "<!-- z -->"),
            (Tag, "<BR>"),
        ],
    );
}

#[test]
fn values_that_are_read_are_no_part_of_their_tag() {
    let text = "A <img src=\"a.png\" alt=\"One {n} pump\" title='x'> <a href=b title=\"\">b</a> <!-- alt=\"c\" -->";
    let expected = [
        (Tag, "<img src=\"a.png\" alt=\""),
        (Placeholder, "{n}"),
        (Tag, "\" title='"),
        (Tag, "'>"),
        (Tag, "<a href=b title=\"\">"),
        (Tag, "</a>"),
        (Tag, "<!-- alt=\"c\" -->"),
    ];
    for format in [Format::Markdown, Format::Html] {
        check_in(format, text, &expected);
    }
    // Codes in the strings of programs stay whole.
    check_in(
        Format::Json,
        "<b title=\"One\">a</b>",
        &[(Tag, "<b title=\"One\">"), (Tag, "</b>")],
    );
}

proptest! {
    #[test]
    fn spans_are_ordered_disjoint_and_on_boundaries(
        text in "([-a *_~`$%{}<>\\[\\]()!\\\\\"'&;:#.,/@0-9é中\n=?]|https://|\\]\\(|n, plural, |other |\\{x, select, |<!--|%Y|<b |alt=\"|title='){0,40}",
        syntaxes in syntaxes(),
    ) {
        let mut end = 0;
        for found in find(syntaxes, &text) {
            prop_assert!(found.span.start >= end && found.span.end > found.span.start);
            prop_assert!(text.get(found.span.start..found.span.end).is_some());
            end = found.span.end;
        }
    }
}

/// Any combination of syntaxes.
fn syntaxes() -> impl Strategy<Value = Syntaxes> {
    let markups = vec![
        Markup::Backticks,
        Markup::Markdown,
        Markup::ReStructuredText,
        Markup::AsciiDoc,
        Markup::Tags,
    ];
    let markup = prop::sample::select(markups);
    let flags = any::<(bool, bool, bool)>();
    (markup, flags).prop_map(|(markup, (is_prose, has_entities, shows_tags))| Syntaxes {
        markup,
        is_prose,
        has_entities,
        shows_tags,
    })
}
