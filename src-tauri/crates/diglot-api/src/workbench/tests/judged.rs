//! Rules in use: what they come to is counted, too much against one suspends it, taking decisions back takes the counts
//! back, and what cannot both be kept is a question to the person.

use diglot_testkit::{Cooperation, FakeServer};

use super::*;
use crate::schema::MemorySettleRequest;
use crate::view::memory::{MemoryItemView, MemoryScopeView, MemoryView};

async fn memory(bench: &Bench, session_id: i64) -> MemoryView {
    while bench.view(session_id).await.n_learning > 0 {
        tokio::task::yield_now().await;
    }
    let request = SessionRequest { session_id };
    bench.wb().memory_list(request).await.unwrap()
}

fn counts(item: &MemoryItemView) -> (u64, u64, u64) {
    (item.n_applied, item.n_met, item.n_overridden)
}

/// Decides on the next drafts, one after the other.
async fn decide(bench: &Bench, id: i64, decisions: &[Option<&str>]) {
    for word in decisions {
        let draft = proposals(&bench.run(id).await)[0].clone();
        let decision = match word {
            Some(word) => refine(&draft.target.replace("door", word)),
            None => approve(),
        };
        bench.respond(id, &draft.call_id, decision).await.unwrap();
        memory(bench, id).await;
    }
}

async fn doors() -> (Bench, i64, FakeServer) {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let doors = ["red", "blue", "old", "low", "big", "new", "wet", "far"];
    let lines = doors.map(|door| format!("Open the {door} door with care, please.\n"));
    let bench = Bench::new(&[("doors.txt", &lines.join("\n"))]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    (bench, id, server)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_the_person_goes_against_is_suspended_and_asked_about() {
    let (bench, id, _server) = doors().await;
    decide(&bench, id, &[Some("Pforte"), Some("Pforte")]).await;
    let item = memory(&bench, id).await.items[0].clone();
    assert_eq!(
        (item.state, counts(&item)),
        (MemoryStateView::Active, (0, 0, 0))
    );
    assert_eq!(item.wording_write.as_deref(), Some("Pforte"));
    // The model does not obey: once the person mends it, then they leave it so.
    decide(&bench, id, &[Some("Pforte"), None, None]).await;
    let item = memory(&bench, id).await.items[0].clone();
    assert_eq!(
        (item.state, counts(&item)),
        (MemoryStateView::Active, (3, 1, 2))
    );
    assert!(item.is_sent);
    decide(&bench, id, &[None]).await;
    let item = memory(&bench, id).await.items[0].clone();
    assert_eq!(
        (item.state, counts(&item)),
        (MemoryStateView::Suspended, (4, 1, 3))
    );
    assert!(!item.is_sent);
    for (expected, state) in [
        ((3, 1, 2), MemoryStateView::Active),
        ((2, 1, 1), MemoryStateView::Active),
    ] {
        let request = SessionRequest { session_id: id };
        bench.wb().session_undo(request).await.unwrap();
        let item = memory(&bench, id).await.items[0].clone();
        assert_eq!((item.state, counts(&item)), (state, expected));
    }
    let request = SessionRequest { session_id: id };
    bench.wb().session_redo(request).await.unwrap();
    assert_eq!(counts(&memory(&bench, id).await.items[0]), (3, 1, 2));
}

#[tokio::test(flavor = "multi_thread")]
async fn bulk_approvals_say_nothing_of_a_rule() {
    let (bench, id, _server) = doors().await;
    decide(&bench, id, &[Some("Pforte"), Some("Pforte")]).await;
    for _ in 0..4 {
        let draft = proposals(&bench.run(id).await)[0].clone();
        let bulk = DecisionRequest::Approve {
            despite_issues: None,
            bulk: Some(true),
        };
        bench.respond(id, &draft.call_id, bulk).await.unwrap();
    }
    let item = memory(&bench, id).await.items[0].clone();
    assert_eq!(
        (item.state, counts(&item)),
        (MemoryStateView::Active, (0, 0, 0))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_both_be_kept_is_settled_by_the_person() {
    let (bench, id, _server) = doors().await;
    let two = [Some("Pforte"), Some("Pforte"), Some("Tür"), Some("Tür")];
    decide(&bench, id, &two).await;
    let view = memory(&bench, id).await;
    let [one, other] = view.items.as_slice() else {
        panic!("{view:?}");
    };
    let states = [one.state, other.state];
    assert_eq!(states, [MemoryStateView::Active, MemoryStateView::Active]);
    assert_eq!([one.is_sent, other.is_sent], [false, true]);
    assert_eq!(view.conflicts.len(), 1);
    assert_eq!(view.conflicts[0].sent, other.id);
    let settle = |keep| MemorySettleRequest {
        session_id: id,
        one: one.id,
        other: other.id,
        keep,
    };
    let refused = bench.wb().memory_settle(settle(Some(99))).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::BadRequest);
    let view = bench
        .wb()
        .memory_settle(settle(Some(one.id)))
        .await
        .unwrap();
    assert_eq!(view.conflicts, []);
    assert_eq!(view.items[1].state, MemoryStateView::Off);
    assert!(view.items[0].is_sent);
    assert_eq!(memory(&bench, id).await, view);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_by_hand_holds_where_its_scope_says() {
    let (bench, id, _server) = doors().await;
    let rule = |scope, write: &str| MemoryUpdateRequest {
        kind: Some(MemoryKindView::Style),
        wording_write: Some(write.to_owned()),
        wording_instead_of: Some("door".to_owned()),
        scope: Some(scope),
        ..memory_update(id, None)
    };
    for (scope, write) in [
        (MemoryScopeView::Languages, "Tür"),
        (MemoryScopeView::Project, "Pforte"),
    ] {
        let item = bench.wb().memory_update(rule(scope, write)).await.unwrap();
        assert_eq!((item.scope, item.is_sent), (scope, true));
        assert_eq!(item.text, format!("Write “{write}”, not “door”"));
    }
    // The narrower one holds, unasked.
    let view = memory(&bench, id).await;
    assert_eq!(view.conflicts, []);
    let sent: Vec<bool> = view.items.iter().map(|item| item.is_sent).collect();
    assert_eq!(sent, [false, true]);
    // Other words are another rule: texts are no longer checked for the old ones.
    let change = MemoryUpdateRequest {
        text: Some("Name doors by their size".to_owned()),
        ..memory_update(id, Some(view.items[1].id))
    };
    let item = bench.wb().memory_update(change).await.unwrap();
    assert_eq!((item.wording_write, item.wording_instead_of), (None, None));
}
