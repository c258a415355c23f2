//! `history.json`: a conversation that the model leads, played with the request refused as too long before each of
//! its answers in turn. Owns that order; must not know what a request looks like.

use anyhow::{Context, Result};
use diglot_testkit::{Script, Turn};
use serde_json::{Value, json};

use super::case::Case;
use super::folder::Input;
use super::play::{self, Played};

/// Plays the conversation once as it is and once for each place at which it is shortened.
pub(crate) async fn run(case: &Case, input: &Input) -> Result<Played> {
    let script = case.script.clone().context("history.json needs a script")?;
    let answers: Vec<Turn> = case.history.iter().filter_map(answer).collect();
    let whole = play::one(with(&script, &answers, None), input).await?;
    let mut faults = Vec::new();
    let mut last = None;
    for place in 0..=answers.len() {
        let played = play::one(with(&script, &answers, Some(place)), input).await?;
        let found = differences(&whole, &played, answers.len());
        faults.extend(
            found
                .into_iter()
                .map(|fault| format!("shortened before answer {}: {fault}", place + 1)),
        );
        last = Some(played);
    }
    let mut played = last.context("nothing was played")?;
    played.statements.push((SHORTENED.to_owned(), Some(faults)));
    Ok(played)
}

/// Names the statement about all the runs.
pub(crate) const SHORTENED: &str = "shortened at every length";

/// Makes a reply of an assistant message.
fn answer(message: &Value) -> Option<Turn> {
    let is_answer = message.get("role") == Some(&json!("assistant"));
    is_answer.then(|| {
        turn(
            200,
            json!({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}),
        )
    })
}

fn turn(status: u16, json: Value) -> Turn {
    Turn {
        status,
        headers: std::collections::BTreeMap::default(),
        json: Some(json),
        raw: None,
        sse: None,
    }
}

/// Puts the conversation ahead of a script, and a refusal into it.
fn with(script: &Script, answers: &[Turn], refused_before: Option<usize>) -> Script {
    let mut script = script.clone();
    let mut turns = answers.to_vec();
    if let Some(place) = refused_before {
        let error =
            json!({"message": "The prompt is too long.", "code": "context_length_exceeded"});
        turns.insert(place, turn(400, json!({"error": error})));
    }
    turns.append(&mut script.turns);
    script.turns = turns;
    script
}

fn differences(whole: &Played, shortened: &Played, n_answers: usize) -> Vec<String> {
    let mut faults = shortened.violations.clone();
    if shortened.written.targets != whole.written.targets {
        faults.push("other files were written".to_owned());
    }
    if shortened.memory_items != whole.memory_items {
        faults.push("memory differs".to_owned());
    }
    let states = |played: &Played| -> Vec<_> {
        let units = played
            .documents
            .values()
            .flat_map(|document| &document.units);
        units.map(|unit| (unit.unit, unit.state)).collect()
    };
    if states(shortened) != states(whole) {
        faults.push("other units are confirmed".to_owned());
    }
    if shortened.view.turns.len() < n_answers || shortened.view.has_earlier {
        let n_turns = shortened.view.turns.len();
        faults.push(format!("only {n_turns} turns can be browsed"));
    }
    faults
}
