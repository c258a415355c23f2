//! Every word that a model sees, kept beside the tests: a change of one is a change that somebody looked at.

use diglot_agent::context::Plan;
use diglot_agent::memory::{Evidence, extract};
use diglot_agent::model::ModelMessage;
use diglot_agent::{
    Begun, CallId, Decision, Entry, Message, ModelRequest, SessionId, ToolArguments,
};
use serde_json::json;

use crate::acts::{
    Act, agent, approve, ask, garbled, ls, page, quote, read, refine, reject, talk, unit,
};
use crate::folder::Folder;
use crate::session::{Session, languages, settings};

const GUIDE: &str = "# Menu\n\nOpen the [menu](m.md).\n\nRun `make %s`.\n\n- Wait.\n- Wait.\n";

fn session(files: &[(&str, &str)]) -> Session {
    let mut settings = settings();
    "Address the reader as du.".clone_into(&mut settings.instructions);
    Session::new(Folder::of(files), settings)
}

fn run(session: &mut Session, acts: Vec<Act>) {
    for act in acts {
        act.run(session);
    }
}

/// Returns what the tools answered, each under its call.
fn results(session: &Session) -> String {
    let results = session.entries.iter().filter_map(|entry| match entry {
        Entry::Message(Message::Tool(result)) => Some(result),
        _ => None,
    });
    let texts = results.map(|result| {
        let call = &session.context.call(&result.call_id).unwrap().call;
        let arguments = match &call.arguments {
            ToolArguments::Parsed(value) => value.to_string(),
            ToolArguments::Malformed(text) => text.clone(),
        };
        format!("# {} {arguments}\n{}\n", call.name, result.content)
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn request(session: &Session) -> ModelRequest {
    assert_eq!(session.context.plan(), Plan::AskModel);
    match session.agent_loop().begin(&session.context) {
        Begun::Ask(question) => question.request,
        Begun::Done(step) => panic!("{step:?}"),
    }
}

fn users(request: &ModelRequest) -> String {
    let texts = request.messages.iter().map(|message| match message {
        ModelMessage::User(text) => format!("# user\n{text}\n"),
        ModelMessage::Assistant { .. } => "# assistant\n".to_owned(),
        ModelMessage::Tool { .. } => "# tool\n".to_owned(),
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn system_prompt_and_tools() {
    let mut session = session(&[("guide.md", GUIDE)]);
    session.remember("Say Datei for file");
    session.say("Translate this.");
    let request = request(&session);
    let tools = request.tools.iter().map(|tool| {
        let parameters = serde_json::to_string_pretty(&tool.parameters).unwrap();
        format!("# {}\n{}\n{parameters}\n", tool.name, tool.description)
    });
    let tools = tools.collect::<Vec<_>>().join("\n");
    insta::assert_snapshot!("system_prompt", request.system);
    insta::assert_snapshot!("tools", tools);
    insta::assert_snapshot!("first_message", users(&request));
}

#[test]
fn heads_of_chunks() {
    let mut session = session(&[("guide.md", GUIDE), ("next.md", "Next.\n")]);
    run(
        &mut session,
        vec![
            Act::Say("Translate this.\nStart with the guide."),
            agent(&[ls("."), read("guide.md")]),
        ],
    );
    let first = users(&request(&session));
    run(
        &mut session,
        vec![
            agent(&[
                unit("guide.md", 1, "Menü"),
                unit("guide.md", 2, "Öffne das [Menü](m.md)."),
            ]),
            approve("guide.md", 1),
            refine("guide.md", 2, "Rufe das [Menü](m.md) auf."),
            Act::Remember("Say du"),
            talk("Shall I go on?"),
            Act::Say("Yes, and be brief."),
        ],
    );
    let told = users(&request(&session));
    run(
        &mut session,
        vec![
            agent(&[unit("guide.md", 3, "Führe `make %s` aus.")]),
            approve("guide.md", 3),
            Act::Write(
                "guide.md",
                "# Menu\n\nOpen the [menu](m.md).\n\n- New.\n\nRun `make %s`.\n",
            ),
            Act::Notice("guide.md"),
        ],
    );
    let later = users(&request(&session));
    insta::assert_snapshot!("chunk_first", first);
    insta::assert_snapshot!("chunk_told", told);
    insta::assert_snapshot!("chunk_later", later);
}

#[test]
fn results_of_good_calls() {
    let mut session = session(&[
        ("guide.md", GUIDE),
        ("next.md", "Next.\n"),
        ("b/c.txt", "Deep.\n"),
        ("logo.png", "x"),
    ]);
    run(
        &mut session,
        vec![
            Act::Say("Translate this."),
            agent(&[ls("."), read("guide.md")]),
            agent(&[
                unit("guide.md", 1, "Menü"),
                unit("guide.md", 2, "Öffne das [Menü](m.md)."),
                unit("guide.md", 3, "Führe `make %s` aus."),
                unit("guide.md", 4, "Warte."),
            ]),
            reject("guide.md", 1, "not a menu"),
            refine("guide.md", 2, "Rufe das [Menü](m.md) auf."),
            approve("guide.md", 3),
            Act::Decide("guide.md", 4, Decision::Cancel),
            agent(&[
                unit("guide.md", 1, "Speisekarte"),
                unit("guide.md", 5, "Warte."),
            ]),
            approve("guide.md", 1),
            approve("guide.md", 5),
            agent(&[
                ls("."),
                page("guide.md", 2),
                page("guide.md", 99),
                read("next.md"),
            ]),
            agent(&[
                ask("Du or Sie?", &["du", "Sie"]),
                ask("Why?", &[]),
                unit("next.md", 1, "Nächstes."),
            ]),
            crate::acts::answer(Some("du"), Some("always")),
            Act::Reply(Decision::Cancel),
            Act::Say("Wait."),
            agent(&[unit("next.md", 1, "Weiter.")]),
            Act::Write("next.md", "Other.\n"),
            Act::Notice("next.md"),
        ],
    );
    insta::assert_snapshot!("results", results(&session));
}

#[test]
fn refusals() {
    let mut session = session(&[
        ("guide.md", GUIDE),
        ("next.md", "Next.\n"),
        ("logo.png", "x"),
    ]);
    let translate = |fields: serde_json::Value| ("Translate", fields);
    run(
        &mut session,
        vec![
            Act::Say("Translate this."),
            agent(&[
                unit("guide.md", 1, "Menü"),
                ("Write", json!({})),
                ls("/etc"),
                ls("nowhere"),
                read("../guide.md"),
                read("none.md"),
                read("logo.png"),
            ]),
            agent(&[ls("."), read("guide.md")]),
            agent(&[
                unit("next.md", 1, "Nächstes."),
                unit("none.md", 1, "x"),
                unit("C:\\x.md", 1, "x"),
            ]),
            Act::Say("Mind the paths."),
            agent(&[
                unit("guide.md", 1, " "),
                unit("guide.md", 9, "x"),
                unit("guide.md", 3, "Führe `make %s` aus."),
                quote("guide.md", "Open the", "x"),
                quote("guide.md", "# Menu Open the [menu](m.md).", "x"),
                quote("guide.md", "Nowhere to be found", "x"),
                translate(
                    json!({"file_id": "guide.md", "unit": 1, "src_string": "Wait.", "translate_string": "x"}),
                ),
            ]),
            Act::Say("Mind the units."),
            agent(&[
                unit("guide.md", 1, "Menü"),
                unit("guide.md", 1, "Menü"),
                unit("guide.md", 2, "Öffne das Menü."),
            ]),
            approve("guide.md", 1),
            agent(&[
                unit("guide.md", 1, "Menü"),
                unit("guide.md", 2, "Öffne das [Menü](m.md)."),
            ]),
            approve("guide.md", 2),
            agent(&[unit("guide.md", 3, "Führe `make %d` aus.")]),
            garbled("Translate", "{\"file_id\": \"guide.md\""),
            Act::Say("Mind the form."),
            agent(&[
                translate(json!(["guide.md"])),
                translate(json!({"file_id": "guide.md", "translate_string": "x"})),
                translate(json!({"unit": 3, "translate_string": "x"})),
                translate(json!({"file_id": "guide.md", "unit": 0, "translate_string": "x"})),
                translate(json!({"file_id": "guide.md", "unit": 3})),
                translate(json!({"file_id": "guide.md", "unit": 3, "translate_string": 7})),
                ("Ask", json!({"question": ""})),
                ("Ask", json!({"question": "x", "options": [1]})),
                ("LS", json!({"path": 1})),
            ]),
        ],
    );
    insta::assert_snapshot!("refusals", results(&session));
}

#[test]
fn lessons() {
    let mut session = session(&[("guide.md", GUIDE)]);
    session.remember("Say Datei for file");
    let mut evidence = Evidence {
        session: SessionId(1),
        call_id: CallId::from_text("000000100"),
        source: "Open the menu.".to_owned(),
        draft: "Öffnen Sie das Menü.".to_owned(),
        target: Some("Öffne das Menü.".to_owned()),
        reason: None,
        at: 1,
        fault: None,
        marked: None,
    };
    let neighbours = [("Menu", "Menü")];
    let languages = languages("en", "de");
    let refined = extract::request(&evidence, &neighbours, &session.memory, &languages);
    evidence.target = None;
    evidence.reason = Some("Say du.".to_owned());
    let memory = diglot_agent::Memory::default();
    let rejected = extract::request(&evidence, &[], &memory, &languages);
    assert_eq!(refined.system, rejected.system);
    insta::assert_snapshot!("memory_system", refined.system);
    insta::assert_snapshot!("memory_refined", users(&refined));
    insta::assert_snapshot!("memory_rejected", users(&rejected));
}

#[test]
fn the_request_after_one_that_was_too_long_is_shorter_in_every_state() {
    let text = "This is a paragraph of a text that goes on and on and on.\n\n".repeat(200);
    let ways: [Vec<Act>; 4] = [
        vec![],
        vec![agent(&[ls(".")])],
        vec![agent(&[ls(".")]), agent(&[read("a.txt")])],
        vec![
            agent(&[ls(".")]),
            agent(&[read("a.txt")]),
            agent(&[unit("a.txt", 1, "Eins."), unit("a.txt", 2, "Zwei.")]),
            approve("a.txt", 1),
            approve("a.txt", 2),
        ],
    ];
    for way in ways {
        let mut session = session(&[("a.txt", &text)]);
        session.say("Translate this.");
        run(&mut session, way);
        let length = |session: &Session| {
            let request = request(session);
            let tools = request
                .tools
                .iter()
                .map(|tool| format!("{tool:?}").len())
                .sum::<usize>();
            format!("{:?}", request.messages).len() + request.system.len() + tools
        };
        let full = length(&session);
        assert!(session.context.shrink());
        let short = length(&session);
        assert!(short < full, "{short} of {full}");
        let mut lengths = vec![short];
        while session.context.shrink() {
            lengths.push(length(&session));
        }
        assert!(lengths.is_sorted_by(|a, b| a >= b), "{lengths:?}");
        assert_eq!(lengths.len(), 3);
        session.context.set_settings(settings());
        assert!(!session.context.is_brief() && length(&session) > short);
    }
}

#[test]
fn brief_system_prompt() {
    let mut session = session(&[("guide.md", GUIDE)]);
    session.say("Translate this.");
    session.context.shrink();
    let request = request(&session);
    insta::assert_snapshot!("brief_system_prompt", request.system);
    let names: Vec<&str> = request.tools.iter().map(|tool| tool.name).collect();
    assert_eq!(names, ["Translate", "Read", "LS"]);
}
