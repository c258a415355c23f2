//! What is left of a long session, with bounds that a short one reaches.

use std::collections::BTreeMap;

use diglot_document::{LanguagePair, LanguageTag, Origin, Rules, UnitState};
use serde_json::json;

use super::*;
use crate::context::SessionSettings;
use crate::copilot::{CopilotRequest, CopilotResponse, DecisionMode};
use crate::entry::{Chunk, Reversal, SessionId, SourceRead};
use crate::limits;
use crate::message::{ToolCall, ToolDetail, ToolResult, Usage};
use crate::workspace::{ProjectPath, SourceText};

const UNITS: usize = 12;

fn path() -> ProjectPath {
    ProjectPath::from_listing("a.txt").unwrap()
}

fn context() -> Context {
    let tag = |text| LanguageTag::parse(text).unwrap();
    let mut context = Context::new(SessionSettings {
        session: SessionId(1),
        languages: LanguagePair {
            source: tag("en"),
            target: tag("de"),
        },
        instructions: String::new(),
        look_ahead: 4,
        chunk_units: 32,
        soft_limit: 300,
        rules: Rules::default(),
        when_missing: BTreeMap::new(),
        token_cap: None,
        guides: std::sync::Arc::default(),
    });
    let paragraphs: Vec<String> = (0..UNITS)
        .map(|unit| format!("Valve {unit} is open."))
        .collect();
    let text = paragraphs.join("\n\n");
    let source = SourceText::new(text.into_bytes());
    let read = SourceRead {
        path: path(),
        hash: source.hash.clone(),
        encoding: None,
        rules: Rules::default(),
    };
    context.add_source(source);
    context.append(Entry::SourceRead(read)).unwrap();
    context
}

fn chunk(context: &mut Context) {
    let chunk = Chunk {
        path: Some(path()),
        from_unit: 1,
        to_unit: UNITS,
        memory: Vec::new(),
        pairs: Vec::new(),
        confirmed: Vec::new(),
        terms: Vec::new(),
        waived: Vec::new(),
        matches: Vec::new(),
        next: String::new(),
        guides: Vec::new(),
    };
    context.append(Entry::Chunk(chunk)).unwrap();
}

/// Drafts a unit, decides on it, and answers the call.
fn unit(context: &mut Context, unit: usize, decision: Decision) -> CallId {
    let id = CallId::new(Seq(context.seq().0 + 1), 0);
    let arguments = json!({"file_id": "a.txt", "unit": unit, "translate_string": format!("Ventil {unit} ist offen.")});
    let call = ToolCall {
        id: id.clone(),
        name: "Translate".to_owned(),
        arguments: ToolArguments::Parsed(arguments),
        origin: Origin::Model,
    };
    let message = Message::Assistant {
        text: String::new(),
        reasoning: None,
        tool_calls: vec![call],
        raw: None,
        usage: Usage::default(),
        asked: None,
    };
    context.append(Entry::Message(message)).unwrap();
    let state = match decision {
        Decision::Approve => UnitState::Approved,
        Decision::Refine { .. } => UnitState::Refined,
        Decision::Reject { .. } | Decision::Answer { .. } | Decision::Cancel => UnitState::Open,
    };
    let response = CopilotResponse {
        call_id: id.clone(),
        decision,
        mode: DecisionMode::Single,
        at: 1,
    };
    context.append(Entry::Response(response)).unwrap();
    let result = ToolResult {
        call_id: id.clone(),
        content: String::new(),
        detail: ToolDetail::Decided {
            path: path(),
            unit,
            state,
        },
    };
    context
        .append(Entry::Message(Message::Tool(result)))
        .unwrap();
    id
}

fn refined(unit: usize) -> Decision {
    Decision::Refine {
        target: format!("Das Ventil {unit} ist auf."),
    }
}

fn session() -> (Context, Vec<CallId>) {
    let mut context = context();
    let mut ids = Vec::new();
    for number in 1..=UNITS {
        let decision = match number {
            2 => refined(number),
            3 => Decision::Cancel,
            _ => Decision::Approve,
        };
        ids.push(unit(&mut context, number, decision));
        if number % 2 == 0 {
            chunk(&mut context);
        }
    }
    (context, ids)
}

fn is_past(context: &Context, id: &CallId) -> bool {
    context.call(id).is_none() && context.past_draft(id).is_some()
}

#[test]
fn of_old_drafts_only_the_decision_is_kept() {
    let (context, ids) = session();
    assert_eq!(context.held_since().0, context.seq().0 - 10 - 1);
    assert_eq!(context.entries_since(Seq(0)).count(), 11);
    let expected = |unit: usize, seq: u64, decision| PastDraft {
        seq: Seq(seq),
        unit: UnitRef { path: path(), unit },
        decision,
    };
    let past = |at: usize| context.past_draft(&ids[at]).unwrap();
    assert_eq!(past(0), expected(1, 2, Some(&Decision::Approve)));
    assert_eq!(past(2), expected(3, 9, Some(&Decision::Cancel)));
    // The person may still learn something from what they refined.
    assert!(!is_past(&context, &ids[1]));
    assert_eq!(
        context.evidence(&ids[1]).unwrap().source,
        "Valve 1 is open."
    );
    // What can be taken back is there as a whole.
    let last = ids.len() - limits::UNDONE_ACTIONS;
    assert!(ids[last..].iter().all(|id| context.call(id).is_some()));
}

#[test]
fn a_lesson_that_was_drawn_ends_what_it_was_drawn_from() {
    let (mut context, ids) = session();
    let extraction = crate::entry::Extraction {
        call_id: ids[1].clone(),
        ops: Vec::new(),
        failure: None,
        again: false,
    };
    context.append(Entry::Extraction(extraction)).unwrap();
    let past = context.past_draft(&ids[1]).unwrap();
    assert_eq!(past.decision, Some(&refined(2)));
    assert!(is_past(&context, &ids[1]));
}

#[test]
fn every_action_within_the_bound_can_be_taken_back_and_done_again() {
    let (mut context, ids) = session();
    let before: Vec<_> = (0..UNITS).map(|at| context.unit_row(&path(), at)).collect();
    for _ in 0..limits::UNDONE_ACTIONS {
        let of = context.undoable().unwrap().seq;
        context.append(Entry::Undo(Reversal { of, at: 2 })).unwrap();
    }
    assert!(context.undoable().is_none());
    let requests = context.requests();
    let waiting: Vec<&CallId> = requests.iter().map(CopilotRequest::call_id).collect();
    assert_eq!(waiting.len(), limits::UNDONE_ACTIONS);
    assert!(waiting.contains(&&ids[UNITS - 1]));
    while let Some(action) = context.redoable() {
        let redo = Reversal {
            of: action.seq,
            at: 3,
        };
        context.append(Entry::Redo(redo)).unwrap();
    }
    let after: Vec<_> = (0..UNITS).map(|at| context.unit_row(&path(), at)).collect();
    assert_eq!(after, before);
}

#[test]
fn ids_that_were_not_made_here_are_kept_whole() {
    assert_eq!(CallId::from_text("call_1234").number(), None);
    assert_eq!(CallId::from_text("00000000Z").number(), None);
    let id = CallId::new(Seq(70_000), 1_295);
    assert_eq!(id.seq(), Some(Seq(70_000)));
    assert_eq!(id.number(), Some(70_000 * 1_296 + 1_295));
}
