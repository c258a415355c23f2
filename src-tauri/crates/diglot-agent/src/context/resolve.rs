//! What a `Translate` call means: which unit, and whether a person should see its text (SPEC 3).

use std::sync::Arc;

use diglot_document::{Issue, IssueKind, Location, Origin, Refusal, Severity, UnitState, locate};

use super::findings::{Against, Findings, KnownTerms};
use super::{Context, DocumentState, Draft, Resolution};
use crate::message::{RefusedReason, ToolCall};
use crate::tools::translate::{self, TranslateArguments};
use crate::tools::{named_unit, next_open_text};
use crate::workspace::ProjectPath;

impl Context {
    /// Resolves a call against the log before its message and the earlier calls of its turn, and marks the
    /// unit as proposed.
    pub(super) fn resolve(&mut self, call: &ToolCall) -> Resolution {
        match self.try_resolve(call) {
            Ok(draft) => {
                self.change(&draft.path.clone(), draft.ordinal, |unit| {
                    unit.proposal = Some(call.id.clone());
                    unit.state = UnitState::Proposed;
                    unit.faults = 0;
                    unit.terms_named = false;
                    unit.skipped = false;
                });
                Resolution::Draft(draft)
            }
            Err((reason, text)) => Resolution::Refused { reason, text },
        }
    }

    fn try_resolve(&mut self, call: &ToolCall) -> Result<Draft, (RefusedReason, String)> {
        let arguments = translate::read(call).map_err(|text| (RefusedReason::Arguments, text))?;
        let path = self.known_path(&arguments.path)?;
        let Some(document) = self.documents.get(&path) else {
            return Err((RefusedReason::NotRead, self.not_read(&path)));
        };
        if arguments.target.trim().is_empty() && !arguments.no_draft {
            let next = next_open_text(self, &path);
            let text = format!(
                "The translation is empty. Put the translated text of one unit into translate_string. {next}"
            );
            return Err((RefusedReason::Empty, text));
        }
        let (ordinal, gap) = self.locate_unit(document, &path, &arguments)?;
        if let Some(passed) = gap {
            let key = (path.clone(), ordinal, arguments.target.clone());
            if self.skips_refused.insert(key) {
                return Err((RefusedReason::Skip, self.skip_text(&path, passed)));
            }
        }
        let segment = document.segments().get(ordinal);
        let source = segment.map_or_else(String::new, |segment| segment.source.clone());
        let target = if arguments.no_draft {
            String::new()
        } else {
            arguments.target.clone()
        };
        let findings = self.open_findings(document, ordinal, gap.is_some());
        let first_fault = document
            .units
            .get(ordinal)
            .is_some_and(|unit| unit.faults == 0);
        let was_shown = self.foretold.contains(&call.id);
        let blocking = if first_fault && !was_shown {
            let issues = findings.of(&source, &target, &self.settings.languages);
            let is_blocking = |issue: &&Issue| issue.severity == Severity::Blocking;
            issues.iter().filter(is_blocking).collect()
        } else {
            Vec::new()
        };
        let terms = if was_shown {
            Vec::new()
        } else {
            self.faults_to_name(document, ordinal, call, &arguments)
        };
        let is_structural = !blocking.is_empty();
        if is_structural || !terms.is_empty() {
            let mut text = fault_text(&blocking, ordinal + 1);
            for sentence in &terms {
                text = format!("{text} {sentence}");
            }
            let text = format!("{text} {}", named_unit(self, &path, ordinal));
            if let Some(unit) = self
                .documents
                .get_mut(&path)
                .and_then(|doc| doc.units.get_mut(ordinal))
            {
                unit.faults += u8::from(is_structural);
                unit.terms_named |= !terms.is_empty();
            }
            let reason = if is_structural {
                RefusedReason::Structure
            } else {
                RefusedReason::Terms
            };
            return Err((reason, text));
        }
        let origin = if arguments.no_draft {
            Origin::None
        } else {
            call.origin
        };
        Ok(Draft {
            path,
            ordinal,
            source,
            target,
            origin,
            findings,
        })
    }

    fn skip_text(&self, path: &ProjectPath, passed: usize) -> String {
        let number = passed + 1;
        let next = named_unit(self, path, passed);
        format!(
            "Unit {number} of {path} comes first and was passed over. Translate it before the others. {next}"
        )
    }

    fn known_path(&self, text: &str) -> Result<ProjectPath, (RefusedReason, String)> {
        self.path_of(text).map_err(|error| {
            let text =
                format!("The file_id is outside the project: {error}. Use a path as LS prints it.");
            (RefusedReason::Path, text)
        })
    }

    fn not_read(&self, path: &ProjectPath) -> String {
        if self.listed.contains(path) || self.listed.is_empty() {
            format!("{path} was not read in this session. Call Read with file_id \"{path}\" first.")
        } else {
            format!(
                "{path} was not read in this session and is in no listing. Call LS to see the files, then Read one."
            )
        }
    }

    /// Finds the unit; the second value is the unit passed over.
    fn locate_unit(
        &self,
        document: &DocumentState,
        path: &ProjectPath,
        arguments: &TranslateArguments,
    ) -> Result<(usize, Option<usize>), (RefusedReason, String)> {
        let quote = arguments.quote.as_deref();
        let located = locate::locate(document.segments(), document, arguments.unit, quote);
        let refusal = match located {
            Ok(Location::Found(ordinal)) => return Ok((ordinal, None)),
            Ok(Location::Skip(ordinal)) => {
                return Ok((ordinal, locate::UnitStates::first_never_proposed(document)));
            }
            Err(refusal) => refusal,
        };
        let n_units = document.units.len();
        let (reason, text) = match refusal {
            Refusal::AlreadyConfirmed(ordinal) => (
                RefusedReason::AlreadyDone,
                format!(
                    "Unit {} of {path} is confirmed already and stays as it is.",
                    ordinal + 1
                ),
            ),
            Refusal::AlreadyProposed(ordinal) => (
                RefusedReason::AlreadyDone,
                format!(
                    "Unit {} of {path} was proposed and waits for the person.",
                    ordinal + 1
                ),
            ),
            Refusal::NoSuchUnit => (
                RefusedReason::NotFound,
                format!("{path} has no such unit: its units are numbered from 1 to {n_units}."),
            ),
            Refusal::NotFound => (
                RefusedReason::NotFound,
                format!(
                    "The quoted source is in no open unit of {path}. Give the number of the unit instead."
                ),
            ),
            Refusal::Part(ordinal) => (
                RefusedReason::Extent,
                format!(
                    "The quoted source is only a part of unit {}. Translate the whole unit.",
                    ordinal + 1
                ),
            ),
            Refusal::Several(ordinal) => (
                RefusedReason::Extent,
                format!(
                    "The quoted source covers more than unit {}. Translate one unit a call.",
                    ordinal + 1
                ),
            ),
            Refusal::Mismatch(ordinal) => (
                RefusedReason::NotFound,
                format!(
                    "The number and the quoted source name different units. Unit {} has another text.",
                    ordinal + 1
                ),
            ),
        };
        Err((reason, format!("{text} {}", next_open_text(self, path))))
    }

    /// Says which terms send a draft back: those of a language model's first draft. What a person confirmed once, and what an
    /// engine makes, would come out the same.
    fn faults_to_name(
        &self,
        document: &DocumentState,
        ordinal: usize,
        call: &ToolCall,
        arguments: &TranslateArguments,
    ) -> Vec<String> {
        let was_named = document
            .units
            .get(ordinal)
            .is_some_and(|unit| unit.terms_named);
        if was_named || arguments.no_draft || call.origin != Origin::Model {
            return Vec::new();
        }
        self.term_faults(document, ordinal, &arguments.target)
    }

    /// Makes the findings on a draft of a unit, with what they depend on as it is now.
    fn open_findings(&self, document: &DocumentState, ordinal: usize, has_gap: bool) -> Findings {
        let segment = document.segments().get(ordinal);
        Findings::open(Against {
            format: document.document.format,
            max_length: segment.and_then(|segment| segment.hints.max_length),
            terms: self.known_terms(),
            has_gap,
        })
    }

    /// Returns the terms that the model was told.
    fn known_terms(&self) -> Arc<KnownTerms> {
        let window = self.window.as_ref();
        window.map_or_else(Arc::default, |window| Arc::clone(&window.known))
    }
}

/// Tells the model which texts were lost or invented.
fn fault_text(blocking: &[&Issue], unit: usize) -> String {
    let mut parts = vec![format!("The translation of unit {unit} was not taken.")];
    for issue in blocking {
        let what = if issue.kind == IssueKind::Placeholder {
            "Placeholders must stay exactly as they are."
        } else if issue.kind == IssueKind::Protected {
            "Code, links and addresses must stay exactly as they are."
        } else {
            "Markup must stay as it is."
        };
        parts.push(what.to_owned());
        if !issue.missing.is_empty() {
            parts.push(format!("Missing: {}.", quoted(&issue.missing)));
        }
        if !issue.extra.is_empty() {
            parts.push(format!("Not in the source: {}.", quoted(&issue.extra)));
        }
    }
    parts.join(" ")
}

fn quoted(texts: &[String]) -> String {
    texts
        .iter()
        .map(|text| format!("\"{text}\""))
        .collect::<Vec<_>>()
        .join(", ")
}
