//! How fast each format is read and written, beside what a parser of the field takes alone and what a peer takes.
//! Owns the inputs, which are samples repeated, and the measuring; times are those that the thread works.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::Result;
use diglot_document::{Document, render_target};
use pulldown_cmark::{Options, Parser};
use quick_xml::events::Event;

use super::table::Table;
use crate::clock::Stopwatch;
use crate::formats;
use crate::peers;
use crate::samples::{Sample, samples};

/// Length of an input; unoptimised code gets less of it.
const SIZE: usize = if cfg!(debug_assertions) {
    300_000
} else {
    2_000_000
};
/// Length of an input for the peer, which takes seconds for a megabyte.
const PEER_SIZE: usize = 300_000;
/// How often it is read; the fastest counts.
const TRIES: usize = 3;

/// Measures every format that is built, one row for each sample; `python` is one that has the peers installed.
///
/// # Errors
/// When an input cannot be written for the peer.
pub fn throughput(python: Option<&Path>) -> Result<Table> {
    let mut table = Table::default();
    let heads = [
        "units",
        "parse",
        "and render",
        "parser alone",
        "of it",
        "peer",
    ];
    table.row("MB/s of CPU", &heads.map(str::to_owned));
    for sample in samples() {
        let bytes = sample.sized(SIZE);
        if let Ok(document) = formats::open(sample.name, &bytes) {
            writeln!(io::stderr(), "{} ...", sample.name)?;
            let row = row(sample, &document, python)?;
            table.row(
                &format!("{}, {}", document.format.name(), sample.name),
                &row,
            );
        }
    }
    Ok(table)
}

fn row(sample: &Sample, document: &Document, python: Option<&Path>) -> Result<Vec<String>> {
    let bytes = &document.bytes;
    // A package is measured by the text that is in it, as it is unpacked.
    let length = bytes.len().max(document.text.len());
    let read = || formats::open(sample.name, bytes).ok();
    let parse = fastest(|| drop(read()));
    let targets: Vec<String> = document
        .segments
        .iter()
        .map(|segment| format!("{} x", segment.source))
        .collect();
    let whole = fastest(|| {
        let output = read().map(|document| {
            render_target(&document, |ordinal| {
                targets.get(ordinal).map(String::as_str)
            })
        });
        drop(output);
    });
    let alone = alone(sample.name, &document.text).map(|time| rate(document.text.len(), time));
    let parse = rate(length, parse);
    let ratio = alone.map(|alone| format!("{:.0} %", 100.0 * parse / alone));
    let short = sample.sized(PEER_SIZE);
    let peer = python
        .map(|python| peer(python, sample.name, &short))
        .transpose()?
        .flatten();
    let number = |rate: f64| format!("{rate:.1}");
    Ok(vec![
        document.segments.len().to_string(),
        number(parse),
        number(rate(length, whole)),
        alone.map_or_else(String::new, number),
        ratio.unwrap_or_default(),
        peer.map_or_else(String::new, |time| number(rate(short.len(), time))),
    ])
}

/// Returns the shortest time that the work took.
fn fastest(work: impl Fn()) -> Duration {
    let once = || {
        let watch = Stopwatch::start();
        work();
        watch.elapsed()
    };
    (0..TRIES).map(|_| once()).min().unwrap_or_default()
}

/// Returns megabytes a second.
fn rate(n_bytes: usize, time: Duration) -> f64 {
    let megabytes = f64::from(u32::try_from(n_bytes).unwrap_or(u32::MAX)) / 1e6;
    megabytes / time.as_secs_f64().max(1e-9)
}

/// Returns the time that the parser of the field takes to go through the text and no more: for Markdown, and for
/// what is written as XML. The text of a package is many, and is not measured alone.
fn alone(name: &str, text: &str) -> Option<Duration> {
    match formats::ending(name).as_str() {
        "md" => Some(fastest(|| {
            Parser::new_ext(text, Options::all())
                .into_offset_iter()
                .for_each(drop);
        })),
        _ if text.starts_with('<') => Some(fastest(|| read_xml(text))),
        _ => None,
    }
}

fn read_xml(text: &str) {
    let mut reader = quick_xml::Reader::from_str(text);
    // HTML leaves tags open.
    reader.config_mut().check_end_names = false;
    while !matches!(reader.read_event(), Ok(Event::Eof) | Err(_)) {}
}

/// Returns the time that the peer takes to read the file, where it knows the format.
fn peer(python: &Path, name: &str, bytes: &[u8]) -> Result<Option<Duration>> {
    let folder = tempfile::tempdir()?;
    let file = folder
        .path()
        .join(Path::new(name).file_name().unwrap_or_default());
    fs::write(&file, bytes)?;
    let mut command = Command::new(python);
    command
        .args(["-c", peers::SCRIPT, "--time"])
        .arg(&file)
        .stderr(Stdio::null());
    let Ok(output) = command.output() else {
        return Ok(None);
    };
    let seconds = String::from_utf8_lossy(&output.stdout).trim().parse();
    Ok(seconds.ok().map(Duration::from_secs_f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_megabytes_in_a_second() {
        assert!((rate(3_000_000, Duration::from_millis(1500)) - 2.0).abs() < 1e-9);
    }

    #[test]
    fn parsers_of_the_field_are_found_by_the_text() {
        assert!(alone("a.md", "# One").is_some());
        assert!(alone("a.xlf", "<a><b></a>").is_some());
        assert!(alone("a.json", "{}").is_none());
    }
}
