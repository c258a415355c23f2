//! Undo by commands: units, counts, translation memory, memory and target files follow, also over a restart.

use diglot_agent::ProjectPath;
use diglot_testkit::{Cooperation, FakeServer};

use super::*;
use crate::view::action::{ActionKindView, ReversalView};
use crate::view::document::UnitStateView;

async fn undo(bench: &Bench, session_id: i64) -> ReversalView {
    let request = SessionRequest { session_id };
    bench.wb().session_undo(request).await.unwrap()
}

async fn redo(bench: &Bench, session_id: i64) -> ReversalView {
    let request = SessionRequest { session_id };
    bench.wb().session_redo(request).await.unwrap()
}

/// Returns the targets that the translation memory has for a source text.
fn matches(bench: &Bench, source: &str) -> Vec<String> {
    let languages = diglot_document::LanguagePair {
        source: diglot_document::LanguageTag::parse("en").unwrap(),
        target: diglot_document::LanguageTag::parse("de").unwrap(),
    };
    let found = bench.wb().store().find_matches(&languages, source).unwrap();
    let exact = found.into_iter().filter(|found| found.percent == 100);
    exact.map(|found| found.target).collect()
}

async fn decide_next(bench: &Bench, id: i64, decision: DecisionRequest) -> ProposalView {
    let draft = proposals(&bench.run(id).await)[0].clone();
    let decided = bench.respond(id, &draft.call_id, decision).await;
    decided.unwrap();
    draft
}

async fn memory(bench: &Bench, session_id: i64) -> Vec<String> {
    // The lesson is drawn beside the review; the next step waits for it.
    while bench.view(session_id).await.n_learning > 0 {
        tokio::task::yield_now().await;
    }
    let request = SessionRequest { session_id };
    let view = bench.wb().memory_list(request).await.unwrap();
    view.items.into_iter().map(|item| item.text).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_is_taken_back_with_all_that_followed_from_it() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let mut bench = Bench::new(&[("intro.md", INTRO)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    assert_eq!(undo(&bench, id).await.action, None);
    decide_next(&bench, id, approve()).await;
    let draft = decide_next(&bench, id, refine("Öffne die Pforte.")).await;
    assert_eq!(memory(&bench, id).await.len(), 1);
    bench.wb().close().await;
    let half = "# ⟦Title⟧\n\nÖffne die Pforte.\n\nClose the door.\n";
    assert_eq!(bench.target_text("de", "intro.md"), half);

    let back = undo(&bench, id).await;
    let action = back.action.unwrap();
    assert_eq!(
        (action.kind, action.path.as_str(), action.unit),
        (ActionKindView::Refine, "intro.md", 2)
    );
    assert_eq!(action.text.as_deref(), Some("Öffne die Pforte."));
    // The draft is with the person again, as it was.
    let again = proposals(&back.session);
    assert!(again.contains(&draft), "{again:?}");
    assert_eq!(back.session.session.n_confirmed, 1);
    assert_eq!(matches(&bench, "Open the door."), Vec::<String>::new());
    assert_eq!(matches(&bench, "Title"), ["⟦Title⟧"]);
    assert_eq!(memory(&bench, id).await, Vec::<String>::new());

    bench.reopen().await;
    let view = bench.view(id).await;
    assert!(proposals(&view).contains(&draft));
    assert_eq!(view.redo.clone().unwrap().kind, ActionKindView::Refine);
    bench.wb().close().await;
    let first = "# ⟦Title⟧\n\nOpen the door.\n\nClose the door.\n";
    assert_eq!(bench.target_text("de", "intro.md"), first);

    assert_eq!(undo(&bench, id).await.action.unwrap().unit, 1);
    let view = redo(&bench, id).await.session;
    assert_eq!(view.undo.unwrap().kind, ActionKindView::Approve);
    let view = redo(&bench, id).await.session;
    assert_eq!(view.redo, None);
    assert_eq!(matches(&bench, "Open the door."), ["Öffne die Pforte."]);
    assert_eq!(memory(&bench, id).await.len(), 1);
    bench.wb().close().await;
    assert_eq!(bench.target_text("de", "intro.md"), half);
    let kinds = view.turns.iter().map(|turn| &turn.turn);
    assert_eq!(
        kinds
            .filter(|turn| matches!(turn, TurnKind::Redone { .. }))
            .count(),
        1
    );
    assert_eq!(server.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn with_nothing_confirmed_any_more_the_target_is_the_source_also_after_a_kill() {
    let mut bench = Bench::new(&[("notes.txt", NOTES)]);
    let id = bench.start("de").await;
    decide_next(&bench, id, refine("Notiz.")).await;
    bench.wb().close().await;
    assert_eq!(
        bench.target_text("de", "notes.txt"),
        "Notiz.\n\nOpen the door.\n"
    );
    undo(&bench, id).await;
    bench.reopen().await;
    bench.view(id).await;
    bench.wb().close().await;
    assert_eq!(bench.target_text("de", "notes.txt"), NOTES);
    let path = ProjectPath::from_listing("notes.txt").unwrap();
    let session = diglot_agent::SessionId(id);
    let rows = bench.wb().store().units(session, &path).unwrap();
    assert!(rows.iter().all(|row| row.target.is_empty()), "{rows:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_after_an_undo_is_told_to_the_model_and_ends_the_redo() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let bench = Bench::new(&[("intro.md", INTRO)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    decide_next(&bench, id, approve()).await;
    bench.run(id).await;
    let view = undo(&bench, id).await.session;
    let drafts = proposals(&view);
    assert_eq!(drafts.len(), 2, "beside the draft that waits: {drafts:?}");
    bench
        .respond(id, &drafts[0].call_id, refine("Titel"))
        .await
        .unwrap();
    assert_eq!(redo(&bench, id).await.action, None);
    decide_next(&bench, id, approve()).await;
    bench.run(id).await;
    let last = server.chats().pop().unwrap();
    let told = last.messages().iter().any(|message| {
        let text = message["content"].as_str().unwrap_or_default();
        text.contains("unit 1 of intro.md: refined: Titel")
    });
    assert!(told, "{last:?}");
    let page = document(&bench, id, "intro.md").await;
    assert_eq!(page.units[0].state, UnitStateView::Refined);
    assert_eq!(server.violations(), Vec::<String>::new());
}
