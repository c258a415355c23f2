//! What the product makes of a case's files: its documents and units, and what it writes when every unit is
//! confirmed. Owns collecting; must not judge.

use anyhow::{Context, Result};
use diglot_api::view::document::DocumentView;
use diglot_api::view::project::ReasonView;
use diglot_document::{Document, LanguagePair, LanguageTag, ParseOptions, render_target};
use diglot_testkit::marked as marked_text;

use super::apply::Applied;
use super::case::Case;
use super::folder::{self, Files, Input};
use super::play::Played;
use super::report::Report;
use crate::host::Host;

/// Cases with more units are written by the text model alone, since each confirmation costs a commit.
const MAX_CONFIRMED: usize = 300;

/// Holds what was seen.
pub(crate) struct Evidence {
    pub(crate) input: Input,
    pub(crate) language: String,
    pub(crate) documents: Vec<Seen>,
    /// Files that the product refuses, with its reason.
    pub(crate) refused: Vec<(String, ReasonView)>,
    /// What is written when every unit is confirmed with its own source; nothing for files that hold both sides,
    /// where that is a translation like any other.
    pub(crate) same: Written,
    /// What is written when every unit is confirmed with its source between markers.
    pub(crate) marked: Written,
    pub(crate) played: Option<Played>,
    pub(crate) applied: Option<Applied>,
}

/// Holds a document as the product shows it and as the text model reads it.
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) view: DocumentView,
    pub(crate) document: Document,
}

/// Holds what a run left on the disk.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) targets: Files,
    /// The project's files afterwards.
    pub(crate) sources: Files,
    /// What was refused, in words.
    pub(crate) refusals: Vec<String>,
}

impl Evidence {
    /// Opens the files and confirms them whole, twice.
    pub(crate) async fn collect(case: &Case, input: Input) -> Result<Self> {
        let language = case.language();
        let place = input.fresh()?;
        let host = Host::open(&place.data, &place.root, None).await?;
        let files = host.project.files.iter();
        let refused = files
            .filter_map(|file| Some((file.path.clone(), file.reason?)))
            .collect();
        let (same, marked) = (Written::default(), Written::default());
        let (documents, played, applied) = (Vec::new(), None, None);
        let mut evidence = Self {
            input,
            language,
            documents,
            refused,
            same,
            marked,
            played,
            applied,
        };
        if host.documents().is_empty() {
            host.close().await;
            return Ok(evidence);
        }
        evidence.documents = evidence.read(&host).await?;
        host.close().await;
        let own = |seen: &Seen, source: &str| {
            let is_bilingual = seen.document.format.is_bilingual();
            (!is_bilingual).then(|| source.to_owned())
        };
        evidence.same = evidence.confirm_all(own).await?;
        let marked = |_: &Seen, source: &str| Some(marked_text(source));
        evidence.marked = evidence.confirm_all(marked).await?;
        Ok(evidence)
    }

    /// Reads every document as the product shows it and as the text model reads it.
    async fn read(&self, host: &Host) -> Result<Vec<Seen>> {
        let session = host.session(&self.language).await?.session.id;
        let mut documents = Vec::new();
        for path in host.documents() {
            let view = host.document(session, &path).await?;
            let bytes = self
                .input
                .files
                .get(&path)
                .with_context(|| format!("{path} is invented"))?;
            let options = ParseOptions {
                encoding: Some(view.encoding.clone()),
                target: LanguageTag::parse(&self.language).ok(),
                ..ParseOptions::default()
            };
            let document = Document::open(&path, bytes, &options)
                .map_err(|reason| anyhow::anyhow!("{path} cannot be read: {reason:?}"))?;
            documents.push(Seen {
                path,
                view,
                document,
            });
        }
        Ok(documents)
    }

    /// Ends the case when no file of it can be translated; empty files count as translated.
    pub(crate) fn refuse(&self, report: &mut Report) -> bool {
        let foreign: Vec<String> = self
            .refused
            .iter()
            .filter(|(_, reason)| *reason != ReasonView::Empty)
            .map(|(path, reason)| format!("{path} ({reason:?})"))
            .collect();
        let refuses = self.documents.is_empty() && (!foreign.is_empty() || self.refused.is_empty());
        if refuses {
            report.skip(format!(
                "no file of a format that is built: {}",
                foreign.join(", ")
            ));
        } else if !foreign.is_empty() {
            report
                .unchecked
                .push(format!("refused by the product: {}", foreign.join(", ")));
        }
        refuses
    }

    /// Tells whether every file of a known kind is read.
    pub(crate) fn is_whole(&self) -> bool {
        self.refused
            .iter()
            .all(|(_, reason)| *reason != ReasonView::UnknownFormat)
    }

    /// Returns the languages of the pairs.
    pub(crate) fn languages(&self) -> Option<LanguagePair> {
        let text = self.documents.first().map(|seen| &*seen.document.text);
        let english = LanguageTag::parse("en").ok();
        let source = text
            .and_then(diglot_document::language::detect)
            .or(english)?;
        Some(LanguagePair {
            source,
            target: LanguageTag::parse(&self.language).ok()?,
        })
    }

    /// Returns the targets of the run that the case is about.
    pub(crate) fn outputs(&self) -> &Files {
        if let Some(played) = &self.played {
            return &played.written.targets;
        }
        self.applied
            .as_ref()
            .map_or(&self.marked.targets, |applied| &applied.written.targets)
    }

    /// Confirms every unit of every document with what `target` makes of its source, if anything.
    async fn confirm_all(&self, target: impl Fn(&Seen, &str) -> Option<String>) -> Result<Written> {
        let n_units: usize = self.documents.iter().map(|seen| seen.view.n_units).sum();
        if n_units > MAX_CONFIRMED {
            return self.render_all(target);
        }
        let place = self.input.fresh()?;
        let host = Host::open(&place.data, &place.root, None).await?;
        let session = host.session(&self.language).await?.session;
        let mut refusals = Vec::new();
        for seen in &self.documents {
            for unit in &seen.view.units {
                let Some(target) = target(seen, &unit.source) else {
                    continue;
                };
                if let Err(error) = host
                    .revise(session.id, &seen.path, unit.unit, &target)
                    .await
                {
                    refusals.push(format!("unit {} of {}: {error}", unit.unit, seen.path));
                }
            }
        }
        host.close().await;
        let targets = folder::read(session.target_folder.as_ref())?;
        Ok(Written {
            targets,
            sources: folder::read(&place.root)?,
            refusals,
        })
    }

    fn render_all(&self, target: impl Fn(&Seen, &str) -> Option<String>) -> Result<Written> {
        let mut targets = Files::new();
        for seen in &self.documents {
            let segments = seen.document.segments.iter();
            let texts: Vec<Option<String>> = segments
                .map(|segment| target(seen, &segment.source))
                .collect();
            let find = |ordinal: usize| texts.get(ordinal)?.as_deref();
            targets.insert(seen.path.clone(), render_target(&seen.document, find)?);
        }
        Ok(Written {
            targets,
            sources: self.input.files.clone(),
            refusals: Vec::new(),
        })
    }
}
