//! Every state that the documents of a job ever had: which units were confirmed after how many decisions, and the
//! target that must come of it. Owns the oracle; the bytes come from the same text model as the product's.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context, Result};
use diglot_document::{Document, WhenMissing, render_target_with};

use super::job::{Decided, Unit};

/// Holds the documents and the targets that they ever had.
#[derive(Clone)]
pub(super) struct Generations {
    documents: BTreeMap<String, Document>,
    /// Hash of a target, and after how many decisions it was first right.
    known: BTreeMap<String, HashMap<String, usize>>,
}

impl Generations {
    pub(super) fn new(documents: BTreeMap<String, Document>) -> Self {
        Self {
            documents,
            known: BTreeMap::new(),
        }
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.documents.keys().map(String::as_str)
    }

    /// Lists the units of all documents with their sources.
    pub(super) fn units(&self) -> impl Iterator<Item = (Unit, &str)> {
        self.documents.iter().flat_map(|(name, document)| {
            let numbered = document.segments.iter().zip(1_usize..);
            numbered.map(move |(segment, unit)| ((name.clone(), unit), segment.source.as_ref()))
        })
    }

    pub(super) fn n_units(&self) -> usize {
        let lengths = self
            .documents
            .values()
            .map(|document| document.segments.len());
        lengths.sum()
    }

    /// Takes note of the target that the last of `n` decisions makes.
    pub(super) fn note(&mut self, decided: &[Decided], n: usize) -> Result<()> {
        let Some(last) = decided.last() else {
            return Ok(());
        };
        if last.deed.target().is_none() {
            return Ok(());
        }
        let name = last.unit.0.clone();
        let hash = hash(&self.render(&name, decided)?);
        self.known.entry(name).or_default().entry(hash).or_insert(n);
        Ok(())
    }

    /// Renders a target.
    pub(super) fn render(&self, name: &str, decided: &[Decided]) -> Result<Vec<u8>> {
        let document = self.documents.get(name).context("no such document")?;
        let confirmed = confirmed(decided);
        let target = |ordinal: usize| confirmed.get(&(name.to_owned(), ordinal + 1)).copied();
        render_target_with(document, WhenMissing::default(), target)
            .map_err(|error| anyhow::anyhow!("{name}: {error}"))
    }

    /// Tells after how many decisions a target was right; `None` for bytes that never were.
    pub(super) fn of(&self, name: &str, hash: &str) -> Option<usize> {
        self.known.get(name)?.get(hash).copied()
    }
}

/// Returns what is confirmed after these decisions.
pub(super) fn confirmed(decided: &[Decided]) -> BTreeMap<Unit, &str> {
    let targets = decided
        .iter()
        .filter_map(|at| Some((at.unit.clone(), at.deed.target()?)));
    targets.collect()
}

/// Names bytes as the product does.
pub(super) fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex().to_string()
}
