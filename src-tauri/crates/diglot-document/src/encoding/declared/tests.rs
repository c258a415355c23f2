use super::*;

/// Finds the declarations of a text, and what it is in UTF-8's name.
fn check(text: &str, labels: &[&str], converted: &str) {
    let found = find(text);
    let named: Vec<&str> = found.iter().map(|one| one.span.of(text)).collect();
    assert_eq!(named, labels, "{text}");
    assert_eq!(renamed(text), converted);
}

#[test]
fn declarations_are_found_and_only_they_change() {
    for (text, labels, converted) in [
        (
            "<?xml version='1.0' encoding = 'ISO-8859-1' standalone=\"yes\"?>\n<a encoding='x'/>",
            &["ISO-8859-1"][..],
            "<?xml version='1.0' encoding = 'UTF-8' standalone=\"yes\"?>\n<a encoding='x'/>",
        ),
        (
            "<?xml version='1.0'?><a/>",
            &[],
            "<?xml version='1.0'?><a/>",
        ),
        (
            "<!DOCTYPE html>\n<!-- <meta charset=a> -->\n<meta name=x content=y><META CHARSET=latin1>",
            &["latin1"],
            "<!DOCTYPE html>\n<!-- <meta charset=a> -->\n<meta name=x content=y><META CHARSET=utf-8>",
        ),
        (
            "<html><meta content=\"text/html; charset=Big5\" http-equiv='Content-Type'/>",
            &["Big5"],
            "<html><meta content=\"text/html; charset=UTF-8\" http-equiv='Content-Type'/>",
        ),
        (
            "<?xml version=\"1.0\" encoding=\"koi8-r\"?><html><meta charset='koi8-r' />",
            &["koi8-r", "koi8-r"],
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><html><meta charset='utf-8' />",
        ),
        (
            "# Title\n\n#, fuzzy\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-2\\n\"\n\nmsgid \"a\"\n",
            &["ISO-8859-2"],
            "# Title\n\n#, fuzzy\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n\nmsgid \"a\"\n",
        ),
        (
            "@charset \"Shift_JIS\";\na {}",
            &["Shift_JIS"],
            "@charset \"UTF-8\";\na {}",
        ),
        (
            "# -*- mode: x; coding: latin-1-unix; -*-\ntext",
            &["latin-1-unix"],
            "# -*- mode: x; coding: utf-8-unix; -*-\ntext",
        ),
        (
            "#!/bin/x\n# encoding: euc-jp\n",
            &["euc-jp"],
            "#!/bin/x\n# encoding: utf-8\n",
        ),
        (
            "a\nb\nc\n% vim: set fileencoding=cp1251 ts=2:",
            &["cp1251"],
            "a\nb\nc\n% vim: set fileencoding=utf-8 ts=2:",
        ),
    ] {
        check(text, labels, converted);
    }
}

#[test]
fn what_only_looks_like_a_declaration_is_text() {
    for text in [
        "",
        "Write `<meta charset=\"latin1\">` into the head.",
        "# Encoding: latin1 and others",
        "# coding: klingon-8",
        "text\n\nmsgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=ISO-8859-2\\n\"\n",
        "<?xml version='1.0' encoding",
        "<?xml version='1.0' encoding='",
        "<html><meta charset",
        "<html><meta charset=",
        "<meta charset='",
        "<meta http-equiv=content-type content='text/html; charset'>",
        "<meta http-equiv=refresh content='text/html; charset=latin1'>",
        " @charset \"x\"",
    ] {
        check(text, &[], text);
    }
    let late = format!("<html>{}<meta charset=latin1>", " ".repeat(1024));
    check(&late, &[], &late);
}

#[test]
fn the_word_of_a_template_declares_nothing() {
    let text = "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CHARSET\\n\"\n";
    let charsets: Vec<Charset> = find(text).into_iter().map(|one| one.charset).collect();
    assert_eq!(charsets, [Charset::Unset]);
}
