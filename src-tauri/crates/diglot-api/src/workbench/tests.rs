use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use diglot_testkit::{Cooperation, FakeServer, FolderFixture, Reply};
use serde_json::json;

use super::*;
use crate::schema::{
    DecisionRequest, DocumentWhenMissingRequest, MemoryUpdateRequest, NoArgs, ProjectOpenRequest,
    SessionCreateRequest, SessionInputRequest, SessionListRequest, SessionRequest,
    SessionRespondRequest, SessionViewRequest, SettingsUpdateRequest, TargetChoice,
    TargetResolveRequest, UnitRequest, UnitReviseRequest,
};
use crate::view::document::WhenMissingView;
use crate::view::memory::{MemoryKindView, MemoryStateView};
use crate::view::session::{
    ActorView, FinishView, ProposalView, QuestionView, RequestView, SessionView, TurnKind,
};
use crate::view::settings::{ProtocolChoice, ProviderSettings, Settings};

mod checks;
mod crashes;
mod database;
mod documents;
mod guides;
mod judged;
mod lessons;
mod panics;
mod parents;
mod promises;
mod receipts;
mod refused;
mod rejections;
mod resume;
mod rules;
mod screens;
mod terms;
mod undo;

const INTRO: &str = "# Title\n\nOpen the door.\n\nClose the door.\n";
const NOTES: &str = "A note.\n\nOpen the door.\n";

/// Holds a workbench on a data folder and a project, both of which outlive it.
struct Bench {
    data: tempfile::TempDir,
    project: FolderFixture,
    events: Arc<AtomicU64>,
    workbench: Option<Arc<Workbench>>,
}

impl Bench {
    fn new(files: &[(&str, &str)]) -> Self {
        let mut bench = Self {
            data: tempfile::tempdir().unwrap(),
            project: FolderFixture::new(files).unwrap(),
            events: Arc::default(),
            workbench: None,
        };
        bench.open();
        bench
    }

    /// Keeps its data in memory where the system has a folder for that: for what makes many commits and cuts no power.
    fn in_memory(files: &[(&str, &str)]) -> Self {
        let mut bench = Self {
            data: memory_folder(),
            project: FolderFixture::new(files).unwrap(),
            events: Arc::default(),
            workbench: None,
        };
        bench.open();
        bench
    }

    fn open(&mut self) {
        self.workbench = Some(self.try_open().unwrap());
    }

    fn try_open(&self) -> Result<Arc<Workbench>, ApiError> {
        let events = Arc::clone(&self.events);
        let config = WorkbenchConfig {
            data_folder: self.data.path().to_owned(),
            sample: None,
            folder: None,
            events: Arc::new(move |_| {
                events.fetch_add(1, Ordering::SeqCst);
            }),
        };
        Workbench::open(config)
    }

    fn wb(&self) -> &Arc<Workbench> {
        self.workbench.as_ref().unwrap()
    }

    /// Opens the database anew, as after a kill: nothing is closed in order.
    async fn reopen(&mut self) {
        drop(self.workbench.take());
        // Work in the background holds the database a little longer.
        while self.workbench.is_none() {
            match self.try_open() {
                Err(error) if error.code == ErrorCode::DatabaseLocked => {
                    tokio::task::yield_now().await;
                }
                opened => self.workbench = Some(opened.unwrap()),
            }
        }
    }

    async fn use_server(&self, server: &FakeServer) {
        self.use_address(server.base_url(), Settings::default())
            .await;
    }

    /// Lets a server draft, with these settings beside.
    async fn use_address(&self, base_url: String, settings: Settings) {
        let provider = ProviderSettings {
            id: "fake".to_owned(),
            name: "Fake".to_owned(),
            base_url,
            model: "m".to_owned(),
            protocol: ProtocolChoice::Tools,
            temperature: None,
            max_output_tokens: None,
        };
        let settings = Settings {
            providers: vec![provider],
            translator: "fake".to_owned(),
            ..settings
        };
        self.wb()
            .settings_update(SettingsUpdateRequest { settings })
            .await
            .unwrap();
    }

    async fn start(&self, target: &str) -> i64 {
        let path = self.project.path().display().to_string();
        let project = self
            .wb()
            .project_open(ProjectOpenRequest { path })
            .await
            .unwrap();
        let request = SessionCreateRequest {
            project_id: project.id,
            source_language: Some("en".to_owned()),
            target_language: target.to_owned(),
            instructions: None,
            afresh: None,
        };
        self.wb().session_create(request).await.unwrap().session.id
    }

    async fn run(&self, session_id: i64) -> SessionView {
        self.wb()
            .session_run(SessionRequest { session_id })
            .await
            .unwrap()
    }

    async fn view(&self, session_id: i64) -> SessionView {
        let request = SessionViewRequest {
            session_id,
            since_seq: None,
        };
        self.wb().session_view(request).await.unwrap()
    }

    async fn respond(
        &self,
        session_id: i64,
        call_id: &str,
        decision: DecisionRequest,
    ) -> Result<SessionView, ApiError> {
        let call_id = call_id.to_owned();
        self.wb()
            .session_respond(SessionRespondRequest {
                session_id,
                call_id,
                decision,
            })
            .await
    }

    fn target(&self, language: &str, path: &str) -> PathBuf {
        let mut name = self.project.path().file_name().unwrap().to_owned();
        name.push(format!("-{language}"));
        self.project.path().with_file_name(name).join(path)
    }

    fn target_text(&self, language: &str, path: &str) -> String {
        std::fs::read_to_string(self.target(language, path)).unwrap()
    }
}

/// Makes a temporary folder, in memory where there is one.
fn memory_folder() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .unwrap()
}

fn proposals(view: &SessionView) -> Vec<ProposalView> {
    let found = view.requests.iter().filter_map(|request| match request {
        RequestView::Translate(proposal) => Some(proposal.clone()),
        RequestView::Ask(_) => None,
    });
    found.collect()
}

fn question(view: &SessionView) -> QuestionView {
    match &view.requests[0] {
        RequestView::Ask(question) => question.clone(),
        RequestView::Translate(proposal) => panic!("a draft: {proposal:?}"),
    }
}

fn refine(target: &str) -> DecisionRequest {
    DecisionRequest::Refine {
        target: target.to_owned(),
    }
}

/// Changes nothing of an item of memory yet, or adds one.
fn memory_update(session_id: i64, id: Option<i64>) -> MemoryUpdateRequest {
    MemoryUpdateRequest {
        session_id,
        id,
        kind: None,
        text: None,
        term_source: None,
        term_target: None,
        state: None,
        wording_write: None,
        wording_instead_of: None,
        scope: None,
    }
}

fn approve() -> DecisionRequest {
    DecisionRequest::Approve {
        despite_issues: None,
        bulk: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn offline_without_a_pack_leaves_each_unit_to_the_person_and_repeats_what_was_typed() {
    let bench = Bench::new(&[("intro.md", INTRO), ("notes.txt", NOTES)]);
    let id = bench.start("de").await;
    let mut seen = Vec::new();
    for _ in 0..10 {
        let view = bench.run(id).await;
        for proposal in proposals(&view) {
            seen.push((
                proposal.path.clone(),
                proposal.unit,
                proposal.target.clone(),
            ));
            let decision = if proposal.target.is_empty() {
                refine(&format!("«{}»", proposal.source))
            } else {
                approve()
            };
            bench
                .respond(id, &proposal.call_id, decision)
                .await
                .unwrap();
        }
    }
    let unit = |path: &str, unit, target: &str| (path.to_owned(), unit, target.to_owned());
    assert_eq!(
        seen,
        [
            unit("intro.md", 1, ""),
            unit("intro.md", 2, ""),
            unit("intro.md", 3, ""),
            unit("notes.txt", 1, ""),
            unit("notes.txt", 2, "«Open the door.»"),
        ]
    );
    let view = bench.view(id).await;
    assert_eq!(view.finish, Some(FinishView::Complete), "{view:?}");
    bench.wb().close().await;
    let intro = bench.target_text("de", "intro.md");
    assert_eq!(
        intro,
        "# «Title»\n\n«Open the door.»\n\n«Close the door.»\n"
    );
    assert_eq!(
        bench.target_text("de", "notes.txt"),
        "«A note.»\n\n«Open the door.»\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn three_decisions_with_a_model_survive_a_kill() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let mut bench = Bench::new(&[("intro.md", INTRO)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let view = bench.run(id).await;
    let drafts = proposals(&view);
    assert_eq!(drafts[0].target, "⟦Title⟧");
    bench
        .respond(id, &drafts[0].call_id, approve())
        .await
        .unwrap();
    let waiting = bench.view(id).await.requests;
    bench.reopen().await;
    assert_eq!(
        bench.view(id).await.requests,
        waiting,
        "the same drafts wait after a kill"
    );
    let mut rejected = false;
    for _ in 0..12 {
        let view = bench.run(id).await;
        let Some(draft) = proposals(&view).into_iter().next() else {
            break;
        };
        let decision = match draft.unit {
            2 => refine("Öffne die Tür."),
            _ if rejected => approve(),
            _ => {
                rejected = true;
                DecisionRequest::reject("too literal")
            }
        };
        bench.respond(id, &draft.call_id, decision).await.unwrap();
    }
    let view = bench.run(id).await;
    assert_eq!(view.session.n_confirmed, 3, "{view:?}");
    bench.wb().close().await;
    assert_eq!(
        bench.target_text("de", "intro.md"),
        "# ⟦Title⟧\n\nÖffne die Tür.\n\n⟦Close the door.⟧\n"
    );
    assert_eq!(server.violations(), Vec::<String>::new());
    let list = SessionListRequest {
        query: Some("öffne".to_owned()),
        offset: None,
        limit: None,
    };
    assert_eq!(bench.wb().session_list(list).await.unwrap().n_total, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_is_decided_once() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let bench = Bench::new(&[("intro.md", INTRO)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let draft = proposals(&bench.run(id).await)[0].clone();
    let code = |result: Result<SessionView, ApiError>| result.unwrap_err().code;
    let wrong = bench.respond(id, "000000zzz", approve()).await;
    assert_eq!(code(wrong), ErrorCode::NotPending);
    let empty = bench.respond(id, &draft.call_id, refine(" ")).await;
    assert_eq!(code(empty), ErrorCode::DecisionIncomplete);
    let answer = DecisionRequest::Answer {
        choice: None,
        text: Some("x".to_owned()),
    };
    let answer = bench.respond(id, &draft.call_id, answer).await;
    assert_eq!(code(answer), ErrorCode::DecisionIncomplete);
    let before = bench.view(id).await.seq;
    let first = bench
        .respond(id, &draft.call_id, refine("Titel"))
        .await
        .unwrap();
    assert_eq!(first.session.n_confirmed, 1);
    let again = bench
        .respond(id, &draft.call_id, refine("Titel"))
        .await
        .unwrap();
    assert_eq!(again.session.n_confirmed, 1);
    let other = bench.respond(id, &draft.call_id, approve()).await;
    assert_eq!(code(other), ErrorCode::AlreadyDecided);
    assert!(bench.view(id).await.seq > before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refined_text_that_equals_the_draft_is_an_approval_and_a_message_defers() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let bench = Bench::new(&[("intro.md", INTRO)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let draft = proposals(&bench.run(id).await)[0].clone();
    bench
        .respond(id, &draft.call_id, refine(&draft.target))
        .await
        .unwrap();
    let page = document(&bench, id, "intro.md").await;
    assert_eq!(
        page.units[0].state,
        crate::view::document::UnitStateView::Approved
    );
    let request = SessionInputRequest {
        session_id: id,
        text: "Be brief.".to_owned(),
    };
    let view = bench.wb().session_input(request).await.unwrap();
    assert!(view.requests.is_empty());
    let view = bench.run(id).await;
    assert!(!view.requests.is_empty());
    assert_eq!(server.violations(), Vec::<String>::new());
    let last = server.chats().pop().unwrap();
    assert!(
        last.messages()
            .iter()
            .any(|message| message["content"] == "Be brief."),
        "{last:?}"
    );
}

async fn document(
    bench: &Bench,
    session_id: i64,
    path: &str,
) -> crate::view::document::DocumentView {
    let request = crate::schema::DocumentViewRequest {
        session_id,
        path: path.to_owned(),
        from_unit: None,
        limit: None,
    };
    bench.wb().document_view(request).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_in_the_conversation() {
    let ask = json!({"question": "Formal or informal?", "options": ["Sie", "du"], "kind": "tone"});
    let replies = [Reply::call("Ask", &ask), Reply::words("Thank you.")];
    let server = FakeServer::replies(replies).unwrap();
    let bench = Bench::new(&[("intro.md", INTRO)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let view = bench.run(id).await;
    let card = question(&view);
    assert_eq!(card.options, ["Sie", "du"]);
    assert_eq!(view.actor, ActorView::User);
    let answer = DecisionRequest::Answer {
        choice: Some("du".to_owned()),
        text: None,
    };
    bench.respond(id, &card.call_id, answer).await.unwrap();
    let view = bench.run(id).await;
    assert_eq!(view.finish, Some(FinishView::TurnEnded));
    let all = bench.view(id).await;
    let answered = all.turns.iter().any(
        |turn| matches!(&turn.turn, TurnKind::Asked { answer: Some(text), .. } if text == "du"),
    );
    assert!(answered, "{:?}", all.turns);
    let sent = server.chats().pop().unwrap();
    let result = sent
        .messages()
        .iter()
        .find(|message| message["role"] == "tool")
        .unwrap();
    assert!(
        result["content"].as_str().unwrap().contains("du"),
        "{result}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_source_keeps_what_was_confirmed_and_withdraws_drafts() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let bench = Bench::new(&[("intro.md", INTRO)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let drafts = proposals(&bench.run(id).await);
    bench
        .respond(id, &drafts[0].call_id, approve())
        .await
        .unwrap();
    let rest = proposals(&bench.run(id).await);
    bench
        .project
        .write("intro.md", "# Title\n\nA new line.\n\nClose the door.\n")
        .unwrap();
    let late = bench.respond(id, &rest[0].call_id, approve()).await;
    // The watcher may have withdrawn it already.
    let code = late.unwrap_err().code;
    assert!(
        matches!(code, ErrorCode::SourceChanged | ErrorCode::NotPending),
        "{code:?}"
    );
    for _ in 0..8 {
        for draft in proposals(&bench.run(id).await) {
            bench.respond(id, &draft.call_id, approve()).await.unwrap();
        }
    }
    bench.wb().close().await;
    let text = bench.target_text("de", "intro.md");
    assert_eq!(text, "# ⟦Title⟧\n\n⟦A new line.⟧\n\n⟦Close the door.⟧\n");
    assert_eq!(server.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_elses_target_is_asked_about() {
    let bench = Bench::new(&[("notes.txt", NOTES)]);
    let target = bench.target("de", "notes.txt");
    std::fs::create_dir_all(target.parent().unwrap()).unwrap();
    std::fs::write(&target, "mine").unwrap();
    let id = bench.start("de").await;
    let draft = proposals(&bench.run(id).await)[0].clone();
    bench
        .respond(id, &draft.call_id, refine("Notiz."))
        .await
        .unwrap();
    bench.wb().close().await;
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "mine");
    let view = bench.view(id).await;
    assert_eq!(
        view.target_problems[0].error.code,
        ErrorCode::TargetEditedOutside
    );
    let path = "notes.txt".to_owned();
    let choice = TargetChoice::Overwrite;
    let request = TargetResolveRequest {
        session_id: id,
        path,
        choice,
    };
    let view = bench.wb().target_resolve(request).await.unwrap();
    assert!(
        view.target_problems.is_empty(),
        "{:?}",
        view.target_problems
    );
    assert_eq!(
        std::fs::read_to_string(&target).unwrap(),
        "Notiz.\n\nOpen the door.\n"
    );
    let kept = target.with_file_name("notes.before-diglot.txt");
    assert_eq!(std::fs::read_to_string(kept).unwrap(), "mine");
}

#[tokio::test(flavor = "multi_thread")]
async fn units_are_set_aside_typed_and_revised_by_hand() {
    let bench = Bench::new(&[("notes.txt", NOTES)]);
    let id = bench.start("de").await;
    bench.run(id).await;
    let unit = |unit| UnitRequest {
        session_id: id,
        path: "notes.txt".to_owned(),
        unit,
    };
    let view = bench.wb().unit_skip(unit(1)).await.unwrap();
    assert_eq!(proposals(&view).len(), 1);
    let revise = |unit, target: &str| UnitReviseRequest {
        session_id: id,
        path: "notes.txt".to_owned(),
        unit,
        target: target.to_owned(),
    };
    bench.wb().unit_revise(revise(1, "Notiz.")).await.unwrap();
    bench.wb().unit_revise(revise(2, "Tür auf.")).await.unwrap();
    let view = bench
        .wb()
        .unit_revise(revise(1, "Eine Notiz."))
        .await
        .unwrap();
    assert_eq!(view.session.n_confirmed, 2);
    let page = document(&bench, id, "notes.txt").await;
    assert!(page.units[0].revised && !page.units[1].revised);
    bench.wb().close().await;
    assert_eq!(
        bench.target_text("de", "notes.txt"),
        "Eine Notiz.\n\nTür auf.\n"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn two_like_corrections_are_learnt_and_sent() {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    let text =
        "Open the red door now.\n\nOpen the blue door now.\n\nOpen the old door now.\n\nShut it.\n";
    let bench = Bench::new(&[("doors.txt", text)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let mut n = 0;
    for _ in 0..10 {
        for draft in proposals(&bench.run(id).await) {
            n += 1;
            let decision = if n <= 2 {
                refine(&draft.target.replace("door", "Pforte"))
            } else {
                approve()
            };
            bench.respond(id, &draft.call_id, decision).await.unwrap();
        }
    }
    let memory = bench
        .wb()
        .memory_list(SessionRequest { session_id: id })
        .await
        .unwrap();
    assert_eq!(memory.items.len(), 1, "{memory:?}");
    assert_eq!(memory.items[0].state, MemoryStateView::Active);
    assert_eq!(memory.items[0].evidence.len(), 2);
    let change = MemoryUpdateRequest {
        text: Some("see https://x.example".to_owned()),
        ..memory_update(id, Some(memory.items[0].id))
    };
    let refused = bench.wb().memory_update(change.clone()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::MemoryRefused);
    let by_hand = MemoryUpdateRequest {
        id: None,
        kind: Some(MemoryKindView::Terminology),
        text: None,
        term_source: Some("gate".to_owned()),
        term_target: Some("portão".to_owned()),
        ..change
    };
    let added = bench.wb().memory_update(by_hand).await.unwrap();
    assert_eq!(added.text, "Translate “gate” as “portão”");
}

#[tokio::test(flavor = "multi_thread")]
async fn stopping_a_model_call_leaves_the_log_as_it_was() {
    let gate = diglot_testkit::Gate::new();
    let wait = gate.clone();
    let server = FakeServer::start(move |_| {
        wait.wait();
        Reply::words("late")
    })
    .unwrap();
    let bench = Bench::new(&[("notes.txt", NOTES)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let before = bench.view(id).await.seq;
    let workbench = Arc::clone(bench.wb());
    let run = tokio::spawn(async move {
        workbench
            .session_run(SessionRequest { session_id: id })
            .await
    });
    assert!(
        tokio::task::spawn_blocking(move || (server.wait_for_requests(1), server))
            .await
            .unwrap()
            .0
    );
    let busy = bench
        .wb()
        .session_run(SessionRequest { session_id: id })
        .await;
    assert_eq!(busy.unwrap_err().code, ErrorCode::SessionBusy);
    let view = bench
        .wb()
        .session_stop(SessionRequest { session_id: id })
        .await
        .unwrap();
    assert!(!view.running);
    assert_eq!(view.seq, before);
    run.await.unwrap().unwrap();
    gate.open();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_key_stops_at_once_and_is_shown_until_it_works() {
    let body = json!({"error": {"message": "Incorrect API key provided"}});
    let server = FakeServer::replies([Reply::json(401, &body), Reply::words("Done.")]).unwrap();
    let bench = Bench::new(&[("notes.txt", NOTES)]);
    bench.use_server(&server).await;
    let id = bench.start("de").await;
    let view = bench.run(id).await;
    let code = view.attempt.unwrap().error.code;
    assert!(
        matches!(code, ErrorCode::ModelUnauthorized | ErrorCode::NoApiKey),
        "{code:?}"
    );
    assert_eq!(server.requests().len(), 1);
    let view = bench.run(id).await;
    assert_eq!(view.attempt, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_draft_is_there_to_begin_from_when_there_is_no_other() {
    let bench = Bench::new(&[("a.txt", "One door.\n\nOne door.\n")]);
    let id = bench.start("de").await;
    let first = proposals(&bench.run(id).await)[0].clone();
    assert_eq!(first.rejected, None);
    bench
        .respond(id, &first.call_id, refine("Eine Tür."))
        .await
        .unwrap();
    let request = SessionInputRequest {
        session_id: id,
        text: "Go on.".to_owned(),
    };
    bench.wb().session_input(request).await.unwrap();
    let repeat = proposals(&bench.run(id).await)[0].clone();
    assert_eq!(repeat.target, "Eine Tür.");
    bench
        .respond(id, &repeat.call_id, DecisionRequest::reject("not here"))
        .await
        .unwrap();
    let again = proposals(&bench.run(id).await)[0].clone();
    assert_eq!(
        (again.target.as_str(), again.rejected.as_deref()),
        ("", Some("Eine Tür."))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_character_that_the_encoding_cannot_hold_is_asked_about() {
    let bench = Bench::new(&[]);
    let latin = b"Caf\xe9 au lait, s'il vous pla\xeet.\n\nD\xe9j\xe0 vu, tr\xe8s bien.\n";
    bench.project.write("notes.txt", latin).unwrap();
    let id = bench.start("pl").await;
    let draft = proposals(&bench.run(id).await)[0].clone();
    let refused = bench
        .respond(id, &draft.call_id, refine("Kawa 茶"))
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::TargetUnencodable);
    assert!(refused.detail.contains('茶'), "{refused:?}");
    bench
        .respond(id, &draft.call_id, refine("Kawa"))
        .await
        .unwrap();
    bench.wb().close().await;
    let written = std::fs::read(bench.target("pl", "notes.txt")).unwrap();
    assert_eq!(written, b"Kawa\n\nD\xe9j\xe0 vu, tr\xe8s bien.\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_hold_a_character_is_converted_when_the_person_says_so() {
    let mut bench = Bench::new(&[]);
    let latin = b"Caf\xe9 au lait, s'il vous pla\xeet.\n\nD\xe9j\xe0 vu, tr\xe8s bien.\n";
    bench.project.write("notes.txt", latin).unwrap();
    let id = bench.start("pl").await;
    let draft = proposals(&bench.run(id).await)[0].clone();
    let ask = |when_missing| DocumentWhenMissingRequest {
        session_id: id,
        path: "notes.txt".to_owned(),
        when_missing,
    };
    let view = bench
        .wb()
        .document_set_when_missing(ask(WhenMissingView::Escape));
    assert!(!view.await.unwrap().has_escapes);
    let refused = bench.respond(id, &draft.call_id, refine("Kawa 茶")).await;
    assert_eq!(refused.unwrap_err().code, ErrorCode::TargetUnencodable);
    let view = bench
        .wb()
        .document_set_when_missing(ask(WhenMissingView::ConvertToUtf8));
    assert_eq!(
        view.await.unwrap().when_missing,
        WhenMissingView::ConvertToUtf8
    );
    bench
        .respond(id, &draft.call_id, refine("Kawa 茶"))
        .await
        .unwrap();
    bench.wb().close().await;
    let written = std::fs::read_to_string(bench.target("pl", "notes.txt")).unwrap();
    // No declaration says what it is now, so the mark does.
    assert_eq!(written, "\u{FEFF}Kawa 茶\n\nDéjà vu, très bien.\n");
    bench.reopen().await;
    assert_eq!(bench.view(id).await.session.n_confirmed, 1);
    bench.wb().close().await;
    let again = std::fs::read_to_string(bench.target("pl", "notes.txt")).unwrap();
    assert_eq!(again, written);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_commands_and_arguments_are_refused() {
    let bench = Bench::new(&[("notes.txt", NOTES)]);
    for command in crate::COMMANDS {
        let answer = bench
            .wb()
            .call(command, json!({"nonsense": [1, {"deep": null}]}))
            .await;
        if let Err(error) = answer {
            assert_ne!(error.code, ErrorCode::Internal, "{command}: {error:?}");
        }
    }
    let error = bench.wb().call("no_such", json!({})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::BadRequest);
}

#[tokio::test]
async fn what_an_endpoint_refuses_is_left_out_also_after_a_restart() {
    let refused = json!({"error": {"message": "Only 1 is allowed.", "param": "temperature"}});
    let server = FakeServer::start(move |request| match request.body.get("temperature") {
        Some(_) => Reply::json(400, &refused),
        None => Reply::words("I have nothing to do."),
    })
    .unwrap();
    let mut bench = Bench::new(&[("a.md", INTRO)]);
    bench.use_server(&server).await;
    let view = bench.wb().settings_view(NoArgs {}).await.unwrap();
    assert_eq!(view.omitted, [Vec::<String>::new()]);
    let mut settings = view.settings;
    settings.providers[0].temperature = Some(0.2);
    let request = SettingsUpdateRequest { settings };
    bench.wb().settings_update(request).await.unwrap();
    let id = bench.start("de").await;
    bench.run(id).await;
    let temperatures = |server: &FakeServer| -> Vec<bool> {
        let chats = server.chats();
        let bodies = chats.iter().map(|chat| chat.body.get("temperature"));
        bodies.map(|set| set.is_some()).collect()
    };
    assert_eq!(temperatures(&server)[..2], [true, false]);
    let n_before = server.chats().len();
    bench.reopen().await;
    let view = bench.wb().settings_view(NoArgs {}).await.unwrap();
    assert_eq!(view.omitted, [["temperature"]]);
    let text = "Go on.".to_owned();
    let request = SessionInputRequest {
        session_id: id,
        text,
    };
    bench.wb().session_input(request).await.unwrap();
    bench.run(id).await;
    let after = &temperatures(&server)[n_before..];
    assert!(!after.is_empty() && !after.contains(&true), "{after:?}");
    // Another model at the same address is asked with it again.
    let mut settings = view.settings;
    "n".clone_into(&mut settings.providers[0].model);
    let request = SettingsUpdateRequest { settings };
    let view = bench.wb().settings_update(request).await.unwrap();
    assert_eq!(view.omitted, [Vec::<String>::new()]);
}

/// Answers with a call of LS that carries fields of its own, and with words once it has a result.
fn opaque_server() -> FakeServer {
    let message = json!({
        "role": "assistant", "content": "", "reasoning_content": "Let me look.",
        "tool_calls": [{
            "id": "call_0123456789abcdef", "type": "function",
            "function": {"name": "LS", "arguments": "{ \"path\" : \".\" }"},
            "extra_content": {"google": {"thought_signature": "AAAA"}}
        }]
    });
    FakeServer::start(move |request| {
        let has_result = request.messages().iter().any(|one| one["role"] == "tool");
        if has_result {
            Reply::words("I have looked.")
        } else {
            Reply::message(&message)
        }
    })
    .unwrap()
}

#[tokio::test]
async fn a_provider_gets_its_own_message_back_and_another_gets_the_core_of_it() {
    let (first, second) = (opaque_server(), opaque_server());
    let mut bench = Bench::new(&[("a.md", INTRO)]);
    bench.use_server(&first).await;
    let id = bench.start("de").await;
    bench.run(id).await;
    bench.reopen().await;
    let say = async |bench: &Bench| {
        let text = "Go on.".to_owned();
        let request = SessionInputRequest {
            session_id: id,
            text,
        };
        bench.wb().session_input(request).await.unwrap();
        bench.run(id).await;
    };
    say(&bench).await;
    bench.use_server(&second).await;
    say(&bench).await;
    let assistant = |server: &FakeServer| {
        let chats = server.chats();
        let last = chats.last().unwrap().messages().to_vec();
        last.into_iter()
            .find(|message| message["role"] == "assistant")
            .unwrap()
    };
    let (own, foreign) = (assistant(&first), assistant(&second));
    let call_id = own["tool_calls"][0]["id"].as_str().unwrap().to_owned();
    assert!(call_id.len() == 9 && call_id.chars().all(|c| c.is_ascii_alphanumeric()));
    let whole = json!({
        "role": "assistant", "content": "", "reasoning_content": "Let me look.",
        "tool_calls": [{
            "id": call_id, "type": "function",
            "function": {"name": "LS", "arguments": "{ \"path\" : \".\" }"},
            "extra_content": {"google": {"thought_signature": "AAAA"}}
        }]
    });
    let core = json!({
        "role": "assistant", "content": "",
        "tool_calls": [{
            "id": call_id, "type": "function",
            "function": {"name": "LS", "arguments": "{\"path\":\".\"}"}
        }]
    });
    assert_eq!((own, foreign), (whole, core));
    assert!(first.violations().is_empty() && second.violations().is_empty());
}
