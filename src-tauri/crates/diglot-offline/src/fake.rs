//! Stand-ins for tests: an engine that puts one word for another, a translation memory, an executor.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use diglot_agent::matches::{Matches, TmMatch};
use diglot_document::{LanguagePair, LanguageTag};

use crate::align::{Drafter, Link, Translation};

/// Translates word by word; words that it does not know stay.
#[derive(Debug, Default)]
pub(crate) struct WordByWord {
    pub(crate) words: BTreeMap<&'static str, &'static str>,
    /// Swaps the first two words, so that order is no help.
    pub(crate) swaps: bool,
    /// Loses tokens and tells no alignment.
    pub(crate) is_careless: bool,
}

impl WordByWord {
    pub(crate) fn new(words: &[(&'static str, &'static str)]) -> Self {
        Self {
            words: words.iter().copied().collect(),
            ..Self::default()
        }
    }

    fn word(&self, word: &str) -> String {
        let core = word.trim_matches(|c: char| !c.is_alphanumeric());
        match self.words.get(core) {
            Some(known) => word.replacen(core, known, 1),
            None if self.is_careless && crate::mask::holds_tokens(core) => String::new(),
            None => word.to_owned(),
        }
    }
}

impl Drafter for WordByWord {
    fn translate(&self, text: &str) -> Translation {
        let mut source = Vec::new();
        let mut at = text.len() - text.trim_start().len();
        let head = text.get(..at).unwrap();
        let tail = text.get(text.trim_end().len()..).unwrap();
        for word in text.trim().split(' ') {
            source.push(at..at + word.len());
            at += word.len() + 1;
        }
        if self.swaps && source.len() > 1 {
            source.swap(0, 1);
        }
        let mut out = Translation {
            text: head.to_owned(),
            links: Vec::new(),
        };
        for (n, range) in source.into_iter().enumerate() {
            if n > 0 {
                out.text.push(' ');
            }
            let start = out.text.len();
            out.text
                .push_str(&self.word(text.get(range.clone()).unwrap()));
            out.links.push(Link {
                target: start..out.text.len(),
                source: range,
                share: 1.0,
            });
        }
        if self.is_careless {
            out.links.clear();
        }
        out.text.push_str(tail);
        out
    }
}

/// Returns the same matches for every source.
pub(crate) struct Stored(pub(crate) Vec<TmMatch>);

impl Matches for Stored {
    fn find(&self, _source: &str) -> Vec<TmMatch> {
        self.0.clone()
    }
}

pub(crate) fn found(percent: u8, target: &str) -> TmMatch {
    TmMatch {
        percent,
        source: String::new(),
        target: target.to_owned(),
    }
}

pub(crate) fn pair(source: &str, target: &str) -> LanguagePair {
    LanguagePair {
        source: LanguageTag::parse(source).unwrap(),
        target: LanguageTag::parse(target).unwrap(),
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Runs a future on this thread.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut context) {
            return value;
        }
        thread::park();
    }
}
