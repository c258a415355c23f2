//! `scenario.json`: decisions and outside events in a given order.

use std::path::Path;

use anyhow::{Context, Result, bail};
use diglot_api::error::{ApiError, ErrorCode};
use diglot_api::schema::DecisionRequest;
use diglot_api::view::document::DocumentView;
use diglot_api::view::session::{RequestView, SessionView};
use diglot_testkit::{FakeServer, Script, marked};
use serde::Deserialize;
use serde_json::Value;

use super::apply::propose;
use super::case::{Case, Decision};
use super::folder::{Input, Place};
use super::kill;
use super::named::OUTSIDE_READER;
use super::play::{self, Left, Played, Stage};
use super::reader::{self, Reader};
use super::statement;
use crate::host::{self, Host};
use crate::model::{Draft, Puppet};

/// Holds one step.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(crate) enum Step {
    Open,
    Propose {
        unit: usize,
        text: Option<String>,
    },
    Approve {
        unit: usize,
        text: Option<String>,
    },
    ApprovePending,
    Decide {
        call: String,
        decision: Decision,
        #[serde(default)]
        reason: String,
        times: Option<usize>,
    },
    ExternalWrite {
        file: String,
        content: String,
    },
    ExternalDelete {
        file: String,
    },
    Quit,
    Kill,
    Start,
    StartSecondInstance,
    OutsideReader,
    OpenSession,
    Expect {
        text: String,
    },
    #[serde(other)]
    Unknown,
}

/// Plays a scenario. A step that the runner does not know ends it, and is named among the statements.
pub(crate) async fn run(case: &Case, input: &Input, killer: Option<&Path>) -> Result<Played> {
    let killed = case
        .scenario
        .iter()
        .position(|step| matches!(step, Step::Kill));
    if let Some(at) = killed {
        return kill::run(case, input, at, killer).await;
    }
    let place = input.fresh()?;
    let mut world = World::new(case, &place)?;
    for step in &case.scenario {
        world.step(step).await?;
    }
    world.end(&place).await
}

/// Holds the product, the model and what was found so far.
pub(crate) struct World<'a> {
    place: &'a Place,
    language: String,
    document: Option<String>,
    host: Option<Host>,
    session_id: i64,
    model: ModelServer,
    reader: Option<Reader>,
    had_reader: bool,
    n_refused: usize,
    pub(crate) statements: Vec<(String, Option<Vec<String>>)>,
}

enum ModelServer {
    Puppet(Puppet),
    Script(Box<Script>, FakeServer),
}

impl<'a> World<'a> {
    /// Sets the stage; the product is not started yet.
    pub(crate) fn new(case: &Case, place: &'a Place) -> Result<Self> {
        let model = match &case.script {
            Some(script) => ModelServer::Script(
                Box::new(script.clone()),
                FakeServer::script(script.clone())?,
            ),
            None => ModelServer::Puppet(Puppet::start()?),
        };
        Ok(Self {
            place,
            language: case.language(),
            document: case
                .script
                .as_ref()
                .and_then(|script| script.document.clone()),
            host: None,
            session_id: 0,
            model,
            reader: None,
            had_reader: false,
            n_refused: 0,
            statements: Vec::new(),
        })
    }

    /// Does one step.
    pub(crate) async fn step(&mut self, step: &Step) -> Result<()> {
        match step {
            Step::Open | Step::Start | Step::OpenSession => self.start().await?,
            Step::Propose { unit, text } => drop(self.propose(*unit, text.as_deref()).await?),
            Step::Approve { unit, text } => {
                let call_id = self.propose(*unit, text.as_deref()).await?;
                let answer = self.started()?.approve(self.session_id, &call_id).await;
                answer.with_context(|| format!("approving unit {unit}"))?;
            }
            Step::ApprovePending => {
                let view = self.view().await?;
                let pending = view
                    .requests
                    .first()
                    .map(call_id)
                    .unwrap_or_default()
                    .to_owned();
                let answer = self.started()?.approve(self.session_id, &pending).await;
                self.count(answer)?;
            }
            Step::Decide {
                call,
                decision,
                reason,
                times,
            } => {
                for _ in 0..times.unwrap_or(1) {
                    self.decide(call, *decision, reason).await?;
                }
            }
            Step::ExternalWrite { file, content } => {
                std::fs::write(self.place.root.join(file), content)?;
                self.forget();
            }
            Step::ExternalDelete { file } => {
                std::fs::remove_file(self.place.root.join(file))?;
                self.forget();
            }
            Step::Quit => {
                if let Some(host) = self.host.take() {
                    host.close().await;
                }
            }
            Step::StartSecondInstance => {
                let second = host::open(&self.place.data);
                let is_refused = second.is_err_and(|error| error.code == ErrorCode::DatabaseLocked);
                let fault = (!is_refused).then(|| "a second start is let in".to_owned());
                self.statements
                    .push(("second start".to_owned(), Some(fault.into_iter().collect())));
            }
            Step::OutsideReader => {
                self.start().await?;
                self.reader = Reader::start(&self.place.data).await?;
                self.had_reader = self.reader.is_some();
            }
            Step::Expect { text } => self.expect(text).await?,
            Step::Kill | Step::Unknown => {
                self.statements
                    .push(("a step that the runner does not know".to_owned(), None));
            }
        }
        Ok(())
    }

    async fn start(&mut self) -> Result<()> {
        if self.host.is_none() {
            let url = match &self.model {
                ModelServer::Puppet(puppet) => puppet.server.base_url(),
                ModelServer::Script(_, server) => server.base_url(),
            };
            let host = Host::open(&self.place.data, &self.place.root, Some(&url)).await?;
            self.session_id = host.session(&self.language).await?.session.id;
            self.host = Some(host);
        }
        Ok(())
    }

    fn started(&self) -> Result<&Host> {
        self.host.as_ref().context("the product is not started")
    }

    async fn view(&mut self) -> Result<SessionView> {
        self.start().await?;
        self.started()?.view(self.session_id).await
    }

    /// Lets the model read every document anew, since one of them changed.
    fn forget(&self) {
        if let ModelServer::Puppet(puppet) = &self.model {
            puppet.forget();
        }
    }

    async fn propose(&mut self, unit: usize, text: Option<&str>) -> Result<String> {
        self.start().await?;
        let host = self.started()?;
        let first = host.documents().into_iter().next();
        let path = self
            .document
            .clone()
            .or(first)
            .context("there is no document")?;
        let ModelServer::Puppet(puppet) = &self.model else {
            bail!("a scripted model proposes only what its script says");
        };
        let text = if let Some(text) = text {
            text.to_owned()
        } else {
            let document = host.document(self.session_id, &path).await?;
            let found = document.units.get(unit.saturating_sub(1));
            marked(
                &found
                    .with_context(|| format!("there is no unit {unit}"))?
                    .source,
            )
        };
        let draft = Draft { path, unit, text };
        Ok(propose(host, puppet, self.session_id, draft).await?.call_id)
    }

    /// Decides the draft that a call of the script led to. Refusals are counted: they are what is looked for.
    async fn decide(&mut self, call: &str, decision: Decision, reason: &str) -> Result<()> {
        self.start().await?;
        self.show_drafts().await?;
        let known = self.own_call(call).await?;
        let call_id = known.unwrap_or_else(|| call.to_owned());
        let decision = match decision {
            Decision::Approve => DecisionRequest::Approve {
                despite_issues: Some(true),
                bulk: None,
            },
            Decision::Refine => DecisionRequest::Refine {
                target: reason.to_owned(),
            },
            Decision::Reject => DecisionRequest::reject(reason),
        };
        let answer = self
            .started()?
            .respond(self.session_id, &call_id, decision)
            .await;
        self.count(answer)
    }

    /// Runs the agent until drafts wait, unless some were decided already.
    async fn show_drafts(&mut self) -> Result<()> {
        let view = self.view().await?;
        if !view.requests.is_empty() || view.session.n_confirmed > 0 {
            return Ok(());
        }
        let host = self.started()?;
        host.run(self.session_id).await.context("session_run")?;
        if host.view(self.session_id).await?.requests.is_empty() {
            host.say(self.session_id, "Go on.").await?;
            host.run(self.session_id).await.context("session_run")?;
        }
        Ok(())
    }

    /// Returns the product's own id for a call of the script, found by its source text.
    async fn own_call(&mut self, call: &str) -> Result<Option<String>> {
        let ModelServer::Script(script, _) = &self.model else {
            return Ok(None);
        };
        let Some(source) = scripted_source(script, call) else {
            return Ok(None);
        };
        let view = self.view().await?;
        let documents = self.documents().await?;
        Ok(statement::drafted_call(&view, &documents, &source))
    }

    async fn documents(&self) -> Result<Vec<DocumentView>> {
        let host = self.started()?;
        let mut documents = Vec::new();
        for path in host.documents() {
            documents.push(host.document(self.session_id, &path).await?);
        }
        Ok(documents)
    }

    fn count(&mut self, answer: Result<SessionView, ApiError>) -> Result<()> {
        match answer {
            Ok(_) => Ok(()),
            Err(error) if error.code == ErrorCode::Internal => Err(error.into()),
            Err(_) => {
                self.n_refused += 1;
                Ok(())
            }
        }
    }

    async fn expect(&mut self, text: &str) -> Result<()> {
        let view = self.view().await?;
        let documents = self.documents().await?;
        let found = statement::judge(text, &view, &documents, self.n_refused);
        self.statements.push((text.to_owned(), found));
        Ok(())
    }

    /// Lets a scripted model play to its end, closes the product and collects what was seen.
    pub(crate) async fn end(mut self, place: &Place) -> Result<Played> {
        self.start().await?;
        drop(self.reader.take());
        let had_reader = self.had_reader;
        let mut played = self.close(place).await?;
        if had_reader {
            let found = reader::faults(&place.data).await?;
            played.statements.push((OUTSIDE_READER.to_owned(), found));
        }
        Ok(played)
    }

    async fn close(mut self, place: &Place) -> Result<Played> {
        let host = self.host.take().context("the product is not started")?;
        match self.model {
            ModelServer::Script(script, server) => {
                let mut stage = Stage::over(host, self.session_id, server, *script);
                stage.n_refused = self.n_refused;
                stage.statements = self.statements;
                stage.play().await?.close(place).await
            }
            ModelServer::Puppet(puppet) => {
                let left: Left = play::look(host, self.session_id, place).await?;
                Ok(Played {
                    written: left.written,
                    requests: puppet.server.chats(),
                    violations: puppet.server.violations(),
                    shown: Vec::new(),
                    view: left.view,
                    documents: left.documents,
                    stops: Vec::new(),
                    is_cut: false,
                    memory_items: left.memory_items,
                    attempts: Vec::new(),
                    runs: Vec::new(),
                    n_refused: self.n_refused,
                    statements: self.statements,
                })
            }
        }
    }
}

fn call_id(request: &RequestView) -> &str {
    match request {
        RequestView::Translate(draft) => &draft.call_id,
        RequestView::Ask(question) => &question.call_id,
    }
}

/// Returns the source text that a call of the script quotes.
fn scripted_source(script: &Script, id: &str) -> Option<String> {
    let turns = script.turns.iter().filter_map(|turn| turn.json.as_ref());
    let mut calls =
        turns.filter_map(|json| json.pointer("/choices/0/message/tool_calls")?.as_array());
    let call =
        calls.find_map(|calls| calls.iter().find(|call| call.get("id") == Some(&id.into())))?;
    let arguments = call.pointer("/function/arguments")?.as_str()?;
    let arguments: Value = serde_json::from_str(arguments).ok()?;
    Some(arguments.get("src_string")?.as_str()?.to_owned())
}
