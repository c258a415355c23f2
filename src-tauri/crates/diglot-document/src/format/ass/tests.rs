use proptest::prelude::*;

use crate::Format;
use crate::format::proof::{check, parse, prove, render, sources};

const FILM: &str = "[Script Info]\r\nTitle: Film\r\n\r\n[V4+ Styles]\r\nFormat: Name, Fontname\r\nStyle: Default,Arial\r\n\r\n[Events]\r\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\r\nDialogue: 0,0:00:01.00,0:00:02.00,Default,Anna,0,0,0,,{\\an8}Hello, you\\Nthere\r\nComment: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Not this\r\nDialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\p1}m 0 0 l 5 5{\\p0}\r\nDialogue: 0,0:00:03.00,0:00:04.00,Default,,0,0,0,,{\\fad(1,2)}\\N\r\nDialogue: 0,0:00:05.00,0:00:06.00,Default,,0,0,0,,Bye\r\n";

#[test]
fn dialogue_is_text() {
    check(
        Format::SubStation,
        FILM,
        &["{\\an8}Hello, you\\Nthere", "Bye"],
    );
    let document = parse(Format::SubStation, FILM);
    assert_eq!(document.segments[0].hints.note.as_deref(), Some("Anna"));
    let short = "[Events]\nFormat: Start, End, Text\nDialogue: 1,2,a, b\nDialogue: 1";
    check(Format::SubStation, short, &["a, b"]);
}

#[test]
fn a_target_stays_on_its_line() {
    let output = render(Format::SubStation, FILM, 1, "Leb\nwohl, du");
    assert_eq!(output, FILM.replace(",,Bye", ",,Leb\\Nwohl, du"));
}

proptest! {
    #[test]
    fn any_target_reads_back(target in "[a-z, {}\\\\N\r\né]{0,30}x") {
        let output = render(Format::SubStation, FILM, 1, &target);
        let again = parse(Format::SubStation, &output);
        let wanted = target.trim().replace("\r\n", "\n").replace(['\n', '\r'], "\\N");
        prop_assume!(super::has_words(&wanted) && !super::is_drawing(&wanted));
        prop_assert_eq!(again.segments.get(1).map(|s| s.source.as_str()), Some(wanted.as_str()));
        prop_assert_eq!(sources(&again)[0], "{\\an8}Hello, you\\Nthere");
    }

    #[test]
    fn any_text_keeps_its_bytes(text in "(\\[Events\\]|Format:|Dialogue:|[a-z, {}\\\\]{0,9}|\r|\n){0,20}") {
        prove(&parse(Format::SubStation, &text));
    }
}
