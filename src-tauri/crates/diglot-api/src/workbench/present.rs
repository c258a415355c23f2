//! Turns the core's values into views. Only reads, and only what one page shows.

mod unit;

use std::collections::HashSet;

use diglot_agent::agent_loop::Actor;
use diglot_agent::context::{CallState, DocumentState, Rejected, Resolution};
use diglot_agent::entry::Extraction;
use diglot_agent::memory::MemoryOp;
use diglot_agent::message::ToolDetail;
use diglot_agent::tools::ToolName;
use diglot_agent::{
    CallId, Context, CopilotRequest, Decision, Entry, FinishReason, Message, ProjectPath, Seq,
    ToolResult,
};
use diglot_document::{Document, Problem, TargetDiff, has_escapes};
use diglot_store::SessionRow;

use super::checks::Dismissed;
use super::projects::project_id;
use super::reverse::action_view;
use super::sessions::Session;
use super::{history, lock};
use crate::error::{ApiError, ErrorCode};
use crate::view::action::ActionView;
use crate::view::document::{DocumentView, ProblemView, WhenMissingView, diff_pieces};
use crate::view::session::{
    ActorView, AttemptView, FinishView, OutcomeView, ProgressView, ProposalView, QuestionView,
    RedraftView, RequestView, SessionSummary, SessionView, TurnKind, TurnView,
};
pub(super) use unit::parts;
use unit::{open_unit, unit_view};
pub(super) use unit::{put_row, special_units};

/// Turns of the conversation that are shown without being asked for more.
const TURNS: usize = 200;

/// Shows a session's row.
pub(super) fn summary(row: &SessionRow) -> SessionSummary {
    SessionSummary {
        id: row.id.0,
        title: row.title.clone(),
        project_id: project_id(std::path::Path::new(&row.folder)),
        folder: row.folder.clone(),
        target_folder: row.target_folder.clone(),
        source_language: row.languages.source.to_string(),
        target_language: row.languages.target.to_string(),
        n_units: row.counts.n_units,
        n_confirmed: row.counts.n_confirmed,
        n_waiting: row.counts.n_waiting,
        n_tokens: row.counts.n_tokens,
        created_at: row.created_at,
        updated_at: row.updated_at,
        is_damaged: row.damage.is_some(),
    }
}

/// Says which part of a conversation is shown.
#[derive(Debug, Default)]
pub(super) struct Part {
    /// What follows this entry; the latest turns where there is none.
    pub(super) since: Option<Seq>,
    /// The entries after it that the context holds no longer.
    pub(super) earlier: Vec<(Seq, Entry)>,
}

/// Shows an open session.
pub(super) fn session_view(
    session: &Session,
    context: &Context,
    part: &Part,
    provider: String,
) -> Result<SessionView, ApiError> {
    let row = lock(&session.row).clone();
    let counts = session.counts(context);
    let mut summary = summary(&row);
    let is_damaged = session.damage.is_some();
    summary.is_damaged = is_damaged;
    summary.n_units = counts.n_units;
    summary.n_confirmed = counts.n_confirmed;
    summary.n_waiting = counts.n_waiting;
    summary.n_tokens = counts.n_tokens;
    let (turns, has_earlier) = turns(context, part);
    let files = progress(session, context);
    let attempt = attempt_view(&row);
    Ok(SessionView {
        session: summary,
        seq: context.seq().0,
        actor: match context.actor() {
            Actor::Agent if !is_damaged => ActorView::Agent,
            Actor::Agent | Actor::User => ActorView::User,
        },
        running: session.run.is_running(),
        finish: context
            .finish()
            .and_then(|reason| finish_view(reason, &files)),
        attempt,
        requests: if is_damaged {
            Vec::new()
        } else {
            requests(session, context)?
        },
        turns,
        has_earlier,
        files,
        target_problems: session.targets.problems(),
        folder_present: history::is_present(&row),
        instructions: row.instructions,
        provider,
        n_learning: context.open_extractions().count(),
        undo: context.undoable().as_ref().map(action_view),
        redo: context.redoable().as_ref().map(action_view),
        is_opening: false,
    })
}

/// Shows what the rows beside a log tell of a session, while the log is read.
pub(super) fn opening_view(row: &SessionRow, files: Vec<ProgressView>) -> SessionView {
    SessionView {
        session: summary(row),
        seq: row.seq.0,
        actor: ActorView::User,
        running: false,
        finish: None,
        attempt: None,
        requests: Vec::new(),
        turns: Vec::new(),
        has_earlier: true,
        files,
        target_problems: Vec::new(),
        folder_present: false,
        instructions: String::new(),
        provider: String::new(),
        n_learning: 0,
        undo: None,
        redo: None,
        is_opening: true,
    }
}

fn attempt_view(row: &SessionRow) -> Option<AttemptView> {
    let attempt = row.attempt.as_ref()?;
    let unknown = || ApiError::new(ErrorCode::ModelUnreachable, "");
    Some(AttemptView {
        error: serde_json::from_value(attempt.error.clone()).unwrap_or_else(|_| unknown()),
        try_again_at: attempt.try_again_at,
        n_tries: attempt.n_tries,
    })
}

/// Shows a session as it was kept, with what may have changed since without an entry.
pub(super) fn kept_view(kept: SessionView, row: &SessionRow, provider: String) -> SessionView {
    let counted = kept.session;
    SessionView {
        session: SessionSummary {
            n_units: counted.n_units,
            n_confirmed: counted.n_confirmed,
            n_waiting: counted.n_waiting,
            n_tokens: counted.n_tokens,
            ..summary(row)
        },
        running: false,
        attempt: attempt_view(row),
        folder_present: history::is_present(row),
        instructions: row.instructions.clone(),
        provider,
        ..kept
    }
}

/// Says why the agent has stopped. A turn that ended with every document of the project done is the end, also
/// when the model never listed the folder.
fn finish_view(reason: FinishReason, files: &[ProgressView]) -> Option<FinishView> {
    let is_done = |file: &ProgressView| file.n_units == Some(file.n_confirmed);
    match reason {
        FinishReason::TurnEnded if files.iter().all(is_done) => Some(FinishView::Complete),
        FinishReason::Empty | FinishReason::Waiting => None,
        FinishReason::Complete => Some(FinishView::Complete),
        FinishReason::TurnEnded => Some(FinishView::TurnEnded),
        FinishReason::StepLimit => Some(FinishView::StepLimit),
        FinishReason::RepeatedCall => Some(FinishView::RepeatedCall),
        FinishReason::RefusedCalls => Some(FinishView::RefusedCalls),
        FinishReason::TokenCap => Some(FinishView::TokenCap),
    }
}

/// Shows open requests: questions first, since drafts may depend on the answer, then drafts in document order.
fn requests(session: &Session, context: &Context) -> Result<Vec<RequestView>, ApiError> {
    let dismissed = lock(&session.dismissed);
    let mut questions = Vec::new();
    let mut drafts = Vec::new();
    for request in context.requests() {
        match request {
            CopilotRequest::Ask(ask) => questions.push(RequestView::Ask(QuestionView {
                call_id: ask.call_id.to_string(),
                question: ask.question,
                options: ask.options,
            })),
            CopilotRequest::Translate(draft) => {
                let missing = || ApiError::new(ErrorCode::Internal, "a draft has no document");
                let document = context.document(&draft.path).ok_or_else(missing)?;
                let segment = document
                    .segments()
                    .get(draft.unit - 1)
                    .ok_or_else(missing)?;
                let refused = document
                    .units()
                    .get(draft.unit - 1)
                    .and_then(|unit| unit.rejected.as_ref());
                let is_empty = draft.target.is_empty();
                drafts.push(ProposalView {
                    rejected: refused
                        .filter(|_| is_empty)
                        .map(|refused| refused.draft.clone()),
                    redraft: refused
                        .filter(|_| !is_empty)
                        .map(|refused| redraft(refused, &draft.target)),
                    call_id: draft.call_id.to_string(),
                    path: draft.path.as_str().to_owned(),
                    unit: draft.unit,
                    unit_kind: segment.kind.into(),
                    source_parts: parts(document.document.format, &draft.source),
                    issues: dismissed.views(&draft.issues, &draft.source, &draft.target),
                    source: draft.source,
                    target: draft.target,
                    origin: draft.origin.into(),
                });
            }
        }
    }
    let order = |path: &str| {
        context
            .documents()
            .position(|(known, _)| known.as_str() == path)
    };
    drafts.sort_by_key(|draft| (order(&draft.path), draft.unit));
    questions.extend(drafts.into_iter().map(RequestView::Translate));
    Ok(questions)
}

/// Shows a draft that came in the place of a rejected one.
fn redraft(refused: &Rejected, target: &str) -> RedraftView {
    let rejection = &refused.rejection;
    RedraftView {
        pieces: diff_pieces(&TargetDiff::between(&refused.draft, target)),
        fault: rejection.fault.map(Into::into),
        marked: rejection.marked.as_ref().map(|marked| marked.text.clone()),
        reason: rejection.reason.clone(),
    }
}

/// Shows the progress of each document of the project, read or not, in the project's order.
fn progress(session: &Session, context: &Context) -> Vec<ProgressView> {
    let project = session.project().ok();
    let mut paths = project
        .as_ref()
        .map(|project| project.documents())
        .unwrap_or_default();
    if paths.is_empty() {
        let documents = context.listed().iter().filter(|entry| entry.is_document());
        paths = documents.map(|entry| entry.path.clone()).collect();
    }
    let known: HashSet<ProjectPath> = paths.iter().cloned().collect();
    let others = context
        .documents()
        .map(|(path, _)| path)
        .filter(|path| !known.contains(*path));
    paths.extend(others.cloned());
    let counted = |path: &ProjectPath| project.as_ref().and_then(|project| project.counted(path));
    let view = |path: ProjectPath| {
        let document = context.document(&path);
        ProgressView {
            path: path.as_str().to_owned(),
            n_units: document
                .map(|document| document.units().len())
                .or_else(|| counted(&path)),
            n_confirmed: document.map_or(0, DocumentState::n_confirmed),
            next_open: document
                .and_then(DocumentState::next_open)
                .map(|ordinal| ordinal + 1),
        }
    };
    paths.into_iter().map(view).collect()
}

/// Shows the conversation after `since`, each draft and question once and as it stands now. One that was decided
/// after `since` and proposed before it is shown at its old place.
fn turns(context: &Context, part: &Part) -> (Vec<TurnView>, bool) {
    let mut turns: Vec<TurnView> = Vec::new();
    let mut has_earlier = part.since.is_none() && context.held_since() > Seq(0);
    let earlier = part.earlier.iter().map(|(seq, entry)| (*seq, entry));
    let held = context.entries_since(part.since.unwrap_or(Seq(0)));
    let entries = earlier.chain(held.map(|(seq, entry)| (seq, entry.as_ref())));
    // From the end, so that a long log costs what is shown of it.
    for (seq, entry) in entries.rev() {
        let moved = context.moved_at(seq).iter();
        let mut found: Vec<TurnView> = moved.filter_map(|id| call_turn(context, id)).collect();
        found.extend(entry_turns(context, seq, entry));
        found.reverse();
        turns.extend(found);
        if turns.len() >= TURNS && part.since.is_none() {
            has_earlier = seq > Seq(1);
            break;
        }
    }
    turns.reverse();
    let mut shown = HashSet::new();
    turns.sort_by_key(|turn| turn.seq);
    turns.retain(|turn| call_of(&turn.turn).is_none_or(|id| shown.insert(id.to_owned())));
    (turns, has_earlier)
}

fn call_of(turn: &TurnKind) -> Option<&str> {
    if let TurnKind::Drafted { call_id, .. } | TurnKind::Asked { call_id, .. } = turn {
        Some(call_id)
    } else {
        None
    }
}

fn entry_turns(context: &Context, seq: Seq, entry: &Entry) -> Vec<TurnView> {
    let one = |turn| vec![TurnView { seq: seq.0, turn }];
    match entry {
        Entry::Message(Message::User { text }) => one(TurnKind::User { text: text.clone() }),
        Entry::Message(Message::Assistant {
            text,
            reasoning,
            tool_calls,
            ..
        }) => {
            let mut found = Vec::new();
            if !text.trim().is_empty() || reasoning.is_some() {
                let turn = TurnKind::Agent {
                    text: text.clone(),
                    reasoning: reasoning.clone(),
                };
                found.push(TurnView { seq: seq.0, turn });
            }
            found.extend(
                tool_calls
                    .iter()
                    .filter_map(|call| call_turn(context, &call.id)),
            );
            found
        }
        Entry::Message(Message::Tool(result)) => {
            result_turn(context, seq, result).into_iter().collect()
        }
        Entry::SourceRead(read) => {
            if !context.is_reread(seq) {
                return Vec::new();
            }
            one(TurnKind::SourceChanged {
                path: read.path.as_str().to_owned(),
            })
        }
        Entry::Revision(revision) => one(TurnKind::Revised {
            path: revision.unit.path.as_str().to_owned(),
            unit: revision.unit.unit,
        }),
        Entry::Skip(unit) => one(TurnKind::Skipped {
            path: unit.path.as_str().to_owned(),
            unit: unit.unit,
        }),
        Entry::Extraction(extraction) => one(learnt(extraction)),
        Entry::Undo(_) => reversal(context, seq, |action| TurnKind::Undone { action }),
        Entry::Redo(_) => reversal(context, seq, |action| TurnKind::Redone { action }),
        Entry::Response(_) | Entry::Lesson(_) | Entry::Chunk(_) => Vec::new(),
    }
}

fn reversal(
    context: &Context,
    seq: Seq,
    turn: impl FnOnce(ActionView) -> TurnKind,
) -> Vec<TurnView> {
    let action = context.reversed_at(seq).map(action_view);
    let view = |turn| TurnView { seq: seq.0, turn };
    action.map(turn).map(view).into_iter().collect()
}

fn learnt(extraction: &Extraction) -> TurnKind {
    let text = |op: &MemoryOp| match op {
        MemoryOp::Add { text, .. } | MemoryOp::Update { text, .. } => Some(text.clone()),
        MemoryOp::Delete { .. } => None,
    };
    TurnKind::Learnt {
        items: extraction.ops.iter().filter_map(text).collect(),
        failure: extraction.failure.clone(),
    }
}

/// Shows a draft or a question as it stands now; other calls are shown by their results.
fn call_turn(context: &Context, id: &CallId) -> Option<TurnView> {
    if let Some(past) = context.past_draft(id) {
        let turn = TurnKind::Drafted {
            path: past.unit.path.as_str().to_owned(),
            unit: past.unit.unit,
            call_id: id.to_string(),
            outcome: outcome(past.decision, false),
        };
        let seq = past.seq.0;
        return Some(TurnView { seq, turn });
    }
    let state = context.call(id)?;
    let decision = state.response.as_ref().map(|response| &response.decision);
    let turn = match &state.resolution {
        Some(Resolution::Draft(draft)) => TurnKind::Drafted {
            path: draft.path.as_str().to_owned(),
            unit: draft.ordinal + 1,
            call_id: id.to_string(),
            outcome: outcome(decision, state.waits()),
        },
        None if ToolName::of(&state.call.name) == Some(ToolName::Ask) => {
            let ask = diglot_agent::tools::ask::read(&state.call).ok()?;
            TurnKind::Asked {
                call_id: id.to_string(),
                question: ask.question,
                options: ask.options,
                answer: answer(state),
                outcome: outcome(decision, state.waits()),
            }
        }
        Some(Resolution::Refused { .. }) | None => return None,
    };
    Some(TurnView {
        seq: state.seq.0,
        turn,
    })
}

fn answer(state: &CallState) -> Option<String> {
    match &state.response.as_ref()?.decision {
        Decision::Answer { choice, text } => {
            let given: Vec<&str> = [choice, text]
                .into_iter()
                .flatten()
                .map(String::as_str)
                .collect();
            Some(given.join(" · "))
        }
        Decision::Approve | Decision::Refine { .. } | Decision::Reject(_) | Decision::Cancel => {
            None
        }
    }
}

fn outcome(decision: Option<&Decision>, waits: bool) -> OutcomeView {
    match decision {
        Some(Decision::Approve) => OutcomeView::Approved,
        Some(Decision::Refine { .. }) => OutcomeView::Refined,
        Some(Decision::Reject { .. }) => OutcomeView::Rejected,
        Some(Decision::Answer { .. }) => OutcomeView::Answered,
        None if waits => OutcomeView::Waiting,
        Some(Decision::Cancel) | None => OutcomeView::SetAside,
    }
}

fn result_turn(context: &Context, seq: Seq, result: &ToolResult) -> Option<TurnView> {
    let turn = match &result.detail {
        ToolDetail::Listing { folders, entries } => TurnKind::Listed {
            path: folders
                .first()
                .map(|folder| folder.as_str().to_owned())
                .unwrap_or_default(),
            n_entries: entries.len(),
        },
        ToolDetail::Page {
            path,
            from_unit,
            to_unit,
        } => TurnKind::Read {
            path: path.as_str().to_owned(),
            from_unit: *from_unit,
            to_unit: *to_unit,
        },
        ToolDetail::Guide { title, .. } => TurnKind::Guided {
            title: title.clone(),
        },
        ToolDetail::Decided { .. }
        | ToolDetail::Answered
        | ToolDetail::SetAside
        | ToolDetail::SourceChanged { .. } => return call_turn(context, &result.call_id),
        ToolDetail::Refused { .. } => TurnKind::Refused {
            tool: context.call(&result.call_id)?.call.name.clone(),
            text: result.content.clone(),
        },
    };
    Some(TurnView { seq: seq.0, turn })
}

/// Shows a page of a document that was read in the session.
pub(super) fn document_view(
    dismissed: &Dismissed,
    context: &Context,
    path: &ProjectPath,
    from: usize,
    limit: usize,
) -> Option<DocumentView> {
    let state = context.document(path)?;
    let document = &state.document;
    let units = state
        .segments()
        .iter()
        .skip(from - 1)
        .take(limit)
        .filter_map(|segment| {
            let unit = state.units().get(segment.ordinal)?;
            Some(unit_view(context, dismissed, state, segment, unit))
        })
        .collect();
    let mut view = unread_document_view(document, path, from, 0);
    let choice = context.settings().when_missing.get(path).copied();
    view.when_missing = choice.unwrap_or_default().into();
    view.n_confirmed = state.n_confirmed();
    view.next_open = state.next_open().map(|ordinal| ordinal + 1);
    view.units = units;
    Some(view)
}

/// Shows a page of a document that the agent has not come to yet: every unit is open.
pub(super) fn unread_document_view(
    document: &Document,
    path: &ProjectPath,
    from: usize,
    limit: usize,
) -> DocumentView {
    let segments = document.segments.iter().skip(from - 1).take(limit);
    DocumentView {
        path: path.as_str().to_owned(),
        format: document.format.name().to_owned(),
        encoding: document.encoding.name.to_owned(),
        encoding_guessed: document.encoding.guessed,
        when_missing: WhenMissingView::Refuse,
        has_escapes: has_escapes(document),
        problems: document.problems.iter().map(problem_view).collect(),
        n_units: document.segments.len(),
        n_confirmed: 0,
        next_open: document.segments.first().map(|_| 1),
        from_unit: from,
        units: segments
            .map(|segment| open_unit(document.format, segment))
            .collect(),
    }
}

fn problem_view(problem: &Problem) -> ProblemView {
    match problem {
        Problem::InvalidBytes { lines } => ProblemView::InvalidBytes {
            lines: lines.clone(),
        },
        Problem::DoubtfulEncoding => ProblemView::DoubtfulEncoding,
        Problem::Unclosed { line } => ProblemView::Unclosed { line: *line },
    }
}
