//! The model `offline`: what to do next, worked out from what stands open. Owns the walk through the
//! folders and the thread that drafts; must not know how a draft comes about.

use std::sync::Arc;
use std::thread;

use diglot_agent::matches::Matches;
use diglot_agent::message::{ToolArguments, Usage};
use diglot_agent::model::{
    BoxFuture, Finish, Model, ModelError, ModelRequest, ModelResponse, ModelRole, OpenUnit,
    Outlook, PersonCause, ProposedCall,
};
use diglot_document::Origin;
use serde_json::{Value, json};

use crate::draft::{Draft, Drafting};
use crate::engine::{Engine, EngineError};
use crate::oneshot::{Sender, channel};

/// Most folders listed in one answer: the run stops after 25 steps without a decision, and a folder a
/// step would not get far.
const FOLDERS_AT_ONCE: usize = 16;

/// Translates without a language model, a key or a network. It has no language: it lists, reads and
/// drafts in order, and says when nothing is left.
pub struct OfflineModel {
    engine: Option<Arc<Engine>>,
    matches: Arc<dyn Matches>,
}

impl OfflineModel {
    /// Makes the model; an engine for other languages than a request's is not used.
    pub fn new(engine: Option<Arc<Engine>>, matches: Arc<dyn Matches>) -> Self {
        Self { engine, matches }
    }
}

impl Model for OfflineModel {
    fn name(&self) -> &'static str {
        "offline"
    }

    fn complete<'a>(
        &'a self,
        request: &'a ModelRequest,
    ) -> BoxFuture<'a, Result<ModelResponse, ModelError>> {
        Box::pin(async move {
            if request.role != ModelRole::Translator || request.answer_schema.is_some() {
                return Err(needs_person(
                    PersonCause::Unsupported,
                    "the embedded model drafts translations and nothing else".to_owned(),
                ));
            }
            let outlook = &request.outlook;
            if let Some(calls) = steps_before_drafting(outlook) {
                return Ok(response(String::new(), calls));
            }
            if outlook.next_units.is_empty() {
                return Ok(response(farewell(outlook), Vec::new()));
            }
            let calls = self.drafts(outlook).await?;
            Ok(response(String::new(), calls))
        })
    }
}

impl OfflineModel {
    /// Drafts on a thread of its own, so that whoever waits is not blocked; if nobody waits any more, it
    /// ends with the unit at hand.
    async fn drafts(&self, outlook: &Outlook) -> Result<Vec<ProposedCall>, ModelError> {
        let serves = |engine: &&Arc<Engine>| engine.pack().serves(&outlook.languages);
        let job = Job {
            engine: self.engine.as_ref().filter(serves).map(Arc::clone),
            matches: Arc::clone(&self.matches),
            outlook: outlook.clone(),
        };
        let (sender, receiver) = channel();
        let started = thread::Builder::new()
            .name("drafts".to_owned())
            .spawn(move || job.run(sender));
        if let Err(error) = started {
            return Err(transient(error.to_string()));
        }
        let drafted = receiver
            .await
            .ok_or_else(|| transient("drafting ended early".to_owned()))?;
        drafted.map_err(|error| needs_person(PersonCause::Refused, error.to_string()))
    }
}

/// Holds what the drafting thread needs.
struct Job {
    engine: Option<Arc<Engine>>,
    matches: Arc<dyn Matches>,
    outlook: Outlook,
}

type Drafts = Result<Vec<ProposedCall>, EngineError>;

impl Job {
    fn run(self, sender: Sender<Drafts>) {
        let mut calls = Vec::with_capacity(self.outlook.next_units.len());
        for unit in &self.outlook.next_units {
            if sender.is_unheard() {
                return;
            }
            match self.draft(unit) {
                Ok(draft) => calls.push(translate_call(unit, draft)),
                Err(error) => return sender.send(Err(error)),
            }
        }
        sender.send(Ok(calls));
    }

    /// Drafts one unit. A pack that cannot be read is an error; one that fails at this unit leaves it to
    /// the person.
    fn draft(&self, unit: &OpenUnit) -> Result<Option<Draft>, EngineError> {
        let matches = self.matches.find(&unit.source);
        let mut drafting = Drafting {
            languages: &self.outlook.languages,
            terms: &self.outlook.terms,
            drafter: None,
        };
        let Some(engine) = &self.engine else {
            return Ok(drafting.draft(unit, &matches));
        };
        engine.load()?;
        let drafted = engine.run(|drafter| {
            Drafting {
                drafter: Some(drafter),
                ..drafting
            }
            .draft(unit, &matches)
        });
        drafted.or_else(|error| {
            tracing::warn!(%error, path = %unit.path, unit = unit.unit, "no draft by the engine");
            drafting.drafter = None;
            Ok(drafting.draft(unit, &matches))
        })
    }
}

/// Lists folders first, then reads the next document once nothing that was read is open.
fn steps_before_drafting(outlook: &Outlook) -> Option<Vec<ProposedCall>> {
    if !outlook.unlisted.is_empty() {
        let folders = outlook.unlisted.iter().take(FOLDERS_AT_ONCE);
        return Some(
            folders
                .map(|path| call("LS", json!({ "path": path.to_string() })))
                .collect(),
        );
    }
    if !outlook.next_units.is_empty() || !outlook.unfinished.is_empty() {
        return None;
    }
    let path = outlook.unread.first()?;
    Some(vec![call("Read", json!({ "file_id": path.to_string() }))])
}

fn call(name: &str, arguments: Value) -> ProposedCall {
    ProposedCall {
        name: name.to_owned(),
        arguments: ToolArguments::Parsed(arguments),
        origin: Origin::None,
    }
}

fn translate_call(unit: &OpenUnit, draft: Option<Draft>) -> ProposedCall {
    let file_id = unit.path.to_string();
    let Some(draft) = draft else {
        let arguments = json!({
            "file_id": file_id, "unit": unit.unit, "translate_string": "", "no_draft": true,
        });
        return call("Translate", arguments);
    };
    let arguments =
        json!({ "file_id": file_id, "unit": unit.unit, "translate_string": draft.text });
    ProposedCall {
        origin: draft.origin,
        ..call("Translate", arguments)
    }
}

/// Says that nothing is left, as far as it can be known.
fn farewell(outlook: &Outlook) -> String {
    if outlook.unfinished.is_empty() {
        "There is nothing left to draft in this folder.".to_owned()
    } else {
        "Every open unit waits for your decision.".to_owned()
    }
}

fn response(text: String, tool_calls: Vec<ProposedCall>) -> ModelResponse {
    ModelResponse {
        text,
        reasoning: None,
        tool_calls,
        raw: None,
        finish: Finish::Stop,
        usage: Usage::default(),
    }
}

fn transient(detail: String) -> ModelError {
    ModelError::Transient {
        retry_after_ms: None,
        status: None,
        detail,
    }
}

fn needs_person(cause: PersonCause, detail: String) -> ModelError {
    ModelError::NeedsPerson {
        cause,
        status: None,
        detail,
    }
}

#[cfg(test)]
mod tests;
