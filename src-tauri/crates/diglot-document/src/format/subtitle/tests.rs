use proptest::prelude::*;

use super::*;
use crate::Format;
use crate::format::proof::{check, parse, prove, render, sources};

const FILM: &str = "\u{FEFF}7\r\n00:00:01,000 --> 00:00:02,500 X1:5\r\nAre you\r\nthere?\r\n\r\n7\r\n00:00:05.000 --> 00:00:06.000\r\n{\\an8}<i>Yes.</i>\r\n\r\n3\r\n00:00:07,000 --> 00:00:08,000\r\n♪ ♪\r\n\r\n00:00:09,000 --> 00:00:10,000\r\n42\r\n\r\nand more\r\n\r\n9\r\n00:00:11,000 --> 00:00:12,000\r\n";

#[test]
fn texts_of_cues_are_units() {
    let text = FILM.trim_start_matches('\u{FEFF}');
    check(
        Format::SubRip,
        text,
        &["Are you\nthere?", "{\\an8}<i>Yes.</i>", "42\n\nand more"],
    );
    check(
        Format::SubRip,
        "1\n00:00:01,000 --> 00:00:02,000\nNo end",
        &["No end"],
    );
    check(Format::SubRip, "Just text --> no times\n\n1\n", &[]);
    check(Format::SubRip, "", &[]);
}

#[test]
fn only_cues_of_a_vtt_file_are_units() {
    let text = "WEBVTT - sample\nKind: captions\n\nNOTE not this\nnor this\n\nSTYLE\n::cue(.big) { color: red }\n\nintro-1\n00:00:01.000 --> 00:00:02.000 line:70%\n<v Anna>Good &amp; morning.\n- Yes\n\n00:03.000 --> 00:04.000\n\n\n00:05.000 --> 00:06.000\nWait <00:00:07.500>for me.";
    check(
        Format::WebVtt,
        text,
        &[
            "<v Anna>Good &amp; morning.\n- Yes",
            "Wait <00:00:07.500>for me.",
        ],
    );
}

#[test]
fn a_target_stays_one_cue() {
    let text = FILM.trim_start_matches('\u{FEFF}');
    for (target, expected) in [
        ("One\n\n \nTwo\nThree", "One\r\nTwo\r\nThree"),
        ("One\r\nTwo", "One\r\nTwo"),
        (
            "5\n00:00:01,000 --> 00:00:02,000",
            "5 00:00:01,000 --> 00:00:02,000",
        ),
    ] {
        let output = render(Format::SubRip, text, 0, target);
        assert_eq!(output, text.replace("Are you\r\nthere?", expected));
    }
    let vtt = "WEBVTT\n\n00:01.000 --> 00:02.000\nGo";
    assert_eq!(
        render(Format::WebVtt, vtt, 0, "a --> b\n\nc"),
        "WEBVTT\n\n00:01.000 --> 00:02.000\na --&gt; b\nc"
    );
}

/// What a target reads back as: line ends alike, no blank lines.
fn expected(target: &str) -> String {
    let lines: Vec<&str> = target
        .split(['\n', '\r'])
        .filter(|line| !is_blank(line))
        .collect();
    lines.join("\n").trim().to_owned()
}

#[test]
fn marks_that_never_close_take_linear_time() {
    assert!(!has_words(&"<".repeat(1_000_000)));
    assert!(!has_words(&"{".repeat(1_000_000)));
    assert!(!has_words(&"<{>".repeat(300_000)));
    assert!(has_words("< {a} b") && has_words("{ <a> b"));
}

proptest! {
    #[test]
    fn any_target_reads_back_and_leaves_the_others(target in "[a-z0-9 :,.>\\-\r\n\u{2028}é日{}<]{0,40}", ordinal in 0..2_usize) {
        let vtt = "WEBVTT\n\n1\n00:01.000 --> 00:02.000\nOne\nmore\n\n00:01.000 --> 00:02.000\nTwo\n";
        for (format, text) in [(Format::SubRip, FILM.trim_start_matches('\u{FEFF}')), (Format::WebVtt, vtt)] {
            let document = parse(format, text);
            let mut wanted: Vec<String> = sources(&document).iter().map(ToString::to_string).collect();
            let read = expected(&target);
            if is_timing(&target) || read.lines().skip(1).any(is_timing) || !has_words(&read) {
                continue;
            }
            wanted[ordinal] = if format == Format::WebVtt { read.replace("-->", "--&gt;") } else { read };
            let output = render(format, text, ordinal, &target);
            let again = parse(format, &output);
            prop_assert_eq!(sources(&again), wanted);
        }
    }

    #[test]
    fn any_text_keeps_its_bytes(text in "([0-9]{1,2}|00:01:02,000 --> 00:01:04,000|WEBVTT|[a-z<>{}&\\\\]{0,8}|\r|\n|\r\n| ){0,30}") {
        prove(&parse(Format::SubRip, &text));
        prove(&parse(Format::WebVtt, &text));
    }
}
