//! `model.json`: a scripted model and a scripted reviewer, played through the product to the end.

use std::collections::{BTreeMap, VecDeque};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use diglot_api::schema::{DecisionRequest, SessionRequest};
use diglot_api::view::document::DocumentView;
use diglot_api::view::session::{AttemptView, FinishView, ProposalView, RequestView, SessionView};
use diglot_testkit::{After, FakeServer, Human, Recorded, Script};

use super::case::Case;
use super::evidence::Written;
use super::folder::{self, Input, Place};
use crate::host::Host;

/// Rounds of the agent and the reviewer at most.
const MAX_ROUNDS: usize = 500;
/// The same for a project of more units than [`LARGE`]: its end is out of reach in any case.
const LARGE_ROUNDS: usize = 60;
/// See [`LARGE_ROUNDS`].
const LARGE: usize = 1_000;
/// What a reviewer says who gives no reason; the product wants one.
const NO_REASON: &str = "This is not right.";
/// How often the agent is told to go on, or a failed step tried again, with nothing new between.
const NUDGES: usize = 3;

/// Holds what was seen while a script was played.
pub(crate) struct Played {
    pub(crate) written: Written,
    /// Requests for an answer of a model.
    pub(crate) requests: Vec<Recorded>,
    pub(crate) violations: Vec<String>,
    /// Drafts that reached the reviewer, in order.
    pub(crate) shown: Vec<Shown>,
    pub(crate) view: SessionView,
    pub(crate) documents: BTreeMap<String, DocumentView>,
    /// Reasons for which the run stopped, in order.
    pub(crate) stops: Vec<FinishView>,
    /// Texts of the memory items, in order.
    pub(crate) memory_items: Vec<String>,
    /// Attempts that a run ended with, each with the time at which it was seen, in Unix milliseconds.
    pub(crate) attempts: Vec<(AttemptView, i64)>,
    /// Requests of each run, in order.
    pub(crate) runs: Vec<usize>,
    /// Whether the runner ended the work, since it takes more rounds than it has patience for.
    pub(crate) is_cut: bool,
    /// Decisions that were refused.
    pub(crate) n_refused: usize,
    /// Statements of a scenario, with what does not hold.
    pub(crate) statements: Vec<(String, Option<Vec<String>>)>,
}

/// Holds a draft as the reviewer saw it.
pub(crate) struct Shown {
    pub(crate) draft: ProposalView,
    /// Whether it came from a turn of the script.
    pub(crate) is_scripted: bool,
}

/// Plays the roles around the product.
pub(crate) struct Stage {
    host: Host,
    session_id: i64,
    server: FakeServer,
    script: Script,
    humans: VecDeque<Human>,
    shown: Vec<Shown>,
    stops: Vec<FinishView>,
    attempts: Vec<(AttemptView, i64)>,
    runs: Vec<usize>,
    is_cut: bool,
    pub(crate) n_refused: usize,
    pub(crate) statements: Vec<(String, Option<Vec<String>>)>,
}

/// Plays the script of a case.
pub(crate) async fn script(case: &Case, input: &Input) -> Result<Played> {
    one(case.script.clone().context("there is no script")?, input).await
}

/// Plays one script.
pub(crate) async fn one(script: Script, input: &Input) -> Result<Played> {
    let place = input.fresh()?;
    let stage = Stage::with(script, &place).await?.play().await?;
    stage.close(&place).await
}

/// Lets a model that behaves well work on the files of a case, until it has nothing to do.
pub(crate) async fn well_behaved(case: &Case, input: &Input) -> Result<Played> {
    let script = Script {
        schema: String::new(),
        target_language: case.language(),
        document: None,
        root: None,
        context_tokens: None,
        turns: Vec::new(),
        memory_turns: Vec::new(),
        human: Vec::new(),
        after: After::Cooperate,
    };
    one(script, input).await
}

fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    i64::try_from(now.unwrap_or_default().as_millis()).unwrap_or(i64::MAX)
}

impl Stage {
    /// Opens the product over the scripted model.
    async fn with(script: Script, place: &Place) -> Result<Self> {
        let server = FakeServer::script(script.clone())?;
        let host = Host::open(&place.data, &place.root, Some(&server.base_url())).await?;
        let session_id = host.session(&script.target_language).await?.session.id;
        Ok(Self::over(host, session_id, server, script))
    }

    /// Sets the stage over a product that is open already.
    pub(crate) fn over(host: Host, session_id: i64, server: FakeServer, script: Script) -> Self {
        Self {
            host,
            session_id,
            server,
            humans: script.human.clone().into(),
            script,
            shown: Vec::new(),
            stops: Vec::new(),
            attempts: Vec::new(),
            runs: Vec::new(),
            is_cut: false,
            n_refused: 0,
            statements: Vec::new(),
        }
    }

    /// Lets agent and reviewer take turns until the script is over and, where it says so, the work is done.
    pub(crate) async fn play(mut self) -> Result<Self> {
        let mut n_idle = 0;
        for round in 0..MAX_ROUNDS {
            let before = self.n_agent_requests();
            self.host
                .run(self.session_id)
                .await
                .context("session_run")?;
            let view = self.host.view(self.session_id).await?;
            let n_units: usize = view.files.iter().filter_map(|file| file.n_units).sum();
            if n_units > LARGE && round >= LARGE_ROUNDS {
                break;
            }
            self.stops.extend(view.finish);
            self.attempts
                .extend(view.attempt.clone().map(|attempt| (attempt, now())));
            self.runs.push(self.n_agent_requests() - before);
            self.see(&view);
            if !view.requests.is_empty() {
                n_idle = 0;
                let is_decided;
                (self, is_decided) = self.decide(&view).await?;
                if is_decided {
                    continue;
                }
                return Ok(self);
            }
            if self.is_over() && (self.script.after == After::Stop || self.is_done(&view)) {
                return Ok(self);
            }
            let is_new = self.n_agent_requests() != before && !self.is_over();
            n_idle = if is_new { 0 } else { n_idle + 1 };
            if n_idle > NUDGES {
                return Ok(self);
            }
            if view.attempt.is_none() {
                self.host.say(self.session_id, "Go on.").await?;
            }
        }
        self.is_cut = true;
        Ok(self)
    }

    /// Tells whether the script's document, or every document, is confirmed.
    fn is_done(&self, view: &SessionView) -> bool {
        let path = self.script.document.as_deref();
        let file = view
            .files
            .iter()
            .find(|file| Some(file.path.as_str()) == path);
        let is_whole = file.is_some_and(|file| file.n_units == Some(file.n_confirmed));
        is_whole || view.finish == Some(FinishView::Complete)
    }

    fn n_agent_requests(&self) -> usize {
        self.server
            .chats()
            .iter()
            .filter(|request| !request.is_memory())
            .count()
    }

    /// Tells whether every turn of the script was asked for.
    fn is_over(&self) -> bool {
        self.n_agent_requests() >= self.script.turns.len()
    }

    /// Remembers the drafts that reach the reviewer for the first time.
    fn see(&mut self, view: &SessionView) {
        let is_scripted = self.n_agent_requests() <= self.script.turns.len();
        for request in &view.requests {
            let RequestView::Translate(draft) = request else {
                continue;
            };
            if self
                .shown
                .iter()
                .all(|shown| shown.draft.call_id != draft.call_id)
            {
                self.shown.push(Shown {
                    draft: draft.clone(),
                    is_scripted,
                });
            }
        }
    }

    /// Decides every open request; tells whether the reviewer had something to say.
    async fn decide(mut self, view: &SessionView) -> Result<(Self, bool)> {
        for request in &view.requests {
            let draft = match request {
                RequestView::Translate(draft) => draft,
                RequestView::Ask(question) => {
                    let (id, cancel) = (&question.call_id, DecisionRequest::Cancel);
                    self.host
                        .respond(self.session_id, id, cancel)
                        .await
                        .context("cancel")?;
                    continue;
                }
            };
            let human = self.humans.pop_front();
            if human.is_none() && self.script.after == After::Stop {
                return Ok((self, false));
            }
            if human == Some(Human::RestartThenApprove) {
                self = self.restart(&draft.call_id).await?;
            }
            let (id, call_id) = (self.session_id, &draft.call_id);
            match human {
                None | Some(Human::Approve | Human::RestartThenApprove) => {
                    self.host.approve(id, call_id).await.context("approve")?;
                }
                Some(Human::Refine { text: target }) => {
                    let decision = DecisionRequest::Refine { target };
                    self.host
                        .respond(id, call_id, decision)
                        .await
                        .context("refine")?;
                }
                Some(Human::Reject { reason }) => {
                    let reason = if reason.is_empty() {
                        NO_REASON.to_owned()
                    } else {
                        reason
                    };
                    let decision = DecisionRequest::reject(&reason);
                    self.host
                        .respond(id, call_id, decision)
                        .await
                        .context("reject")?;
                }
            }
        }
        Ok((self, true))
    }

    /// Starts the application anew; the same draft must wait.
    async fn restart(mut self, call_id: &str) -> Result<Self> {
        self.host = self.host.restart().await?;
        let view = self.host.view(self.session_id).await?;
        let waits = view.requests.iter().any(|request| match request {
            RequestView::Translate(draft) => draft.call_id == call_id,
            RequestView::Ask(_) => false,
        });
        anyhow::ensure!(waits, "the draft does not wait after a restart");
        Ok(self)
    }

    /// Closes the product and collects what was seen.
    pub(crate) async fn close(self, place: &Place) -> Result<Played> {
        let requests = self.server.chats();
        let violations = self.server.violations();
        let left = look(self.host, self.session_id, place).await?;
        Ok(Played {
            written: left.written,
            requests,
            violations,
            shown: self.shown,
            view: left.view,
            documents: left.documents,
            stops: self.stops,
            is_cut: self.is_cut,
            memory_items: left.memory_items,
            attempts: self.attempts,
            runs: self.runs,
            n_refused: self.n_refused,
            statements: self.statements,
        })
    }
}

/// Holds what a session has come to.
pub(crate) struct Left {
    pub(crate) written: Written,
    pub(crate) view: SessionView,
    pub(crate) documents: BTreeMap<String, DocumentView>,
    /// Texts of the memory items, in order.
    pub(crate) memory_items: Vec<String>,
}

/// Reads a session whole, closes the product and reads what it wrote.
pub(crate) async fn look(host: Host, session_id: i64, place: &Place) -> Result<Left> {
    let view = host.view(session_id).await?;
    let mut documents = BTreeMap::new();
    for path in host.documents() {
        let document = host.document(session_id, &path).await?;
        documents.insert(path, document);
    }
    let memory = host
        .workbench
        .memory_list(SessionRequest { session_id })
        .await;
    let items = memory.context("memory_list")?.items.into_iter();
    host.close().await;
    let targets = folder::read(view.session.target_folder.as_ref())?;
    let sources = folder::read(&place.root)?;
    let written = Written {
        targets,
        sources,
        refusals: Vec::new(),
    };
    Ok(Left {
        written,
        view,
        documents,
        memory_items: items.map(|item| item.text).collect(),
    })
}
