//! Takes every small file of the repository there and back, and samples of our own making with each kind of line end.

use std::fs;
use std::path::Path;

use diglot_bench::roundtrip::{self, Tally};
use diglot_bench::samples::samples;

const FOLDERS: [&str; 2] = [
    "../diglot-document/tests/fixtures",
    "../../../tests/fixtures",
];

#[test]
fn every_fixture_comes_back_byte_for_byte() {
    let mut tally = Tally::default();
    for folder in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        for path in roundtrip::files(&folder).unwrap() {
            let name = path.to_str().unwrap();
            tally.add(name, &roundtrip::judge(name, &fs::read(&path).unwrap()));
        }
    }
    assert!(tally.n_files() >= 50, "{tally}");
    assert!(tally.faults().is_empty(), "{tally}");
}

#[test]
fn every_sample_comes_back_with_each_kind_of_line_end() {
    let mut tally = Tally::default();
    for sample in samples() {
        let bytes = sample.repeated(3);
        let Ok(text) = String::from_utf8(bytes.clone()) else {
            tally.add(sample.name, &roundtrip::judge(sample.name, &bytes));
            continue;
        };
        let marked = format!("\u{feff}{text}");
        for text in [
            text.replace('\n', "\r\n"),
            text.replace('\n', "\r"),
            marked,
            text,
        ] {
            tally.add(sample.name, &roundtrip::judge(sample.name, text.as_bytes()));
        }
    }
    assert!(tally.n_formats() >= 2, "{tally}");
    assert!(tally.faults().is_empty(), "{tally}");
}
