//! What the two programs that Diglot comes from leave open around a run: a stop that stops for good, work that goes on behind a
//! timeout, a call that stays for ever, memory that a fault empties.

use diglot_testkit::{FakeServer, Fault, Recorded};

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_the_call_and_nothing_after_it() {
    let mut n = 0;
    let server = FakeServer::start(move |_: &Recorded| {
        n += 1;
        let reply = Reply::words("Done.");
        if n <= 2 {
            reply.fault(Fault::Hang)
        } else {
            reply
        }
    });
    let server = Arc::new(server.unwrap());
    let bench = Bench::new(&[("notes.txt", NOTES)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    for n_asked in 1..=2 {
        let workbench = Arc::clone(bench.wb());
        let run = tokio::spawn(async move {
            let request = SessionRequest { session_id: id };
            workbench.session_run(request).await
        });
        let at = Arc::clone(&server);
        let asked = tokio::task::spawn_blocking(move || at.wait_for_requests(n_asked));
        assert!(asked.await.unwrap());
        let request = SessionRequest { session_id: id };
        bench.wb().session_stop(request).await.unwrap();
        run.await.unwrap().unwrap();
    }
    // The call is not waited for behind the person's back: its connection is closed.
    let at = Arc::clone(&server);
    let left = tokio::task::spawn_blocking(move || at.wait_for_disconnect());
    assert!(left.await.unwrap());
    let view = bench.run(id).await;
    assert_eq!(view.finish, Some(FinishView::TurnEnded));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_nowhere_ends_no_listing() {
    #[cfg(unix)]
    {
        let ls = json!({"path": "."});
        let replies = [Reply::call("LS", &ls), Reply::words("I see.")];
        let server = FakeServer::replies(replies).unwrap();
        let bench = Bench::new(&[("notes.txt", NOTES)]);
        std::os::unix::fs::symlink("nowhere", bench.project.at("link.txt")).unwrap();
        bench.use_server(&server).await;
        let id = bench.start("de").await;
        let view = bench.run(id).await;
        let listed = view
            .turns
            .iter()
            .any(|turn| matches!(turn.turn, TurnKind::Listed { .. }));
        assert!(listed, "{view:?}");
        assert_eq!(view.finish, Some(FinishView::TurnEnded));
    }
}
