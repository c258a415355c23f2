//! The walk, and what a call holds.

use diglot_agent::matches::NoMatches;
use diglot_agent::model::ModelMessage;
use diglot_agent::workspace::ProjectPath;

use super::*;
use crate::fake::{Stored, block_on, found, pair};

fn path(text: &str) -> ProjectPath {
    ProjectPath::parse(text).unwrap()
}

fn outlook() -> Outlook {
    Outlook {
        languages: pair("en", "pt"),
        unlisted: Vec::new(),
        unread: Vec::new(),
        unfinished: Vec::new(),
        next_units: Vec::new(),
        terms: Vec::new(),
    }
}

fn unit(n: usize, source: &str) -> OpenUnit {
    OpenUnit {
        path: path("a.md"),
        unit: n,
        source: source.to_owned(),
        repeat: None,
        rejected: None,
    }
}

fn request(role: ModelRole, outlook: Outlook) -> ModelRequest {
    ModelRequest {
        role,
        system: String::new(),
        messages: vec![ModelMessage::User("Translate.".to_owned())],
        tools: Vec::new(),
        answer_schema: None,
        outlook,
    }
}

fn answer(matches: Arc<dyn Matches>, outlook: Outlook) -> ModelResponse {
    let model = OfflineModel::new(None, matches);
    block_on(model.complete(&request(ModelRole::Translator, outlook))).unwrap()
}

/// Returns the calls as name and arguments.
fn calls(outlook: Outlook) -> Vec<(String, Value)> {
    let shown = |call: ProposedCall| match call.arguments {
        ToolArguments::Parsed(arguments) => (call.name, arguments),
        ToolArguments::Malformed(text) => panic!("{text}"),
    };
    answer(Arc::new(NoMatches), outlook)
        .tool_calls
        .into_iter()
        .map(shown)
        .collect()
}

#[test]
fn folders_are_listed_first_and_several_at_once() {
    let unlisted = std::iter::once(ProjectPath::root())
        .chain((0..20).map(|n| path(&format!("f{n}"))))
        .collect();
    let calls = calls(Outlook {
        unlisted,
        unread: vec![path("a.md")],
        ..outlook()
    });
    assert_eq!(calls.len(), FOLDERS_AT_ONCE);
    assert_eq!(calls[0], ("LS".to_owned(), json!({ "path": "." })));
    assert_eq!(calls[1], ("LS".to_owned(), json!({ "path": "f0" })));
}

#[test]
fn the_next_document_is_read_when_none_is_open() {
    let open = Outlook {
        unread: vec![path("a.md"), path("b.md")],
        ..outlook()
    };
    assert_eq!(
        calls(open.clone()),
        [("Read".to_owned(), json!({ "file_id": "a.md" }))]
    );
    let busy = Outlook {
        unfinished: vec![path("c.md")],
        ..open
    };
    assert_eq!(
        answer(Arc::new(NoMatches), busy).text,
        "Every open unit waits for your decision."
    );
}

#[test]
fn units_without_a_draft_are_left_to_the_person() {
    let open = Outlook {
        next_units: vec![unit(3, "One"), unit(4, "Two")],
        ..outlook()
    };
    let arguments = |n: usize| json!({ "file_id": "a.md", "unit": n, "translate_string": "", "no_draft": true });
    let expected = [3, 4].map(|n| ("Translate".to_owned(), arguments(n)));
    assert_eq!(calls(open), expected);
}

#[test]
fn drafts_tell_where_they_came_from() {
    let open = Outlook {
        next_units: vec![unit(1, "One")],
        ..outlook()
    };
    let response = answer(Arc::new(Stored(vec![found(100, "Um")])), open);
    let expected = ProposedCall {
        name: "Translate".to_owned(),
        arguments: ToolArguments::Parsed(
            json!({ "file_id": "a.md", "unit": 1, "translate_string": "Um" }),
        ),
        origin: Origin::ExactMatch,
    };
    assert_eq!(response.tool_calls, [expected]);
}

#[test]
fn the_end_is_said_plainly() {
    let response = answer(Arc::new(NoMatches), outlook());
    assert_eq!(
        response,
        super::response(
            "There is nothing left to draft in this folder.".to_owned(),
            vec![]
        )
    );
}

#[test]
fn it_does_nothing_but_translate() {
    let model = OfflineModel::new(None, Arc::new(NoMatches));
    let refused = block_on(model.complete(&request(ModelRole::Memory, outlook())));
    let cause = match refused {
        Err(ModelError::NeedsPerson { cause, .. }) => cause,
        other => panic!("{other:?}"),
    };
    assert_eq!(cause, PersonCause::Unsupported);
}

#[test]
fn a_pack_that_cannot_be_read_is_for_the_person() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("en-pt");
    std::fs::create_dir(&folder).unwrap();
    for file in ["model.bin", "vocab.spm"] {
        std::fs::write(folder.join(file), "<html>").unwrap();
    }
    let ask = |languages| {
        let pack = crate::pack::find(dir.path(), &pair("en", "pt")).unwrap();
        let model = OfflineModel::new(Some(Arc::new(Engine::new(pack))), Arc::new(NoMatches));
        let open = Outlook {
            languages,
            next_units: vec![unit(1, "One")],
            ..outlook()
        };
        block_on(model.complete(&request(ModelRole::Translator, open)))
    };
    let refused = ask(pair("en", "pt-BR"));
    assert!(matches!(
        refused,
        Err(ModelError::NeedsPerson {
            cause: PersonCause::Refused,
            ..
        })
    ));
    assert!(
        ask(pair("en", "de")).is_ok(),
        "a pack for other languages is not used"
    );
}
