//! The scaling laws of the core: what a step sends, and what it costs to prepare, depends neither on the
//! length of the session nor on that of the document. Needs a synthetic document; must not know a clock's time
//! but as a ratio.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use diglot_agent::model::ModelMessage;
use diglot_agent::{
    Begun, Decision, DecisionMode, Entry, Message, ModelRequest, Step, ToolArguments, ToolCall,
};
use diglot_testkit::calls;

use crate::acts::{refinement, unit};
use crate::folder::Folder;
use crate::session::{Session, assert_complete, path, settings};

const FILE: &str = "guide.txt";

/// Words that the synthetic document is made of.
const WORDS: [&str; 9] = [
    "pump",
    "valve",
    "pressure",
    "the",
    "operator",
    "closes",
    "before",
    "every",
    "inspection",
];

/// Words of a long unit, and of one as documents have on average (PERFORMANCE 8).
const LONG: usize = 45;
const AVERAGE: usize = 18;

/// Makes a document of units of so many words, each with its number.
fn document(n_units: usize, n_words: usize) -> String {
    let mut text = String::new();
    for unit in 0..n_units {
        let _ = write!(text, "Unit {unit:05}");
        for word in 2..n_words {
            let _ = write!(text, " {}", WORDS[(unit * 7 + word * word) % WORDS.len()]);
        }
        text.push_str(".\n\n");
    }
    text
}

/// Counts the bytes that a model is sent.
fn n_bytes(request: &ModelRequest) -> usize {
    let messages = request.messages.iter().map(|message| match message {
        ModelMessage::User(text) => text.len(),
        ModelMessage::Tool { content, .. } => content.len(),
        ModelMessage::Assistant {
            text, tool_calls, ..
        } => {
            let calls = tool_calls.iter();
            text.len() + calls.map(|call| arguments(call).len()).sum::<usize>()
        }
    });
    let tools = request.tools.iter();
    let tools = tools.map(|tool| tool.description.len() + tool.parameters.to_string().len());
    request.system.len() + messages.sum::<usize>() + tools.sum::<usize>()
}

fn arguments(call: &ToolCall) -> String {
    match &call.arguments {
        ToolArguments::Parsed(value) => value.to_string(),
        ToolArguments::Malformed(text) => text.clone(),
    }
}

/// Holds what one run showed.
struct Run {
    /// Bytes of each request, in order.
    n_bytes: Vec<usize>,
    /// Which of them opened a chunk.
    opened: Vec<usize>,
    /// What one round, of a turn and its decisions, took at the end of it: the least of the last ones.
    round: Duration,
    /// Bytes of the largest entry, as stored.
    largest_entry: usize,
}

/// Translates a document from its first unit to its last: a tenth refined, some rejected, memory changed in
/// the middle of chunks.
fn run(n_units: usize, n_words: usize) -> Run {
    let mut session = Session::new(
        Folder::of(&[(FILE, &document(n_units, n_words))]),
        settings(),
    );
    session.say("Translate this into German, in the register of a manual.");
    session.agent(calls([crate::acts::read(FILE)])).unwrap();
    let (mut before, mut opened, mut sizes) = (None::<ModelRequest>, Vec::new(), Vec::new());
    let mut rounds = Vec::new();
    let path = path(FILE);
    let mut turn = 0;
    while let Some(next) = session.context.document(&path).unwrap().next_open() {
        let started = Instant::now();
        let step = step(&mut session, next);
        let (request, opens) = step;
        if let Some(before) = before.as_ref().filter(|_| !opens) {
            assert_eq!(before.system, request.system);
            let n = before.messages.len();
            assert_eq!(before.messages[..], request.messages[..n]);
        }
        if opens {
            opened.push(sizes.len());
        }
        sizes.push(n_bytes(&request));
        decide(&mut session, turn);
        rounds.push(started.elapsed());
        before = Some(request);
        turn += 1;
        if turn % 97 == 5 && turn < 500 {
            session.remember(&format!("Rule {turn}"));
        }
    }
    let largest_entry = session
        .entries
        .iter()
        .map(|entry| format!("{entry:?}").len());
    Run {
        n_bytes: sizes,
        opened,
        round: rounds.iter().rev().take(200).min().copied().unwrap(),
        largest_entry: largest_entry.max().unwrap(),
    }
}

/// Runs one turn without the checks of a journey, which cost more the longer the document is.
fn step(session: &mut Session, next: usize) -> (ModelRequest, bool) {
    let document = session.context.document(&path(FILE)).unwrap();
    let drafts: Vec<_> = document
        .open_from(next)
        .take(4)
        .map(|ordinal| {
            let source = &document.segments()[ordinal].source;
            unit(FILE, ordinal + 1, &format!("Über {source}"))
        })
        .collect();
    let Begun::Ask(question) = session.agent_loop().begin(&session.context) else {
        panic!("the model is not asked");
    };
    let request = question.request.clone();
    assert_complete(&request);
    let answer = Ok(calls(drafts));
    let step = session
        .agent_loop()
        .finish(&session.context, *question, answer)
        .unwrap();
    let opens = step
        .entries
        .iter()
        .any(|entry| matches!(entry, Entry::Chunk(_)));
    append(session, step);
    (request, opens)
}

fn append(session: &mut Session, step: Step) {
    session
        .context
        .append_all(step.entries.iter().cloned())
        .unwrap();
    session.context.take_touched();
    session.context.take_pairs();
    session.entries.extend(step.entries);
}

fn decide(session: &mut Session, turn: usize) {
    for (place, request) in session.context.requests().into_iter().enumerate() {
        let decision = match (turn * 4 + place) % 40 {
            3 | 14 | 25 => refinement("Der Mensch weiß es besser."),
            36 => Decision::Reject(diglot_agent::Rejection::because("too literal")),
            _ => Decision::Approve,
        };
        let response = diglot_agent::CopilotResponse {
            call_id: request.call_id().clone(),
            decision,
            mode: DecisionMode::Bulk,
            at: 1,
        };
        let step = session
            .agent_loop()
            .respond(&session.context, response, true);
        append(session, step.unwrap());
    }
}

fn ratio(large: usize, small: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^52")]
    let ratio = large as f64 / small as f64;
    ratio
}

#[test]
fn requests_and_rounds_do_not_grow_with_the_session() {
    let (ten, thousand, many) = (run(10, LONG), run(1_000, LONG), run(10_000, LONG));
    let largest = |run: &Run| *run.n_bytes.iter().max().unwrap();
    let most = largest(&many);
    assert!(largest(&ten) <= largest(&thousand));
    assert!(
        ratio(most, largest(&thousand)) <= 1.1,
        "{most} {}",
        largest(&thousand)
    );
    // Inside one session: the heads of the second chunk and of the last whole one.
    let head = |at: usize| many.n_bytes[many.opened[at]];
    let late = many.opened.len() - 2;
    assert!(
        ratio(head(late), head(1)) <= 1.1,
        "{} {}",
        head(late),
        head(1)
    );
    assert!(ratio(many.largest_entry, thousand.largest_entry) <= 1.1);
    // Time is noisy where much else runs; growth with the document would be tenfold.
    let (late, early) = (many.round, thousand.round);
    assert!(
        late < 4 * early + Duration::from_millis(2),
        "{late:?} {early:?}"
    );
    println!(
        "largest request {most}, chunks {}, round {late:?} after {early:?}",
        many.opened.len()
    );
}

#[test]
fn a_request_keeps_within_its_bounds() {
    for n_words in [AVERAGE, LONG] {
        let run = run(300, n_words);
        let largest = run.n_bytes.iter().max().unwrap();
        assert!(*largest <= 32_000, "{n_words} words: {largest}");
    }
}

#[test]
fn many_files_cost_a_step_nothing() {
    let least = |n_files: usize| {
        let names: Vec<String> = (0..n_files).map(|n| format!("{n:05}.txt")).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "One.\n")).collect();
        let mut session = Session::new(Folder::of(&files), settings());
        session.say("Translate all.");
        session.agent(calls([crate::acts::ls(".")])).unwrap();
        let reads: Vec<_> = names[..5]
            .iter()
            .map(|name| crate::acts::read(name))
            .collect();
        session.agent(calls(reads)).unwrap();
        let begin = || {
            let started = Instant::now();
            assert!(matches!(
                session.agent_loop().begin(&session.context),
                Begun::Ask(_)
            ));
            started.elapsed()
        };
        (0..50).map(|_| begin()).min().unwrap()
    };
    let (few, many) = (least(20), least(5_000));
    assert!(
        many < 4 * few + Duration::from_micros(200),
        "{many:?} {few:?}"
    );
}

#[test]
fn a_long_first_message_reaches_the_model() {
    let guide = "Immer Sie sagen. ".repeat(300);
    let mut session = Session::new(Folder::of(&[(FILE, "One.\n")]), settings());
    session.say(&guide);
    let Begun::Ask(question) = session.agent_loop().begin(&session.context) else {
        panic!("the model is not asked");
    };
    let [ModelMessage::User(text)] = question.request.messages.as_slice() else {
        panic!("{:?}", question.request.messages);
    };
    assert!(text.contains(&guide), "{text}");
    let huge = "Größer. ".repeat(5_000);
    session.say(&huge);
    let entries = session.entries.iter();
    let said = entries.filter(|entry| matches!(entry, Entry::Message(Message::User { .. })));
    assert_eq!(said.count(), 2);
    let Begun::Ask(question) = session.agent_loop().begin(&session.context) else {
        panic!("the model is not asked");
    };
    assert!(n_bytes(&question.request) < 20_000);
}
