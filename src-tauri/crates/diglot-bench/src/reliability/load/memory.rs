//! P36: a large translation memory, filled by the store's bulk path and asked for texts that it has, and nearly has.

use std::time::Duration;

use anyhow::Result;
use diglot_agent::ProjectPath;
use diglot_agent::store::TmPair;
use diglot_document::{LanguagePair, LanguageTag};
use diglot_store::Store;
use diglot_testkit::Promise;

use super::time::Watch;
use super::{Scale, milliseconds, quantile};
use crate::reliability::Bench;
use crate::samples::prose::{Dice, word};

/// Words of the language, and of a text at most.
const VOCABULARY: usize = 30_000;
const WORDS: usize = 18;
/// Pairs that are added at once.
const BATCH: usize = 10_000;
/// Texts that are looked up.
const ASKED: usize = 200;
/// Units that a chunk looks up when it opens.
const CHUNK: usize = 40;

/// Measures the promise.
pub(in crate::reliability) fn run(bench: &Bench) -> Result<Vec<Promise>> {
    let scale = Scale::of_build();
    let n_entries = bench.depth.pick(50_000, 1_000_000);
    let place = tempfile::tempdir()?;
    let store = Store::open(&place.path().join("diglot.db"), 1)?.store;
    let languages = LanguagePair {
        source: LanguageTag::parse("en")?,
        target: LanguageTag::parse("de")?,
    };
    let texts = Texts::new();
    let watch = Watch::here();
    for first in (0..n_entries).step_by(BATCH) {
        let pairs: Vec<TmPair> = (first..first + BATCH)
            .map(|number| pair(&languages, texts.text(number)))
            .collect();
        store.add_pairs(&pairs, 1)?;
    }
    let imported = watch.elapsed();
    let mut seen = Seen::default();
    for place in 0..ASKED {
        let text = texts.text(place * (n_entries / ASKED));
        let ask = |text: &str| -> Result<(bool, Duration)> {
            let watch = Watch::here();
            let found = store.find_matches(&languages, text)?;
            let first = found.first().map(|found| found.target.clone());
            Ok((
                first == Some(target(&texts.text(place * (n_entries / ASKED)))),
                watch.elapsed(),
            ))
        };
        let (is_found, time) = ask(&text)?;
        seen.n_exact += usize::from(is_found);
        seen.exact.push(time);
        let (is_found, time) = ask(&changed(&text, place))?;
        seen.n_fuzzy += usize::from(is_found);
        seen.fuzzy.push(time);
    }
    Ok(vec![line(scale, n_entries, imported, &seen)])
}

#[derive(Default)]
struct Seen {
    exact: Vec<Duration>,
    fuzzy: Vec<Duration>,
    n_exact: usize,
    n_fuzzy: usize,
}

fn line(scale: Scale, n_entries: usize, imported: Duration, seen: &Seen) -> Promise {
    let limit = 60 * n_entries as u64 / 1_000;
    let (exact, fuzzy) = (quantile(&seen.exact, 99), quantile(&seen.fuzzy, 95));
    let chunk: Duration = seen.fuzzy.iter().take(CHUNK).sum();
    let is_held = imported <= scale.time(limit)
        && exact <= scale.time(20)
        && fuzzy <= scale.time(150)
        && seen.n_exact == ASKED
        && seen.n_fuzzy * 100 >= ASKED * 95;
    let figure = format!(
        "{n_entries} entries: filled in {} s, exact in {} (p99), fuzzy in {} (p95), {} of {ASKED} found, a chunk of {CHUNK} in {}",
        imported.as_secs(),
        milliseconds(exact),
        milliseconds(fuzzy),
        seen.n_fuzzy,
        milliseconds(chunk),
    );
    let goal = format!("filled <= {limit} ms, exact <= 20 ms, fuzzy <= 150 ms, found >= 95 %");
    Promise::new(36, is_held, figure, &scale.told(&goal))
}

/// Makes texts of words that are the rarer the later they stand in the vocabulary.
struct Texts {
    words: Vec<String>,
}

impl Texts {
    fn new() -> Self {
        let mut dice = Dice::new(7);
        let name = |place| format!("{}{}", word(&mut dice), word(&mut Dice::new(place)));
        Self {
            words: (0..VOCABULARY as u32).map(name).collect(),
        }
    }

    fn text(&self, number: usize) -> String {
        let mut dice = Dice::new(
            u32::try_from(number)
                .unwrap_or_default()
                .wrapping_mul(2_654_435_761),
        );
        let n_words = 6 + dice.below(WORDS - 6);
        let pick = |_| {
            // Even in the logarithm of the rank, which is nearly Zipf's law.
            let bits = dice.below(15);
            let rank = (1 << bits) + dice.below(1 << bits);
            self.words.get(rank % VOCABULARY).map_or("", String::as_str)
        };
        let words: Vec<&str> = (0..n_words).map(pick).collect();
        words.join(" ")
    }
}

fn pair(languages: &LanguagePair, source: String) -> TmPair {
    TmPair {
        languages: languages.clone(),
        target: target(&source),
        source,
        previous: None,
        next: None,
        path: ProjectPath::root(),
    }
}

fn target(source: &str) -> String {
    format!("\u{27e6}{source}\u{27e7}")
}

/// Exchanges one word of a text.
fn changed(text: &str, place: usize) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    let n_words = words.len();
    if let Some(word) = words.get_mut(place % n_words) {
        *word = "valve";
    }
    words.join(" ")
}
