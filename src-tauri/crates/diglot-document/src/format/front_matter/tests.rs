use super::*;

/// Reads a text, and compares the values and the body.
fn check(text: &str, expected: &[&str], body: &str) {
    let matter = read(text);
    let found: Vec<_> = matter
        .pieces
        .iter()
        .map(|piece| piece.span.of(text))
        .collect();
    assert_eq!(
        (found.as_slice(), text.get(matter.end..).unwrap()),
        (expected, body)
    );
}

#[test]
fn prose_values_are_found_in_every_style() {
    let text = "---\n\
        title: \"Say \\\"hi\\\": now\" # note\n\
        description: 'It''s here'\n\
        subtitle: Plain words # note\n\
        summary: Two\n  lines\n\
        slug: pump-manual\n\
        date: 2024-05-01\n\
        tags: [water, \"set-up\"]\n\
        ---\nBody";
    check(
        text,
        &[
            "Say \\\"hi\\\": now",
            "It''s here",
            "Plain words",
            "Two\n  lines",
        ],
        "Body",
    );
}

#[test]
fn block_scalars_and_nested_keys_keep_to_their_indentation() {
    let text = "---\n\
        hero:\n  tagline: Fast\n  actions:\n    - text: Get started\n      link: /start\n\
        script: |\n  title: no\n\
        description: >-\n  How to mount\n  the pump.\n\n  Then run it.\n\
        weight: 1\n...\n";
    check(
        text,
        &[
            "Fast",
            "Get started",
            "How to mount\n  the pump.",
            "Then run it.",
        ],
        "",
    );
}

#[test]
fn toml_strings_are_found_outside_of_long_ones() {
    let text = "+++\ntitle = \"A pump\"\nsummary = 'B'\nweight = 10\nbody = \"\"\"\n\
        title = \"no\"\n\"\"\"\ndescription = \"C\"\n+++\nBody";
    check(text, &["A pump", "B", "C"], "Body");
}

#[test]
fn a_rule_is_no_front_matter() {
    for text in [
        "---\n\nText\n\n---\n",
        "---\nText\n---\n",
        "----\na: b\n---\n",
        "Text\n---\n",
        "---",
    ] {
        check(text, &[], text);
    }
    check("---\n---\nText", &[], "Text");
}

#[test]
fn what_never_closes_is_reported() {
    let matter = read("---\ntitle: a\n\nText\n");
    assert_eq!((matter.end, matter.unclosed), (0, Some(0)));
}
