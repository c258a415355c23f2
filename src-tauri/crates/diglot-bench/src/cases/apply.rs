//! `apply.json` without verdicts: texts that a reviewer approves or refines, written through the product.

use std::collections::BTreeSet;

use anyhow::{Context, Result, bail};
use diglot_api::schema::DecisionRequest;
use diglot_api::view::document::DocumentView;
use diglot_api::view::session::{ProposalView, RequestView};

use super::case::{Case, Decision, Pair};
use super::evidence::{Evidence, Seen, Written};
use super::folder::{self, Input};
use super::report::Report;
use super::{keys, played};
use crate::formats;
use crate::host::Host;
use crate::model::{Draft, Puppet};

/// How often a model is told to go on before its draft must be there.
const TRIES: usize = 4;

/// Holds what came of the pairs.
pub(crate) struct Applied {
    pub(crate) written: Written,
    /// Drafts that the reviewer saw.
    shown: Vec<ProposalView>,
}

/// Writes the pairs.
pub(crate) async fn run(case: &Case, input: &Input) -> Result<Applied> {
    let place = input.fresh()?;
    let puppet = Puppet::start()?;
    let url = puppet.server.base_url();
    let host = Host::open(&place.data, &place.root, Some(&url)).await?;
    let session = host.session(&case.language()).await?.session;
    let mut documents = Vec::new();
    for path in host.documents() {
        documents.push(host.document(session.id, &path).await?);
    }
    let mut taken = BTreeSet::new();
    let (mut refusals, mut shown) = (Vec::new(), Vec::new());
    for pair in case.pairs.iter().filter(|pair| pair.verdict.is_none()) {
        let Some((path, unit)) = find(&documents, pair, &taken) else {
            refusals.push(format!("no unit has the text {:?}", pair.source));
            continue;
        };
        taken.insert((path.clone(), unit));
        let draft = pair.proposal.clone().map(|text| Draft {
            path: path.clone(),
            unit,
            text,
        });
        let answer = match draft {
            None => host
                .revise(session.id, &path, unit, &pair.translation)
                .await
                .map(drop),
            Some(draft) => {
                let seen = propose(&host, &puppet, session.id, draft).await?;
                let answer = decide(&host, session.id, &seen.call_id, pair).await;
                shown.push(seen);
                answer
            }
        };
        if let Err(error) = answer {
            refusals.push(format!("unit {unit} of {path}: {error}"));
        }
    }
    host.close().await;
    let targets = folder::read(session.target_folder.as_ref())?;
    let written = Written {
        targets,
        sources: folder::read(&place.root)?,
        refusals,
    };
    Ok(Applied { written, shown })
}

/// Finds the first open unit with the pair's source, blanks at the edges aside.
fn find(
    documents: &[DocumentView],
    pair: &Pair,
    taken: &BTreeSet<(String, usize)>,
) -> Option<(String, usize)> {
    let units = documents.iter().flat_map(|document| {
        document
            .units
            .iter()
            .map(|unit| (document.path.clone(), unit.unit, &unit.source))
    });
    let mut fitting = units.filter(|(_, _, source)| source.trim() == pair.source.trim());
    fitting
        .find(|(path, unit, _)| !taken.contains(&(path.clone(), *unit)))
        .map(|(path, unit, _)| (path, unit))
}

/// Lets the model propose a draft and returns the request that the reviewer sees.
pub(crate) async fn propose(
    host: &Host,
    puppet: &Puppet,
    session_id: i64,
    draft: Draft,
) -> Result<ProposalView> {
    puppet.wish(Some(draft.clone()));
    let mut view = host.run(session_id).await.context("session_run")?;
    for _ in 0..TRIES {
        let shown = view.requests.iter().find_map(|request| match request {
            RequestView::Translate(shown) if shown.unit == draft.unit => Some(shown.clone()),
            RequestView::Translate(_) | RequestView::Ask(_) => None,
        });
        if let Some(shown) = shown {
            puppet.wish(None);
            return Ok(shown);
        }
        host.say(session_id, "Go on.").await?;
        view = host.run(session_id).await.context("session_run")?;
    }
    bail!(
        "the draft of unit {} of {} never reached the reviewer",
        draft.unit,
        draft.path
    )
}

async fn decide(
    host: &Host,
    session_id: i64,
    call_id: &str,
    pair: &Pair,
) -> Result<(), diglot_api::ApiError> {
    let decision = match pair.decision {
        Decision::Approve => return host.approve(session_id, call_id).await.map(drop),
        Decision::Refine => DecisionRequest::Refine {
            target: pair.translation.clone(),
        },
        Decision::Reject => DecisionRequest::reject(&pair.reason),
    };
    host.respond(session_id, call_id, decision).await.map(drop)
}

/// Judges what was written.
pub(crate) fn judge(case: &Case, evidence: &Evidence, report: &mut Report) {
    let Some(applied) = &evidence.applied else {
        return;
    };
    let mut faults = applied.written.refusals.clone();
    let outputs: Vec<Output> = evidence
        .documents
        .iter()
        .filter_map(|seen| Output::read(seen, applied.written.targets.get(&seen.path)?))
        .collect();
    let confirmed = case.pairs.iter().filter(|pair| pair.verdict.is_none());
    for pair in confirmed.filter(|pair| pair.decision != Decision::Reject) {
        let text = pair.translation.trim();
        if !outputs.iter().any(|output| output.holds(text)) {
            faults.push(format!("{text:?} is not in the output"));
        }
    }
    report.note("apply", faults);
    if !applied.shown.is_empty() {
        let flags = case.expect.flag.as_deref().unwrap_or_default();
        report.note("FLAG", played::missing(flags, applied.shown.iter()));
    }
    report.note("sources", keys::sources(evidence, &[&applied.written]));
}

/// Holds a file that was written.
struct Output {
    /// Its text, line ends as LF.
    text: String,
    /// What its units are when it is read again, without the escapes of the file.
    units: Vec<String>,
}

impl Output {
    fn read(seen: &Seen, bytes: &[u8]) -> Option<Self> {
        let again = formats::reopen(&seen.document, bytes).ok()?;
        let units = again.segments.into_iter();
        let text =
            keys::decode(bytes, &seen.view.encoding).unwrap_or_else(|| again.text.to_string());
        Some(Self {
            text: text.replace("\r\n", "\n").replace('\r', "\n"),
            units: units.map(|segment| segment.source).collect(),
        })
    }

    /// Tells whether the text is a unit, or its lines stand in the file one after the other, indented or not, with
    /// or without the escapes that a string has in most formats.
    fn holds(&self, text: &str) -> bool {
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
        let is_unit = self.units.iter().any(|unit| unit == text);
        is_unit || self.has_lines(text) || self.has_lines(&escaped)
    }

    fn has_lines(&self, text: &str) -> bool {
        let mut rest = self.text.as_str();
        text.lines()
            .all(|line| match rest.split_once(line.trim_start()) {
                Some((_, after)) => {
                    rest = after;
                    true
                }
                None => false,
            })
    }
}
