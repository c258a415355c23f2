//! What a session shows before its log is folded is what it shows after.

use diglot_agent::{ProjectPath, SessionId};

use super::*;
use crate::schema::DocumentViewRequest;
use crate::view::document::DocumentView;
use crate::workbench::checks::Dismissed;
use crate::workbench::screens::Screen;

const PATHS: [&str; 2] = ["intro.md", "notes.txt"];

/// Opens a session in which something of everything happened, and says what it shows.
async fn session(bench: &Bench) -> i64 {
    let id = bench.start("de").await;
    let draft = |view: &SessionView| proposals(view)[0].call_id.clone();
    let call = draft(&bench.run(id).await);
    bench.respond(id, &call, approve()).await.unwrap();
    let call = draft(&bench.run(id).await);
    bench.respond(id, &call, refine("Auf!")).await.unwrap();
    let revise = |path: &str, unit, target: &str| UnitReviseRequest {
        session_id: id,
        path: path.to_owned(),
        unit,
        target: target.to_owned(),
    };
    let wb = bench.wb();
    wb.unit_revise(revise("notes.txt", 1, "Notiz."))
        .await
        .unwrap();
    wb.unit_revise(revise("notes.txt", 1, "Eine Notiz."))
        .await
        .unwrap();
    let skipped = UnitRequest {
        session_id: id,
        path: "notes.txt".to_owned(),
        unit: 2,
    };
    wb.unit_skip(skipped).await.unwrap();
    assert_eq!(proposals(&bench.run(id).await)[0].unit, 3);
    id
}

async fn pages(bench: &Bench, session_id: i64) -> Vec<DocumentView> {
    let mut pages = Vec::new();
    for path in PATHS {
        let request = DocumentViewRequest {
            session_id,
            path: path.to_owned(),
            from_unit: None,
            limit: None,
        };
        pages.push(bench.wb().document_view(request).await.unwrap());
    }
    pages
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_screen_shows_what_the_fold_shows() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let mut bench = Bench::new(&[("intro.md", INTRO), ("notes.txt", NOTES)]);
    bench.use_server(&server).await;
    let id = session(&bench).await;
    bench.wb().close().await;
    bench.reopen().await;
    let wb = bench.wb();
    let screen = wb.screen(SessionId(id)).await.unwrap().unwrap();
    let kept = screen.view(wb.translator_name());
    let page = |path: &str| {
        let path = ProjectPath::parse(path).unwrap();
        let page = screen.page(wb, &path, 1, 100).unwrap();
        let second = screen.page(wb, &path, 2, 1).unwrap().unwrap();
        assert_eq!(second.units[..], page.as_ref().unwrap().units[1..2]);
        page.unwrap()
    };
    let kept_pages: Vec<DocumentView> = PATHS.into_iter().map(page).collect();
    wb.session(id).await.unwrap();
    assert_eq!(kept, bench.view(id).await);
    assert_eq!(kept_pages, pages(&bench, id).await);
    assert!(wb.screen(SessionId(id)).await.unwrap().is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_shown_is_folded_once_and_goes_on() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let mut bench = Bench::new(&[("intro.md", INTRO), ("notes.txt", NOTES)]);
    bench.use_server(&server).await;
    let id = session(&bench).await;
    bench.wb().close().await;
    bench.reopen().await;
    let view = bench.view(id).await;
    let decided = bench
        .respond(id, &proposals(&view)[0].call_id, approve())
        .await
        .unwrap();
    assert!(decided.seq > view.seq);
    assert_eq!(bench.view(id).await.session.n_confirmed, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_screen_of_another_time_is_not_shown() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let mut bench = Bench::new(&[("intro.md", INTRO), ("notes.txt", NOTES)]);
    bench.use_server(&server).await;
    let id = session(&bench).await;
    bench.wb().close().await;
    let request = SessionInputRequest {
        session_id: id,
        text: "Go on.".to_owned(),
    };
    bench.wb().session_input(request).await.unwrap();
    bench.reopen().await;
    let screen = bench.wb().screen(SessionId(id)).await.unwrap();
    assert!(screen.is_none(), "the session went on");
    bench.wb().session(id).await.unwrap();
    bench.wb().close().await;
    bench.reopen().await;
    let settings = Settings {
        look_ahead: 2,
        ..Settings::default()
    };
    let request = SettingsUpdateRequest { settings };
    bench.wb().settings_update(request).await.unwrap();
    let screen = bench.wb().screen(SessionId(id)).await.unwrap();
    assert!(screen.is_none(), "settings changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_kept_screen_the_rows_show_what_was_confirmed() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let mut bench = Bench::new(&[("intro.md", INTRO), ("notes.txt", NOTES)]);
    bench.use_server(&server).await;
    let id = session(&bench).await;
    // What a killed program leaves behind.
    bench.reopen().await;
    let wb = bench.wb();
    let row = wb.store().session(SessionId(id)).unwrap();
    let dismissed = Dismissed(wb.store().dismissals(row.id).unwrap());
    let screen = Screen::new(wb.rows(&row).unwrap(), row, dismissed);
    let shown = screen.view(wb.translator_name());
    assert!(shown.is_opening);
    let page = |path: &str| {
        let path = ProjectPath::parse(path).unwrap();
        screen.page(wb, &path, 1, 100).unwrap().unwrap()
    };
    let pages_before: Vec<DocumentView> = PATHS.into_iter().map(page).collect();
    let view = bench.view(id).await;
    assert!(!view.is_opening);
    assert_eq!((shown.session, shown.seq), (view.session, view.seq));
    let confirmed = |files: &[crate::view::session::ProgressView]| {
        let files = files.iter();
        let confirmed = files.map(|file| (file.path.clone(), file.n_confirmed));
        confirmed.collect::<Vec<_>>()
    };
    assert_eq!(confirmed(&shown.files), confirmed(&view.files));
    for (before, after) in pages_before.iter().zip(pages(&bench, id).await) {
        assert_eq!(before.n_confirmed, after.n_confirmed);
        for (before, after) in before.units.iter().zip(after.units) {
            let before = (&before.source, &before.target, before.state, before.revised);
            assert_eq!(
                before,
                (&after.source, &after.target, after.state, after.revised)
            );
        }
    }
}
