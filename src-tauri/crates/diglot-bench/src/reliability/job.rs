//! A translator at work, by chance and from a seed: approves, refines, rejects, revises by hand, one thing after the
//! other. Owns what was decided in which order, and what was answered; what a disk makes of it is judged elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use diglot_document::{Document, LanguageTag, ParseOptions};
use serde_json::{Value, json};

use super::generations::{Generations, confirmed};
use super::place::Place;
use super::served::{Answer, Served};
use crate::fuzz::random::Random;

/// Name of a document, and the number of a unit in it, from 1.
pub(super) type Unit = (String, usize);

/// Says what the person did with a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Deed {
    Approve { target: String },
    Refine { target: String },
    Reject { reason: String },
    Revise { target: String },
}

impl Deed {
    /// Returns the text that is confirmed by it.
    pub(super) fn target(&self) -> Option<&str> {
        match self {
            Self::Approve { target } | Self::Refine { target } | Self::Revise { target } => {
                Some(target)
            }
            Self::Reject { .. } => None,
        }
    }
}

/// Holds one decision.
#[derive(Debug, Clone)]
pub(super) struct Decided {
    pub(super) unit: Unit,
    pub(super) deed: Deed,
    /// The request that it answers; none for a revision.
    pub(super) call_id: Option<String>,
    /// The number of the command in its process, and the process, once it was answered.
    pub(super) acknowledged: Option<Command>,
}

/// Names a command: the process, from 0, and the command's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Command {
    pub(super) process: usize,
    pub(super) id: u64,
}

/// Stands for the answer to a decision that was not heard, but is there after the crash.
const FOUND: Command = Command {
    process: usize::MAX,
    id: 0,
};

/// Holds the work of one person in one world. A copy goes on from the same point, in the same world.
#[derive(Clone)]
pub(super) struct Job {
    pub(super) place: Arc<Place>,
    pub(super) generations: Generations,
    /// All but the last were answered, or found after a crash.
    decided: Vec<Decided>,
    random: Random,
    session: i64,
    n_processes: usize,
    model: String,
    requests: Vec<Value>,
    n_texts: usize,
}

impl Job {
    /// Makes a world with documents; `model` is where the model answers.
    pub(super) fn new(documents: &[(&str, Vec<u8>)], model: &str, random: Random) -> Result<Self> {
        let place = Arc::new(Place::new()?);
        let options = ParseOptions {
            soft_limit: None,
            source: LanguageTag::parse("en").ok(),
            target: LanguageTag::parse("de").ok(),
            ..ParseOptions::default()
        };
        let mut parsed = BTreeMap::new();
        for (name, bytes) in documents {
            fs::write(place.project().join(name), bytes)?;
            let document = Document::open(name, bytes, &options)
                .map_err(|error| anyhow::anyhow!("{name}: {error:?}"))?;
            parsed.insert((*name).to_owned(), document);
        }
        Ok(Self {
            place,
            generations: Generations::new(parsed),
            decided: Vec::new(),
            random,
            session: 0,
            n_processes: 0,
            model: model.to_owned(),
            requests: Vec::new(),
            n_texts: 0,
        })
    }

    /// Returns the decisions in order; the last one may not have been answered.
    pub(super) fn decided(&self) -> &[Decided] {
        &self.decided
    }

    /// Returns the number of decisions that were answered or found.
    pub(super) fn n_kept(&self) -> usize {
        self.decided.len() - usize::from(self.pending().is_some())
    }

    /// Tells whether anything is confirmed, so that there are targets.
    pub(super) fn has_targets(&self) -> bool {
        self.kept().iter().any(|at| at.deed.target().is_some())
    }

    fn kept(&self) -> &[Decided] {
        self.decided.get(..self.n_kept()).unwrap_or_default()
    }

    fn pending(&self) -> Option<&Decided> {
        self.decided
            .last()
            .filter(|last| last.acknowledged.is_none())
    }

    /// Opens the project and its session in a process that was just started.
    pub(super) fn open(&mut self, served: &mut Served) -> Result<Answer> {
        self.n_processes += 1;
        self.requests.clear();
        if self.session == 0 {
            let set_up = self.set_up(served)?;
            if set_up.is_err() {
                return Ok(set_up);
            }
        }
        let folder = self.place.project();
        let project = match served.call("project_open", &json!({"path": folder}))? {
            Ok(project) => project,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let args = json!({
            "projectId": project.get("id"),
            "sourceLanguage": "en",
            "targetLanguage": "de",
        });
        let id = served.next_id();
        let answer = served.call("session_create", &args)?;
        if let Ok(view) = &answer {
            // What was found after a crash is shown now, so from here on it must stay.
            let process = self.n_processes.saturating_sub(1);
            let found = self
                .decided
                .iter_mut()
                .filter(|at| at.acknowledged == Some(FOUND));
            found.for_each(|at| at.acknowledged = Some(Command { process, id }));
            let id = view.pointer("/session/id").and_then(Value::as_i64);
            self.session = id.context("a session without an id")?;
            self.see(view);
        }
        Ok(answer)
    }

    fn set_up(&mut self, served: &mut Served) -> Result<Answer> {
        let settings = json!({
            "providers": [{"id": "p", "name": "P", "baseUrl": self.model, "model": "test-model"}],
            "translator": "p",
        });
        served.call("settings_update", &json!({"settings": settings}))
    }

    /// Does the next thing: a decision, the one that was refused last, or letting the agent go on.
    pub(super) fn step(&mut self, served: &mut Served) -> Result<Answer> {
        if self.pending().is_none() {
            let Some(next) = self.choose() else {
                let args = json!({"sessionId": self.session});
                let answer = served.call("session_run", &args)?;
                if let Ok(view) = &answer {
                    self.see(view);
                }
                return Ok(answer);
            };
            self.decided.push(next);
            let n = self.decided.len();
            self.generations.note(&self.decided, n)?;
        }
        let Some(decided) = self.decided.last_mut() else {
            bail!("nothing was decided");
        };
        let (command, args) = command(self.session, decided);
        let id = served.next_id();
        let answer = served.call(command, &args)?;
        if let Ok(view) = &answer {
            let process = self.n_processes.saturating_sub(1);
            decided.acknowledged = Some(Command { process, id });
            self.see(view);
        }
        Ok(answer)
    }

    /// Works until so many decisions are kept; what is refused is tried again.
    pub(super) fn work(&mut self, served: &mut Served, n: usize) -> Result<()> {
        while self.n_kept() < n {
            self.step(served)??;
        }
        Ok(())
    }

    /// Tells whether the last decision changes a target.
    pub(super) fn is_target_due(&self) -> bool {
        let last = self.kept().last();
        last.is_some_and(|at| at.deed.target().is_some())
    }

    /// Waits until the targets hold the last decision, where it changes one; false when the process is gone.
    pub(super) fn wait_for_targets(&self, served: &mut Served) -> Result<bool> {
        let n_written = served.n_written();
        Ok(!self.is_target_due() || served.wait_for_targets(n_written)?)
    }

    /// Sends a command about the session.
    pub(super) fn call(&self, served: &mut Served, command: &str, args: &Value) -> Result<Answer> {
        let mut args = args.clone();
        if let Some(args) = args.as_object_mut() {
            args.insert("sessionId".to_owned(), self.session.into());
        }
        served.call(command, &args)
    }

    /// Takes note of what became of a decision that was not answered: it is in the log, or it never was.
    pub(super) fn settle(&mut self, n_found: usize) {
        if self.pending().is_none() {
            return;
        }
        if n_found < self.decided.len() {
            self.decided.pop();
        } else if let Some(last) = self.decided.last_mut() {
            last.acknowledged = Some(FOUND);
        }
    }

    /// Tells whether a process has opened the session.
    pub(super) fn session_is_open(&self) -> bool {
        self.session != 0
    }

    /// Shows the session.
    pub(super) fn view(&self, served: &mut Served) -> Result<Answer> {
        served.call("session_view", &json!({"sessionId": self.session}))
    }

    /// Compares what the application shows with what was confirmed.
    pub(super) fn shown_faults(&self, served: &mut Served) -> Result<Vec<String>> {
        let mut faults = Vec::new();
        let view = self.view(served)??;
        if let Some(problems) = view.get("targetProblems").and_then(Value::as_array)
            && !problems.is_empty()
        {
            faults.push(format!("targets are said to have problems: {problems:?}"));
        }
        let confirmed = confirmed(self.kept());
        let names: Vec<String> = self.generations.names().map(str::to_owned).collect();
        for name in names {
            let args = json!({"sessionId": self.session, "path": name, "limit": 1000});
            let document = served.call("document_view", &args)??;
            let units = document.get("units").and_then(Value::as_array);
            for shown in units.into_iter().flatten() {
                let number = shown.get("unit").and_then(Value::as_u64);
                let unit = (name.clone(), usize::try_from(number.unwrap_or(0))?);
                let state = shown.get("state").and_then(Value::as_str);
                let is_confirmed = matches!(state, Some("approved" | "refined"));
                let target = shown.get("target").and_then(Value::as_str);
                let expected = confirmed.get(&unit).copied();
                if expected != target.filter(|_| is_confirmed) {
                    faults.push(format!(
                        "{unit:?} is shown as {state:?} {target:?}, not {expected:?}"
                    ));
                }
            }
        }
        Ok(faults)
    }

    /// Compares the targets with what they must be by now.
    pub(super) fn target_faults(&self) -> Result<Vec<String>> {
        let confirmed = confirmed(self.kept());
        let mut faults = Vec::new();
        for name in self.generations.names() {
            let found = self.place.target(name);
            let is_due = confirmed.keys().any(|(path, _)| path == name);
            let expected = self.generations.render(name, self.kept())?;
            if found != is_due.then_some(expected) {
                let found = found.map(|bytes| bytes.len());
                faults.push(format!(
                    "the target of {name} ({found:?} bytes) is not up to date"
                ));
            }
        }
        Ok(faults)
    }

    /// Takes over which requests wait.
    fn see(&mut self, view: &Value) {
        if let Some(requests) = view.get("requests").and_then(Value::as_array) {
            self.requests.clone_from(requests);
        }
    }

    /// Chooses what to do; `None` lets the agent go on.
    fn choose(&mut self) -> Option<Decided> {
        let n_open = self.generations.n_units() - confirmed(&self.decided).len();
        let has_drafts = !self.requests.is_empty();
        match self.random.below(10) {
            0 | 1 => self.revise(),
            _ if has_drafts => self.answer(),
            2 => self.revise(),
            _ if n_open == 0 => self.revise(),
            _ => None,
        }
    }

    /// Answers one of the open requests.
    fn answer(&mut self) -> Option<Decided> {
        let request = self.random.choose(&self.requests)?.clone();
        let text = |name: &str| Some(request.get(name)?.as_str()?.to_owned());
        let unit = usize::try_from(request.get("unit")?.as_u64()?).ok()?;
        let deed = match self.random.below(10) {
            0..4 => Deed::Approve {
                target: text("target")?,
            },
            4..8 => Deed::Refine {
                target: self.fresh(&text("source")?),
            },
            _ => Deed::Reject {
                reason: self.fresh("too literal"),
            },
        };
        Some(Decided {
            unit: (text("path")?, unit),
            deed,
            call_id: Some(text("callId")?),
            acknowledged: None,
        })
    }

    /// Changes any unit by hand that no request is open for.
    fn revise(&mut self) -> Option<Decided> {
        let is_asked = |unit: &Unit| {
            self.requests.iter().any(|request| {
                request.get("path").and_then(Value::as_str) == Some(&unit.0)
                    && request.get("unit").and_then(Value::as_u64) == Some(unit.1 as u64)
            })
        };
        let free: Vec<(Unit, &str)> = self
            .generations
            .units()
            .filter(|(unit, _)| !is_asked(unit))
            .collect();
        let (unit, source) = self.random.choose(&free).cloned()?;
        let source = source.to_owned();
        let target = self.fresh(&source);
        Some(Decided {
            unit,
            deed: Deed::Revise { target },
            call_id: None,
            acknowledged: None,
        })
    }

    /// Makes a text that was never used before.
    fn fresh(&mut self, text: &str) -> String {
        self.n_texts += 1;
        format!("{text} ({})", self.n_texts)
    }
}

/// Returns the command that gives a decision.
fn command(session: i64, decided: &Decided) -> (&'static str, Value) {
    let decision = match &decided.deed {
        Deed::Approve { .. } => json!({"kind": "approve", "despiteIssues": true}),
        Deed::Refine { target } => json!({"kind": "refine", "target": target}),
        Deed::Reject { reason } => json!({"kind": "reject", "reason": reason}),
        Deed::Revise { target } => {
            let (path, unit) = &decided.unit;
            return (
                "unit_revise",
                json!({"sessionId": session, "path": path, "unit": unit, "target": target}),
            );
        }
    };
    (
        "session_respond",
        json!({"sessionId": session, "callId": decided.call_id, "decision": decision}),
    )
}
