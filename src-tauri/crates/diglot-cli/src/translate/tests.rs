//! Whole folders from start to end, over a real application, a real disk and a fake model server.

use diglot_api::schema::NoArgs;
use diglot_testkit::{Cooperation, FakeServer, FolderFixture, Reply};
use serde_json::{Value, json};

use super::*;
use crate::args::Approve;

const TEXT: &str = "# Pump\n\nFill the tank before the first run.\n\nDo not run the pump dry.\n";

struct Run {
    folder: FolderFixture,
    summary: Value,
    exit: Exit,
}

fn args(folder: &FolderFixture, provider: &str, approve: Option<Approve>) -> TranslateArgs {
    TranslateArgs {
        folder: folder.at("guide"),
        to: "de".to_owned(),
        from: Some("en".to_owned()),
        provider: Some(provider.to_owned()),
        model: None,
        approve,
        instructions: None,
        chunk: Some(4),
        data: Some(folder.at("data")),
        quiet: true,
    }
}

async fn translate_with(provider: &str, approve: Option<Approve>) -> Run {
    translate_by(provider, Some("m"), approve).await
}

async fn translate_by(provider: &str, model: Option<&str>, approve: Option<Approve>) -> Run {
    let folder = FolderFixture::new(&[("guide/a.md", TEXT), ("guide/x.png", "\u{0}")]).unwrap();
    let model = model.map(str::to_owned);
    let args = TranslateArgs {
        model,
        ..args(&folder, provider, approve)
    };
    let workbench = host::open(args.data.as_deref(), |_| {}).unwrap();
    let summary = with_provider(&workbench, &args, &Progress::new(Style::Quiet))
        .await
        .unwrap();
    workbench.close().await;
    let exit = summary.exit();
    Run {
        folder,
        summary: serde_json::to_value(summary).unwrap(),
        exit,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn clean_drafts_are_confirmed_and_written() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    // The endpoint has one model, which need not be named.
    let run = translate_by(&server.base_url(), None, Some(Approve::All)).await;
    assert_eq!(run.exit, Exit::Done, "{}", run.summary);
    assert_eq!(run.summary["confirmed"], json!(3));
    assert_eq!(run.summary["open"], json!([]));
    assert_eq!(
        run.summary["refused"],
        json!([{"path": "x.png", "reason": "unknownFormat"}])
    );
    let target = String::from_utf8(run.folder.read("guide-de/a.md").unwrap()).unwrap();
    assert_eq!(target.replace(['\u{27e6}', '\u{27e7}'], ""), TEXT);
    assert_eq!(target.matches('\u{27e6}').count(), 3);
    assert_eq!(server.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_approval_drafts_wait() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let run = translate_with(&server.base_url(), None).await;
    assert_eq!(run.exit, Exit::Open);
    assert_eq!(run.summary["stopped"], json!("waiting"));
    assert_eq!(
        run.summary["open"][0]["reasons"],
        json!(["waitingForReview"])
    );
    assert_eq!(run.summary["open"][2]["reasons"], json!(["notDrafted"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn units_without_a_draft_stay_open_with_the_reason() {
    let run = translate_with("offline", Some(Approve::All)).await;
    assert_eq!(run.exit, Exit::Open, "{}", run.summary);
    assert_eq!(run.summary["confirmed"], json!(0));
    let unit = |n: usize| json!({"path": "a.md", "unit": n, "reasons": ["noDraft"]});
    assert_eq!(run.summary["open"], json!([unit(1), unit(2), unit(3)]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_model_is_a_failure() {
    let error = json!({"error": {"message": "no such model", "code": "model_not_found"}});
    let server = FakeServer::start(move |_| Reply::json(404, &error)).unwrap();
    let run = translate_with(&server.base_url(), Some(Approve::All)).await;
    assert_eq!(run.exit, Exit::Failure, "{}", run.summary);
    assert_eq!(run.summary["error"]["code"], json!("modelUnknown"));
    assert_eq!(server.chats().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_ends_its_turn_is_told_to_go_on_twice() {
    let server = FakeServer::start(|_| Reply::words("Done.")).unwrap();
    let run = translate_with(&server.base_url(), Some(Approve::All)).await;
    assert_eq!(run.exit, Exit::Open);
    assert_eq!(run.summary["stopped"], json!("turnEnded"));
    assert_eq!(server.chats().len(), 1 + NUDGES);
}

#[tokio::test(flavor = "multi_thread")]
async fn replaced_settings_are_put_back() {
    let folder = FolderFixture::new(&[("guide/a.md", TEXT)]).unwrap();
    let args = TranslateArgs {
        model: Some("m".to_owned()),
        ..args(&folder, "http://127.0.0.1:9/v1", None)
    };
    let workbench = host::open(args.data.as_deref(), |_| {}).unwrap();
    let settings = async || workbench.settings_view(NoArgs {}).await.unwrap().settings;
    let before = settings().await;
    let applied = Override::apply(&workbench, &args).await.unwrap();
    let meanwhile = settings().await;
    assert_eq!(
        (meanwhile.translator.as_str(), meanwhile.chunk_units),
        ("cli", 4)
    );
    assert_eq!(meanwhile.providers.len(), 1);
    applied.undo(&workbench).await.unwrap();
    assert_eq!(settings().await, before);
}
