//! A short run of hostile input against every format, with a fixed seed.

use std::time::Duration;

use diglot_bench::formats;
use diglot_bench::fuzz::{self, Plan};
use diglot_bench::samples::{Sample, samples};

/// Time for mutations of one kind of file, once its share of the bombs was tried.
const TIME: Duration = Duration::from_secs(2);
/// One of so many bombs is tried; the command tries them all.
const SHARE: usize = 4;

/// Runs one kind of file; tells which laws were broken.
fn run(place: usize, sample: &Sample) -> Vec<String> {
    let found = fuzz::run(Plan {
        name: sample.name.to_owned(),
        seeds: vec![sample.repeated(3)],
        long: sample.sized(100_000),
        time: TIME,
        seed: place as u64,
        share: SHARE,
        trace: None,
        measures_memory: false,
    });
    let found = found.unwrap();
    assert!(
        found.n_cases > 20,
        "{}: {} inputs",
        sample.name,
        found.n_cases
    );
    let faults = found.faults.iter();
    faults
        .map(|fault| format!("{} case {}: {}", sample.name, fault.case, fault.what))
        .collect()
}

#[test]
fn no_input_breaks_a_law() {
    let samples: Vec<&Sample> = samples()
        .filter(|sample| formats::open(sample.name, &sample.repeated(1)).is_ok())
        .collect();
    let half = |parity: usize| {
        let places = samples.iter().enumerate();
        places
            .filter(|(place, _)| place % 2 == parity)
            .flat_map(|(place, sample)| run(place, sample))
            .collect::<Vec<_>>()
    };
    let broken = std::thread::scope(|scope| {
        let other = scope.spawn(|| half(1));
        [half(0), other.join().unwrap()].concat()
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
