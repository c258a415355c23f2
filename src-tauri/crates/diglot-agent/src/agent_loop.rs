//! One step: what the log asks for is done, and what is new is returned. Nothing is kept and nothing is
//! written here; dropping a step half-way loses nothing.

use serde::{Deserialize, Serialize};

use crate::context::{Context, Plan};
use crate::copilot::CopilotResponse;
use crate::entry::{Entry, Extraction, Seq, SourceRead};
use crate::limits;
use crate::matches::Matches;
use crate::memory::{Applied, Evidence, Memory, extract};
use crate::message::{
    Asked, CallId, Message, RefusedReason, ToolCall, ToolDetail, ToolResult, Usage,
};
use crate::model::{Finish, Model, ModelError, ModelRequest, ModelResponse};
use crate::prompt;
use crate::terms::{Glossary, Terms};
use crate::tool::{Tool, ToolError, ToolOutcome};
use crate::tools::ToolName;
use crate::workspace::{ProjectPath, SourceText, Workspace, WorkspaceError};

mod respond;
mod reverse;

pub use respond::RespondError;

/// Tells who must act next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Actor {
    /// The agent: call next again.
    Agent,
    /// The person.
    User,
}

/// Says why the agent does not go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FinishReason {
    /// The log is empty.
    Empty,
    /// Requests wait for the person.
    Waiting,
    /// Every unit of every listed document is confirmed.
    Complete,
    /// The model ended its turn and units are open.
    TurnEnded,
    /// Too many steps without a decision.
    StepLimit,
    /// The same call again and again.
    RepeatedCall,
    /// Faulty drafts again and again.
    RefusedCalls,
    /// The session's tokens are spent.
    TokenCap,
}

/// Holds what a step found out; all of it is written in one transaction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Step {
    /// New entries, in order, may be empty.
    pub entries: Vec<Entry>,
    /// Source texts that the entries name.
    pub sources: Vec<SourceText>,
    /// What happened to memory.
    pub memory: Applied,
    /// Tokens of this step.
    pub usage: Usage,
}

impl Step {
    /// Makes a step of entries that name no source and change no memory.
    pub fn of(entries: Vec<Entry>) -> Self {
        Self {
            entries,
            ..Self::default()
        }
    }
}

/// Reports a step that did not happen; the log is as it was.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// The model gave no answer.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Runs steps. Built for one and dropped after it; all that it knows is in its fields and arguments.
pub struct AgentLoop<'a> {
    /// The tools.
    pub tools: &'a [Box<dyn Tool>],
    /// The folder.
    pub workspace: &'a dyn Workspace,
    /// What was learnt for the session's languages.
    pub memory: &'a Memory,
    /// The translation memory.
    pub matches: &'a dyn Matches,
    /// The termbase.
    pub terms: &'a dyn Terms,
    /// Whether a model learns from decisions; otherwise the change alone does.
    pub has_memory_model: bool,
}

/// Holds a step that was begun.
#[derive(Debug)]
pub enum Begun {
    /// It is done; an empty one means that a person must act.
    Done(Step),
    /// It needs a model's answer first. The context may change meanwhile.
    Ask(Box<Question>),
}

/// Holds a request to a model and what its answer is for.
#[derive(Debug)]
pub struct Question {
    /// The request.
    pub request: ModelRequest,
    purpose: Purpose,
}

#[derive(Debug)]
enum Purpose {
    /// A turn of the conversation; the entries stand before it.
    Turn { lead: Vec<Entry>, asked: Box<Asked> },
    /// A lesson.
    Lesson { evidence: Box<Evidence> },
}

impl AgentLoop<'_> {
    /// Runs one step to its end.
    ///
    /// # Errors
    /// When the model gives no answer; nothing has changed then.
    pub async fn next(
        &self,
        context: &Context,
        translator: &dyn Model,
        memory_model: &dyn Model,
    ) -> Result<Step, StepError> {
        match self.begin(context) {
            Begun::Done(step) => Ok(step),
            Begun::Ask(question) => {
                let model = if question.is_lesson() {
                    memory_model
                } else {
                    translator
                };
                let answer = model.complete(&question.request).await;
                let question = question.put_to(model);
                self.finish(context, question, answer)
            }
        }
    }

    /// Begins a step: does what needs no model, or says what to ask.
    pub fn begin(&self, context: &Context) -> Begun {
        match context.plan() {
            Plan::AwaitUser(_) => Begun::Done(Step::default()),
            Plan::RunTools(calls) => Begun::Done(self.run_tools(context, &calls)),
            Plan::ExtractMemory(id) => self.begin_lesson(context, &id),
            Plan::AskModel => self.begin_turn(context),
        }
    }

    /// Begins only the learning from a decision, beside an open review.
    pub fn begin_learning(&self, context: &Context) -> Option<Begun> {
        let id = context.open_extractions().next()?.clone();
        Some(self.begin_lesson(context, &id))
    }

    /// Begins to learn again from a decision whose lesson could not be drawn, the one that waits longest first.
    pub fn begin_learning_again(&self, context: &Context) -> Option<Begun> {
        let id = context.postponed_extractions().next()?.0.clone();
        Some(self.begin_lesson(context, &id))
    }

    fn begin_turn(&self, context: &Context) -> Begun {
        let languages = &context.settings().languages;
        let glossary = Glossary::new(self.terms, self.memory, languages);
        let chunk = context.next_chunk(self.memory, self.matches, &glossary);
        let lesson = if chunk.is_some() {
            None
        } else {
            context.next_lesson(self.memory, &glossary)
        };
        let request = prompt::translator_request(
            context,
            &glossary,
            self.tools,
            chunk.as_ref(),
            lesson.as_ref(),
        );
        let asked = prompt::asked(context, &request.tools);
        let lead = chunk
            .map(Entry::Chunk)
            .into_iter()
            .chain(lesson.map(Entry::Lesson))
            .collect();
        Begun::Ask(Box::new(Question {
            request,
            purpose: Purpose::Turn {
                lead,
                asked: Box::new(asked),
            },
        }))
    }

    fn begin_lesson(&self, context: &Context, id: &CallId) -> Begun {
        let Some(evidence) = context.evidence(id) else {
            let failure = Some("the decision is not known".to_owned());
            return Begun::Done(lesson_step(id, Applied::default(), failure));
        };
        if self.has_memory_model {
            let neighbours = context.draft(id).map_or_else(Vec::new, |draft| {
                context.pairs_before(&draft.path, draft.ordinal + 1)
            });
            let languages = &context.settings().languages;
            let request = extract::request(&evidence, &neighbours, self.memory, languages);
            let purpose = Purpose::Lesson {
                evidence: Box::new(evidence),
            };
            return Begun::Ask(Box::new(Question { request, purpose }));
        }
        let ops = extract::from_change(&evidence, self.memory);
        let mut memory = self.memory.clone();
        let mut applied = memory.apply(ops, &evidence, &context.settings().languages);
        let others = context.draft(id).map_or_else(Vec::new, |draft| {
            context.confirmed_before(&draft.path, draft.ordinal, limits::COMPARED_PAIRS)
        });
        applied.join(memory.align(&evidence, &others));
        let failure = refusals(&applied);
        Begun::Done(lesson_step(id, applied, failure))
    }

    /// Ends a step with the model's answer, against the context as it is now.
    ///
    /// # Errors
    /// When a turn has no usable answer. A lesson that fails is recorded and never holds up the person.
    pub fn finish(
        &self,
        context: &Context,
        question: Question,
        answer: Result<ModelResponse, ModelError>,
    ) -> Result<Step, StepError> {
        match question.purpose {
            Purpose::Turn { lead, asked } => turn_step(context, lead, *asked, answer?),
            Purpose::Lesson { evidence } => Ok(self.lesson(context, &evidence, answer)),
        }
    }

    fn lesson(
        &self,
        context: &Context,
        evidence: &Evidence,
        answer: Result<ModelResponse, ModelError>,
    ) -> Step {
        let id = &evidence.call_id;
        // The decision was taken back meanwhile, or learnt from already.
        if !context.is_to_be_learnt(id) {
            return Step::default();
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => {
                let mut step = lesson_step(id, Applied::default(), Some(error.to_string()));
                let passes = matches!(error, ModelError::Transient { .. });
                if let Some(Entry::Extraction(extraction)) = step.entries.first_mut() {
                    extraction.again = passes && context.n_tries(id) + 1 < limits::LESSON_TRIES;
                }
                step.usage = error.usage();
                return step;
            }
        };
        let usage = answer.usage;
        let mut step = match extract::read_answer(&answer.text) {
            Ok((ops, mut bad)) => {
                let languages = &context.settings().languages;
                let mut applied = self.memory.clone().apply(ops, evidence, languages);
                applied.refused.append(&mut bad);
                let failure = refusals(&applied);
                lesson_step(id, applied, failure)
            }
            Err(failure) => lesson_step(id, Applied::default(), Some(failure)),
        };
        step.usage = usage;
        step
    }

    fn run_tools(&self, context: &Context, calls: &[CallId]) -> Step {
        let mut step = Step::default();
        for id in calls {
            let Some(state) = context.call(id) else {
                continue;
            };
            let outcome = self.run(&state.call, context, state.response.as_ref());
            if let Ok(ToolOutcome::Result { sources, .. }) = &outcome {
                let paths = sources.iter().map(|(read, _)| &read.path);
                for entry in paths.flat_map(|path| withdrawn(context, path)) {
                    if !step.entries.contains(&entry) {
                        step.entries.push(entry);
                    }
                }
            }
            push_outcome(&mut step, &state.call, outcome);
        }
        step
    }

    fn run(
        &self,
        call: &ToolCall,
        context: &Context,
        response: Option<&CopilotResponse>,
    ) -> Result<ToolOutcome, ToolError> {
        let name = ToolName::of(&call.name);
        let tool = self.tools.iter().find(|tool| Some(tool.name()) == name);
        if let Some(tool) = tool {
            return tool.run(call, context, self.workspace, response);
        }
        let chunk = context.chunk().map(AsRef::as_ref);
        let offered = self
            .tools
            .iter()
            .filter(|tool| prompt::offers(context, chunk, tool.name()));
        let names: Vec<&str> = offered.map(|tool| tool.spec().name).collect();
        let text = format!(
            "There is no tool {}. The tools are {}.",
            call.name,
            names.join(", ")
        );
        Err(ToolError::refuse(RefusedReason::UnknownTool, text))
    }

    /// Sets every open call aside, so that the person's message can follow (SPEC 2).
    pub fn set_aside(&self, context: &Context) -> Vec<Entry> {
        let entry = |id: &CallId| {
            result(
                id,
                "Deferred by the user, who wrote a message instead.",
                ToolDetail::SetAside,
            )
        };
        context.open_calls().iter().map(entry).collect()
    }

    /// Tells whether a document's bytes on disk are other than those of the log.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn has_changed(
        &self,
        context: &Context,
        path: &ProjectPath,
    ) -> Result<bool, WorkspaceError> {
        let Some(document) = context.document(path) else {
            return Ok(false);
        };
        Ok(self.workspace.hash(path)? != document.read.hash)
    }

    /// Withdraws the drafts of a document that changed on disk and reads it anew (SPEC 10.18). A document
    /// that can no longer be read only loses its open drafts.
    pub fn refresh(&self, context: &Context, path: &ProjectPath) -> Step {
        let encoding = context
            .document(path)
            .and_then(|document| document.read.encoding.clone());
        self.reread(context, path, encoding)
    }

    /// Reads a document anew in an encoding that the person chose.
    pub fn reread(&self, context: &Context, path: &ProjectPath, encoding: Option<String>) -> Step {
        let mut step = Step::default();
        step.entries.extend(withdrawn(context, path));
        if let Ok(source) = self.workspace.read(path)
            && context.is_readable(path, &source, encoding.as_deref())
        {
            let read = SourceRead {
                path: path.clone(),
                hash: source.hash.clone(),
                encoding,
                rules: context.settings().rules.clone(),
            };
            step.entries.push(Entry::SourceRead(read));
            step.sources.push(source);
        }
        step
    }
}

impl Question {
    /// Tells whether the answer is a lesson for memory.
    pub fn is_lesson(&self) -> bool {
        matches!(self.purpose, Purpose::Lesson { .. })
    }

    /// Notes which model answers, once it has: what it learnt from a refusal meanwhile went into the request.
    #[must_use]
    pub fn put_to(mut self, model: &dyn Model) -> Self {
        if let Purpose::Turn { asked, .. } = &mut self.purpose {
            model.name().clone_into(&mut asked.model);
            asked.manner = model.manner();
        }
        self
    }
}

/// Ends the drafts of a document that wait, because its text is another now.
fn withdrawn(context: &Context, path: &ProjectPath) -> Vec<Entry> {
    let is_waiting = |id: &&CallId| {
        let draft = context.draft(id).filter(|draft| draft.path == *path);
        draft.is_some() && context.is_waiting(id)
    };
    let entry = |id: &CallId| {
        let text = format!(
            "{path} changed on disk, so the draft was withdrawn. Call Read with file_id \"{path}\" again."
        );
        let path = path.clone();
        result(id, &text, ToolDetail::SourceChanged { path })
    };
    let open = context.open_calls().iter();
    open.filter(is_waiting).map(entry).collect()
}

fn turn_step(
    context: &Context,
    lead: Vec<Entry>,
    asked: Asked,
    answer: ModelResponse,
) -> Result<Step, StepError> {
    let usage = answer.usage;
    let unusable = |detail: &str| {
        Err(ModelError::Unusable {
            detail: detail.to_owned(),
            usage,
        }
        .into())
    };
    if answer.finish == Finish::Length && !answer.tool_calls.is_empty() {
        return unusable("the output limit cut it in the middle of a call");
    }
    if answer.finish == Finish::Filtered {
        return unusable("the provider held it back");
    }
    if answer.text.trim().is_empty() && answer.tool_calls.is_empty() {
        return unusable("it is empty");
    }
    if answer.tool_calls.len() > limits::CALLS_IN_TURN {
        return unusable("it holds more calls than a turn can have");
    }
    let seq = Seq(context.seq().0 + lead.len() as u64 + 1);
    let calls = answer
        .tool_calls
        .into_iter()
        .enumerate()
        .map(|(place, call)| ToolCall {
            id: CallId::new(seq, place),
            name: call.name,
            arguments: call.arguments,
            origin: call.origin,
        });
    let message = Message::Assistant {
        text: answer.text,
        reasoning: answer.reasoning,
        tool_calls: calls.collect(),
        raw: answer.raw,
        usage: answer.usage,
        asked: context.is_asked_anew(&asked).then(|| Box::new(asked)),
    };
    let mut entries = lead;
    entries.push(Entry::Message(message));
    Ok(Step {
        entries,
        usage: answer.usage,
        ..Step::default()
    })
}

/// Says what memory refused, in plain words.
fn refusals(applied: &Applied) -> Option<String> {
    (!applied.refused.is_empty()).then(|| applied.refused.join("; "))
}

fn lesson_step(id: &CallId, applied: Applied, failure: Option<String>) -> Step {
    let extraction = Extraction {
        call_id: id.clone(),
        ops: applied.ops.clone(),
        failure,
        again: false,
    };
    Step {
        entries: vec![Entry::Extraction(extraction)],
        memory: applied,
        ..Step::default()
    }
}

fn result(id: &CallId, content: &str, detail: ToolDetail) -> Entry {
    let result = ToolResult {
        call_id: id.clone(),
        content: content.to_owned(),
        detail,
    };
    Entry::Message(Message::Tool(result))
}

/// Turns what became of a call into entries; a request for a person leaves none.
fn push_outcome(step: &mut Step, call: &ToolCall, outcome: Result<ToolOutcome, ToolError>) {
    match outcome {
        Ok(ToolOutcome::NeedsCopilot(_)) => {}
        Ok(ToolOutcome::Result {
            content,
            detail,
            sources,
        }) => {
            for (read, source) in sources {
                let known = |entry: &Entry| matches!(entry, Entry::SourceRead(old) if *old == read);
                if step.entries.iter().any(known) {
                    continue;
                }
                step.entries.push(Entry::SourceRead(read));
                step.sources.push(source);
            }
            step.entries.push(result(&call.id, &content, detail));
        }
        Err(ToolError::RespondToModel { text, reason }) => {
            step.entries
                .push(result(&call.id, &text, ToolDetail::Refused { reason }));
        }
    }
}
