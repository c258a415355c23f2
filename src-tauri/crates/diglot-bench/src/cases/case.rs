//! A case folder as it is read. Owns which files may lie in it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use diglot_document::language;
use diglot_testkit::Script;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::expect::Expect;
use super::scenario::Step;

/// State and input that the runner has no way to load.
const STATE: &[&str] = &["ops.json", "events.json", "typed.txt"];

/// What the product has learnt before.
const MEMORY: &str = "memory.json";

/// Holds a term of `memory.json`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Term {
    pub(crate) source: String,
    pub(crate) target: String,
}

/// Holds a case.
pub(crate) struct Case {
    pub(crate) folder: PathBuf,
    pub(crate) expect: Expect,
    pub(crate) script: Option<Script>,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) terms: Vec<Term>,
    pub(crate) scenario: Vec<Step>,
    /// A conversation that comes before the script, in the messages of the protocol.
    pub(crate) history: Vec<Value>,
}

/// Holds an entry of `apply.json`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Pair {
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) translation: String,
    /// What the model had said.
    pub(crate) proposal: Option<String>,
    #[serde(default)]
    pub(crate) decision: Decision,
    #[serde(default)]
    pub(crate) reason: String,
    /// With a verdict the pair is only judged.
    pub(crate) verdict: Option<Judgment>,
}

/// Names what a reviewer does with a pair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Decision {
    #[default]
    Approve,
    Refine,
    Reject,
}

/// Names what the checks must say of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Judgment {
    Good,
    Bad,
}

impl Case {
    /// Reads a case folder.
    pub(crate) fn read(folder: &Path) -> Result<Self> {
        let expect = fs::read_to_string(folder.join("expect.md")).context("expect.md")?;
        let expect = Expect::read(&expect).context("expect.md")?;
        let script = optional(&folder.join("model.json"))?;
        let script = script
            .map(|text| Script::read(&text))
            .transpose()
            .context("model.json")?;
        Ok(Self {
            folder: folder.to_owned(),
            expect,
            script,
            pairs: read_json(folder, "apply.json")?,
            terms: read_json(folder, MEMORY).unwrap_or_default(),
            scenario: read_json(folder, "scenario.json")?,
            history: read_json(folder, "history.json")?,
        })
    }

    /// Returns a file that the case needs and the runner cannot load: terms alone are loaded, for pairs alone.
    pub(crate) fn unknown_state(&self) -> Option<&'static str> {
        let is_loaded = !self.terms.is_empty() && !self.applies() && !self.has_script();
        if self.folder.join(MEMORY).exists() && !is_loaded {
            return Some(MEMORY);
        }
        STATE
            .iter()
            .copied()
            .find(|name| self.folder.join(name).exists())
    }

    /// Tells whether a model is scripted.
    pub(crate) fn has_script(&self) -> bool {
        self.script.is_some()
    }

    /// Tells whether pairs are to be written.
    pub(crate) fn applies(&self) -> bool {
        self.pairs.iter().any(|pair| pair.verdict.is_none())
    }

    /// Returns the language to translate into: that of the script, else that of the pairs, else German.
    pub(crate) fn language(&self) -> String {
        if let Some(script) = &self.script {
            return script.target_language.clone();
        }
        let text: Vec<&str> = self
            .pairs
            .iter()
            .map(|pair| pair.translation.as_str())
            .collect();
        let german = || "de".to_owned();
        language::detect(&text.join("\n")).map_or_else(german, |tag| tag.as_str().to_owned())
    }

    /// Returns the path of the project inside `in/`; empty for `in/` itself.
    pub(crate) fn root(&self) -> &str {
        let root = self
            .script
            .as_ref()
            .and_then(|script| script.root.as_deref());
        let root = root.unwrap_or_default();
        root.strip_prefix("in")
            .map_or(root, |rest| rest.trim_start_matches('/'))
            .trim_matches('/')
    }
}

fn optional(path: &Path) -> Result<Option<String>> {
    if !path.is_file() {
        return Ok(None);
    }
    fs::read_to_string(path)
        .map(Some)
        .with_context(|| path.display().to_string())
}

fn read_json<T: DeserializeOwned>(folder: &Path, name: &str) -> Result<Vec<T>> {
    let Some(text) = optional(&folder.join(name))? else {
        return Ok(Vec::new());
    };
    serde_json::from_str(&text).with_context(|| name.to_owned())
}
