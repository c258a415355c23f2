//! The database from the application's side: files of released versions, newer ones, broken rows, damage, backups.

use std::fs;
use std::path::{Path, PathBuf};

use diglot_agent::store::UnitRow;
use diglot_agent::{Entry, Message, Step};
use diglot_testkit::Promise;

use super::*;
use crate::schema::{MemoryDeleteRequest, ProjectSetRulesRequest};
use crate::view::session::SessionSummary;

/// Asks for the file of the version of today to be written, before it is released.
const WRITE: &str = "DIGLOT_WRITE_FIXTURE";

/// Where the database of each released version lies.
fn released() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../diglot-store/tests/fixtures");
    let files = (1..).map(|version| folder.join(format!("v{version}.db")));
    files.take_while(|path| path.exists()).collect()
}

impl Bench {
    /// Opens a copy of a database.
    fn on(database: &Path) -> Self {
        let mut bench = Self {
            data: tempfile::tempdir().unwrap(),
            project: FolderFixture::new(&[("intro.md", INTRO)]).unwrap(),
            events: Arc::default(),
            workbench: None,
        };
        fs::copy(database, bench.database()).unwrap();
        bench.open();
        bench
    }

    fn database(&self) -> PathBuf {
        self.data.path().join("diglot.db")
    }

    async fn sessions(&self) -> Vec<SessionSummary> {
        let all = SessionListRequest {
            query: None,
            offset: None,
            limit: None,
        };
        self.wb().session_list(all).await.unwrap().sessions
    }

    /// Ends in order, so that the file is closed.
    async fn end(&mut self) {
        self.wb().close().await;
        drop(self.workbench.take());
        // Work in the background holds the database a little longer.
        while diglot_store::Store::open(&self.database(), now()).is_err() {
            tokio::task::yield_now().await;
        }
    }

    async fn about(&self) -> AppView {
        self.wb().app_view(NoArgs {}).await.unwrap()
    }

    /// Changes rows behind the application's back.
    fn tamper(&self, sql: &str) {
        let raw = rusqlite::Connection::open(self.database()).unwrap();
        raw.execute_batch(sql).unwrap();
    }
}

/// Writes a term and a guide.
async fn keep_by_hand(bench: &Bench, id: i64) {
    let term = MemoryUpdateRequest {
        kind: Some(MemoryKindView::Terminology),
        term_source: Some("gate".to_owned()),
        term_target: Some("Tor".to_owned()),
        ..memory_update(id, None)
    };
    bench.wb().memory_update(term).await.unwrap();
    let guide = "# House style\n\nShort sentences.\n";
    bench.save_guide(None, guide).await.unwrap();
}

/// Does all that leaves rows: drafts approved, refined and rejected, an answer, units by hand and aside, memory, rules,
/// settings, a finding set aside.
async fn work(bench: &Bench) -> i64 {
    let ask = json!({"question": "Formal?", "options": ["Sie", "du"], "kind": "tone"});
    let mut first = Some(Reply::call("Ask", &ask));
    let cooperation = Cooperation::default();
    let server = FakeServer::cooperative(cooperation).unwrap();
    let asking =
        FakeServer::start(move |_| first.take().unwrap_or_else(|| Reply::words("Thank you.")))
            .unwrap();
    bench.use_server(&asking).await;
    let id = bench.start("de").await;
    let card = question(&bench.run(id).await);
    let answer = DecisionRequest::Answer {
        choice: Some("Sie".to_owned()),
        text: None,
    };
    bench.respond(id, &card.call_id, answer).await.unwrap();
    bench.run(id).await;
    bench.use_server(&server).await;
    let say = SessionInputRequest {
        session_id: id,
        text: "Go on.".to_owned(),
    };
    bench.wb().session_input(say).await.unwrap();
    let mut n = 0;
    while n < 6 {
        for draft in proposals(&bench.run(id).await) {
            n += 1;
            let decision = match n {
                2 | 4 => refine(&draft.target.replace("door", "Pforte")),
                3 => DecisionRequest::reject("too literal"),
                _ => approve(),
            };
            bench.respond(id, &draft.call_id, decision).await.unwrap();
        }
    }
    let path = "doors.txt".to_owned();
    let revise = UnitReviseRequest {
        session_id: id,
        path: path.clone(),
        unit: 1,
        target: "Öffnen Sie jetzt die rote Tür.".to_owned(),
    };
    bench.wb().unit_revise(revise).await.unwrap();
    let aside = UnitRequest {
        session_id: id,
        path: path.clone(),
        unit: 8,
    };
    bench.wb().unit_skip(aside).await.unwrap();
    keep_by_hand(bench, id).await;
    let project_id = bench.view(id).await.session.project_id;
    let rules = ProjectSetRulesRequest {
        project_id,
        off: Vec::new(),
        keys_out: vec!["id".to_owned()],
        keys_in: Vec::new(),
        columns: Vec::new(),
        attributes: Vec::new(),
    };
    bench.wb().project_set_rules(rules).await.unwrap();
    bench
        .wb()
        .store()
        .dismiss(SessionId(id), "a finding")
        .unwrap();
    let waiting = proposals(&bench.run(id).await);
    assert!(!waiting.is_empty(), "a draft is left under review");
    id
}

const DOORS: &str = "Open the red door now.\n\nOpen the blue door now.\n\nOpen the old door now.\n\nShut it.\n\n\
    Shut the gate.\n\nOpen the gate.\n\nLeave the gate.\n\nLeave it open.\n";

/// The session that the file of a version holds. With the variable set, writes the file of this version.
#[tokio::test(flavor = "multi_thread")]
async fn p9_a_whole_session_fits_into_a_small_file() {
    let mut bench = Bench::new(&[("doors.txt", DOORS), ("intro.md", INTRO)]);
    let id = work(&bench).await;
    assert_folds_to_its_rows(&bench, id).await;
    bench.end().await;
    bench.tamper(
        "UPDATE session SET folder = '/home/ana/guide', target_folder = '/home/ana/guide-de', title = 'guide', \
         search = 'guide' || char(10) || '/home/ana/guide' || char(10) || 'en' || char(10) || 'de'; \
         UPDATE setting SET name = 'rules:guide' WHERE name GLOB 'rules:*'; \
         UPDATE guide_folder SET folder = '/home/ana/guide'; VACUUM;",
    );
    let bytes = fs::read(bench.database()).unwrap();
    assert!(bytes.len() <= 200_000, "{}", bytes.len());
    if std::env::var_os(WRITE).is_some() {
        let raw = rusqlite::Connection::open(bench.database()).unwrap();
        let version: u32 = raw
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .unwrap();
        raw.query_row("PRAGMA journal_mode = DELETE", [], |_| Ok(()))
            .unwrap();
        drop(raw);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../diglot-store/tests/fixtures");
        fs::create_dir_all(&folder).unwrap();
        fs::copy(bench.database(), folder.join(format!("v{version}.db"))).unwrap();
    }
}

/// What stands beside the log is what the log says, also when another version wrote it.
async fn assert_folds_to_its_rows(bench: &Bench, id: i64) {
    let session = bench.wb().session(id).await.unwrap();
    assert_eq!(session.damage, None);
    let context = lock(&session.context);
    let mut rows: Vec<UnitRow> = Vec::new();
    for (path, document) in context.documents() {
        rows.extend((0..document.units().len()).filter_map(|at| context.unit_row(path, at)));
    }
    let stored = bench.wb().store().all_units(session.id).unwrap();
    assert!(stored.len() > 4);
    for row in &stored {
        assert!(rows.contains(row), "{row:?} is not in the log");
    }
    let settled = |rows: &[UnitRow]| {
        let is_open = |row: &&UnitRow| row.target.is_empty();
        rows.len() - rows.iter().filter(is_open).count()
    };
    assert_eq!(settled(&stored), settled(&rows));
    let row = bench.wb().store().session(session.id).unwrap();
    assert_eq!(row.counts.n_confirmed, context.counts().n_confirmed);
    assert_eq!(row.counts.n_waiting, context.counts().n_waiting);
    assert_eq!(row.seq, context.seq());
}

#[tokio::test(flavor = "multi_thread")]
async fn p9_sessions_of_every_version_open_in_the_state_that_they_had() {
    let released = released();
    let mut seen = Vec::new();
    for database in &released {
        let mut bench = Bench::on(database);
        let sessions = bench.sessions().await;
        assert_eq!(sessions.len(), 1);
        let id = sessions[0].id;
        assert_folds_to_its_rows(&bench, id).await;
        let view = bench.view(id).await;
        assert!(!view.folder_present && !view.session.is_damaged);
        assert!(view.session.n_confirmed >= 4 && !view.turns.is_empty());
        let memory = bench
            .wb()
            .memory_list(SessionRequest { session_id: id })
            .await
            .unwrap();
        assert!(memory.items.len() >= 2);
        let settings = bench.wb().settings_view(NoArgs {}).await.unwrap().settings;
        assert_eq!(settings.translator, "fake");
        let about = bench.about().await;
        assert!(!about.lost_settings && !about.read_only && about.recovered.is_none());
        bench.end().await;
        bench.open();
        assert_eq!(bench.view(id).await, view, "the same after another start");
        seen.push(view.session.n_confirmed);
    }
    let figure = format!(
        "sessions of {} versions open without their folder and fold to their rows, confirmed units {seen:?}",
        released.len()
    );
    Promise::new(9, seen.len() >= 2, figure, "0 rows lost").tell();
}

/// Every command that writes to the database, with arguments that fit a session.
fn writes(view: &SessionView, settings: &Settings) -> Vec<(&'static str, Value)> {
    let id = view.session.id;
    let call = proposals(view)[0].call_id.clone();
    let project_id = view.session.project_id.clone();
    let (path, target) = ("doors.txt", "Tor.");
    let whole = json!({ "settings": settings });
    let rules = json!({ "projectId": project_id, "off": [], "keysOut": [], "keysIn": [], "columns": [], "attributes": [] });
    vec![
        (
            "session_create",
            json!({ "projectId": project_id, "sourceLanguage": "en", "targetLanguage": "fr" }),
        ),
        (
            "session_input",
            json!({ "sessionId": id, "text": "Go on." }),
        ),
        ("session_undo", json!({ "sessionId": id })),
        ("session_next", json!({ "sessionId": id })),
        ("session_run", json!({ "sessionId": id })),
        (
            "session_respond",
            json!({ "sessionId": id, "callId": call, "decision": { "kind": "approve" } }),
        ),
        ("session_rename", json!({ "sessionId": id, "title": "x" })),
        ("session_delete", json!({ "sessionId": id })),
        (
            "document_configure",
            json!({ "sessionId": id, "path": path, "encoding": "windows-1252" }),
        ),
        (
            "document_set_when_missing",
            json!({ "sessionId": id, "path": path, "whenMissing": "escape" }),
        ),
        (
            "unit_revise",
            json!({ "sessionId": id, "path": path, "unit": 1, "target": target }),
        ),
        (
            "unit_skip",
            json!({ "sessionId": id, "path": path, "unit": 7 }),
        ),
        (
            "issue_dismiss",
            json!({ "sessionId": id, "path": path, "unit": 1, "target": "b", "fingerprint": "x", "dismissed": true }),
        ),
        (
            "target_resolve",
            json!({ "sessionId": id, "path": path, "choice": "overwrite" }),
        ),
        (
            "memory_update",
            json!({ "sessionId": id, "kind": "style", "text": "Be brief." }),
        ),
        ("project_set_rules", rules),
        ("settings_update", whole),
        ("database_restore", json!({})),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn p9_a_newer_database_is_shown_and_every_command_that_writes_is_refused() {
    let mut bench = Bench::new(&[("doors.txt", DOORS), ("intro.md", INTRO)]);
    let id = work(&bench).await;
    bench.end().await;
    bench.tamper("PRAGMA user_version = 7; CREATE TABLE later (x);");
    let before = fs::read(bench.database()).unwrap();
    bench.open();
    assert!(bench.about().await.read_only);
    assert_eq!(bench.sessions().await.len(), 1);
    let view = bench.view(id).await;
    let settings = bench.wb().settings_view(NoArgs {}).await.unwrap().settings;
    let refused = writes(&view, &settings);
    assert_eq!(refused.len(), 18);
    for (command, args) in refused {
        let answer = bench.wb().call(command, args).await;
        let code = answer.map_err(|error| error.code).err();
        assert_eq!(code, Some(ErrorCode::DatabaseTooNew), "{command}");
    }
    let memory = bench
        .wb()
        .memory_list(SessionRequest { session_id: id })
        .await
        .unwrap();
    let delete = MemoryDeleteRequest {
        session_id: id,
        id: memory.items[0].id,
    };
    let error = bench.wb().memory_delete(delete).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::DatabaseTooNew);
    assert_eq!(bench.view(id).await.seq, view.seq);
    bench.wb().close().await;
    assert!(fs::read(bench.database()).unwrap() == before);
    let figure = "a newer file: all 19 commands that write refused, 0 bytes changed";
    Promise::new(9, true, figure, "newer schema refused read-only").tell();
}

#[tokio::test(flavor = "multi_thread")]
async fn p9_one_broken_row_breaks_no_more_than_its_session() {
    let broken = [
        "UPDATE entry SET body = '{' WHERE session = 1 AND seq = 9",
        "UPDATE entry SET body = '{\"type\":\"Future\",\"value\":1}' WHERE session = 1 AND seq = 9",
        "UPDATE entry SET format = 99 WHERE session = 1 AND seq = 9",
        "DELETE FROM entry WHERE session = 1 AND seq = 9",
        "UPDATE session SET settings = '{' WHERE id = 1",
        "UPDATE source SET bytes = x'00'",
    ];
    for sql in broken {
        let mut bench = Bench::on(released().last().unwrap());
        let sound = bench.start("fr").await;
        bench.run(sound).await;
        bench.end().await;
        bench.tamper(sql);
        let before = rows(
            &bench,
            "SELECT settings || body FROM session JOIN entry ON session = id WHERE id = 1",
        );
        bench.open();
        let sessions = bench.sessions().await;
        assert_eq!(sessions.len(), 2, "{sql}");
        assert!(!bench.view(sound).await.session.is_damaged, "{sql}");
        let view = bench.view(1).await;
        assert!(view.session.is_damaged && view.requests.is_empty(), "{sql}");
        assert!(!view.turns.is_empty(), "{sql}: as far as it can be read");
        for command in ["session_run", "session_next"] {
            let error = bench
                .wb()
                .call(command, json!({ "sessionId": 1 }))
                .await
                .unwrap_err();
            assert_eq!(error.code, ErrorCode::SessionDamaged, "{sql}");
        }
        let session = bench.wb().session(1).await.unwrap();
        let entries = vec![Entry::Message(Message::User {
            text: "x".to_owned(),
        })];
        let written = bench
            .wb()
            .commit(&session, &mut lock(&session.context), Step::of(entries));
        assert_eq!(written.unwrap_err().code, ErrorCode::SessionDamaged);
        let kept = bench.wb().keep(&session, |_| ());
        assert_eq!(kept.unwrap_err().code, ErrorCode::SessionDamaged);
        drop(session);
        bench.end().await;
        let after = rows(
            &bench,
            "SELECT settings || body FROM session JOIN entry ON session = id WHERE id = 1",
        );
        assert_eq!(after, before, "{sql}: nothing is saved over it");
    }
    let figure = format!(
        "{} kinds of broken rows: each session but its own works, nothing saved over it",
        broken.len()
    );
    Promise::new(9, true, figure, "one broken row hides no session").tell();
}

#[tokio::test(flavor = "multi_thread")]
async fn p9_broken_rows_beside_the_log_hide_nothing() {
    let mut bench = Bench::on(released().last().unwrap());
    let seq = bench.view(1).await.seq;
    bench.end().await;
    bench.tamper(
        "UPDATE unit SET state = 'x'; UPDATE setting SET value = '{' WHERE name = 'settings'; \
         UPDATE memory SET body = '{' WHERE id = 1;",
    );
    bench.open();
    assert!(bench.about().await.lost_settings);
    let view = bench.view(1).await;
    assert!(view.seq == seq && !view.session.is_damaged);
    let memory = bench
        .wb()
        .memory_list(SessionRequest { session_id: 1 })
        .await
        .unwrap();
    assert!(!memory.items.is_empty());
    let settings = Settings::default();
    bench
        .wb()
        .settings_update(SettingsUpdateRequest { settings })
        .await
        .unwrap();
    bench.end().await;
    let kept = rows(
        &bench,
        "SELECT value FROM setting WHERE name GLOB 'settings.unreadable-*'",
    );
    assert_eq!(kept, ["{"], "what could not be read is not written over");
    bench.open();
    assert!(!bench.about().await.lost_settings);
}

fn rows(bench: &Bench, sql: &str) -> Vec<String> {
    let raw = rusqlite::Connection::open(bench.database()).unwrap();
    let mut statement = raw.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.collect::<Result<_, _>>().unwrap()
}

fn n_backups(bench: &Bench) -> usize {
    fs::read_dir(bench.data.path().join("backups")).map_or(0, Iterator::count)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_made_after_fifty_units_and_at_the_end() {
    let lines: Vec<String> = (0..60)
        .map(|n| format!("Line number {n} of the text."))
        .collect();
    let mut bench = Bench::new(&[("notes.txt", &lines.join("\n\n"))]);
    let id = bench.start("de").await;
    for unit in 1..=50 {
        assert_eq!(n_backups(&bench), 0);
        let request = UnitReviseRequest {
            session_id: id,
            path: "notes.txt".to_owned(),
            unit,
            target: format!("Zeile {unit}."),
        };
        bench.wb().unit_revise(request).await.unwrap();
    }
    while n_backups(&bench) == 0 {
        tokio::task::yield_now().await;
    }
    bench.end().await;
    let n_at_end = n_backups(&bench);
    bench.open();
    bench.sessions().await;
    bench.end().await;
    assert_eq!(n_backups(&bench), n_at_end, "nothing changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_made_after_some_time_of_work() {
    let mut bench = Bench::new(&[("notes.txt", NOTES)]);
    let id = bench.start("de").await;
    let wait = std::time::Duration::from_millis(1);
    let safety = Safety::new(Arc::clone(bench.wb().store()), Arc::new(|_| ()), None, wait);
    for n_expected in 1..=2 {
        let title = format!("round {n_expected}");
        bench
            .wb()
            .store()
            .rename_session(SessionId(id), &title)
            .unwrap();
        safety.note_work(1);
        safety.note_work(1);
        while n_backups(&bench) < n_expected {
            tokio::task::yield_now().await;
        }
    }
    drop(safety);
    bench.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn p10_damage_is_told_and_restored_at_once_or_by_the_next_start() {
    for at_once in [true, false] {
        let mut bench = Bench::on(released().last().unwrap());
        let folder = bench.start("fr").await;
        bench.end().await;
        bench.open();
        let seen = (bench.view(1).await, bench.view(folder).await.seq);
        let n_events = bench.events.load(Ordering::SeqCst);
        let mut bytes = fs::read(bench.database()).unwrap();
        let from = bytes.len() - 2 * 4096;
        bytes[from..].fill(0xee);
        fs::write(bench.database(), &bytes).unwrap();
        bench.wb().safety.check_in_background();
        while !bench.about().await.damaged || bench.events.load(Ordering::SeqCst) == n_events {
            tokio::task::yield_now().await;
        }
        let about = if at_once {
            bench.wb().database_restore(NoArgs {}).await.unwrap()
        } else {
            bench.reopen().await;
            bench.about().await
        };
        let recovery = about.recovered.unwrap();
        assert!(!about.damaged && recovery.backup_at.is_some());
        assert!(fs::read(recovery.kept.unwrap()).unwrap() == bytes);
        let again = (bench.view(1).await, bench.view(folder).await.seq);
        assert_eq!(again, seen, "all that was there");
        bench.run(folder).await;
        bench.end().await;
        bench.open();
        assert_eq!(bench.about().await.recovered, None);
    }
    let figure = "damage told by an event; restored at once by a command, or by the next start, the original kept";
    Promise::new(
        10,
        true,
        figure,
        "starts, original kept, the person is told",
    )
    .tell();
}
