//! P6: a crash at any line of the step protocol, with every tool. What lay on the disk is copied whenever a model is asked,
//! something was committed or a target was written; from each copy a new program goes on to the end, and comes to the
//! same result: nothing twice, and at most one call of a model repeated.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use diglot_agent::store::TmPair;
use diglot_agent::{CallId, Entry, Message, Seq, SessionId};
use diglot_document::{LanguagePair, LanguageTag};
use diglot_testkit::{Cooperation, Depth, FakeServer, Promise, Recorded};

use super::*;
use crate::event::ApiEvent;
use crate::schema::NoArgs;
use crate::view::document::UnitStateView;

const FILES: [(&str, &str); 2] = [
    (
        "a.txt",
        "Open the door.\n\nClose the door.\n\nPaint the door.\n\nSell the door.\n",
    ),
    ("b.md", "# Doors\n\nOpen the door.\n\nRun `make doors`.\n"),
];
/// What the model asks the person first.
const QUESTION: &str = "Formal or informal?";

type Files = BTreeMap<String, Vec<u8>>;

/// Holds what a crash would leave.
struct Crash {
    label: String,
    data: Files,
    targets: Files,
    n_asked: usize,
}

/// Holds what a session comes to.
#[derive(Debug, PartialEq)]
struct Outcome {
    units: Vec<(String, usize, UnitStateView, Option<String>)>,
    targets: Files,
    pairs: Vec<(String, String)>,
    memory: Vec<(String, usize)>,
}

/// Keeps the crashes of the run that is recorded.
#[derive(Default)]
struct Record {
    crashes: Vec<Crash>,
    data: Option<PathBuf>,
    targets: PathBuf,
    n_asked: usize,
}

impl Record {
    fn keep(&mut self, label: &str) {
        let Some(data) = &self.data else { return };
        let data = files(data, &|name| {
            name.starts_with("diglot.db") && !name.ends_with("shm")
        });
        let targets = files(&self.targets, &|_| true);
        let last = self.crashes.last();
        // The ledger is written before the file is replaced.
        let between = last
            .filter(|last| last.targets != targets)
            .map(|last| Crash {
                label: format!("before {label}"),
                data: data.clone(),
                targets: last.targets.clone(),
                n_asked: self.n_asked,
            });
        self.crashes.extend(between);
        self.crashes.push(Crash {
            label: label.to_owned(),
            data,
            targets,
            n_asked: self.n_asked,
        });
    }
}

fn files(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Files {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let read = |entry: fs::DirEntry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        // A file that is being replaced may be gone by now.
        let bytes = fs::read(entry.path()).ok()?;
        wanted(&name).then_some((name, bytes))
    };
    entries.filter_map(read).collect()
}

fn put(folder: &Path, files: &Files) {
    fs::create_dir_all(folder).unwrap();
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

/// Knows nothing but the request: lists, asks, calls what is not there, then works well.
fn reply(request: &Recorded) -> Reply {
    if request.is_memory() {
        let op = json!({"action": "add", "kind": "style", "text": "Use the imperative"});
        return Reply::words(&json!({"ops": [op]}).to_string());
    }
    let is_known = request.messages().iter().any(|message| {
        let text = message["content"].as_str().unwrap_or_default();
        text.contains(QUESTION) || message["role"] == "tool"
    });
    if is_known {
        return Cooperation::default().reply(request);
    }
    Reply::calls(&[
        ("LS", json!({"path": "."})),
        ("Write", json!({"path": "x"})),
        (
            "Ask",
            json!({"question": QUESTION, "options": ["du", "Sie"], "kind": "tone"}),
        ),
    ])
}

struct Stage {
    project: FolderFixture,
    record: Arc<Mutex<Record>>,
    server: FakeServer,
}

impl Stage {
    fn new() -> Self {
        let project = FolderFixture::new(&FILES).unwrap();
        let record = Arc::new(Mutex::new(Record::default()));
        let asked = Arc::clone(&record);
        let server = FakeServer::start(move |request| {
            let mut record = lock(&asked);
            record.n_asked += 1;
            record.keep("a model is asked");
            drop(record);
            reply(request)
        });
        Self {
            project,
            record,
            server: server.unwrap(),
        }
    }

    fn targets(&self) -> PathBuf {
        let name = self.project.path().file_name().unwrap().to_string_lossy();
        self.project.path().with_file_name(format!("{name}-de"))
    }

    fn open(&self, data: &Path) -> Arc<Workbench> {
        let record = Arc::clone(&self.record);
        let config = WorkbenchConfig {
            data_folder: data.to_owned(),
            sample: None,
            folder: None,
            events: Arc::new(move |event| match event {
                ApiEvent::SessionChanged { .. } => lock(&record).keep("a commit"),
                ApiEvent::TargetsChanged { .. } => lock(&record).keep("a target was written"),
                ApiEvent::RunChanged { .. }
                | ApiEvent::ProjectChanged { .. }
                | ApiEvent::AppChanged { .. }
                | ApiEvent::FolderRequested { .. } => {}
            }),
        };
        Workbench::open(config).unwrap()
    }

    async fn begin(&self, workbench: &Arc<Workbench>) -> i64 {
        let view = workbench.settings_view(NoArgs {}).await.unwrap();
        let provider = ProviderSettings {
            id: "fake".to_owned(),
            name: "Fake".to_owned(),
            base_url: self.server.base_url(),
            model: "m".to_owned(),
            protocol: ProtocolChoice::Tools,
            temperature: None,
            max_output_tokens: None,
        };
        let settings = Settings {
            providers: vec![provider],
            translator: "fake".to_owned(),
            memory: "fake".to_owned(),
            ..view.settings
        };
        let request = SettingsUpdateRequest { settings };
        workbench.settings_update(request).await.unwrap();
        let path = self.project.path().display().to_string();
        let project = workbench.project_open(ProjectOpenRequest { path }).await;
        let request = SessionCreateRequest {
            project_id: project.unwrap().id,
            source_language: Some("en".to_owned()),
            target_language: "de".to_owned(),
            instructions: None,
            afresh: None,
        };
        workbench.session_create(request).await.unwrap().session.id
    }
}

/// Does what the person means to do with what there is to see, and nothing twice.
struct Person<'a> {
    workbench: &'a Arc<Workbench>,
    id: i64,
}

impl Person<'_> {
    async fn work(&self) {
        for _ in 0..80 {
            let view = self.workbench.session_run(SessionRequest {
                session_id: self.id,
            });
            view.await.unwrap();
            if self.think_again().await {
                continue;
            }
            let view = self.view().await;
            let Some(request) = view.requests.first() else {
                assert_eq!(view.finish, Some(FinishView::Complete), "{view:?}");
                return;
            };
            let (call_id, decision) = match request {
                RequestView::Ask(ask) => {
                    let choice = Some("du".to_owned());
                    (
                        ask.call_id.clone(),
                        DecisionRequest::Answer { choice, text: None },
                    )
                }
                RequestView::Translate(draft) => (draft.call_id.clone(), decision(&view, draft)),
            };
            let request = SessionRespondRequest {
                session_id: self.id,
                call_id,
                decision,
            };
            self.workbench.session_respond(request).await.unwrap();
        }
        panic!("the work has no end");
    }

    /// Takes the approval of a.txt 4 back once, and changes what b.md 1 was approved as.
    async fn think_again(&self) -> bool {
        let view = self.view().await;
        let session_id = self.id;
        let last = view.undo.as_ref();
        let is_fourth = last.is_some_and(|last| last.path == "a.txt" && last.unit == 4);
        if is_fourth && !was_undone(&view) {
            let request = SessionRequest { session_id };
            self.workbench.session_undo(request).await.unwrap();
            return true;
        }
        let known = view.files.iter().find(|file| file.path == "b.md");
        if known.is_none_or(|file| file.n_confirmed == 0) {
            return false;
        }
        let first = &self.document("b.md").await.units[0];
        if first.state != UnitStateView::Approved {
            return false;
        }
        let request = UnitReviseRequest {
            session_id,
            path: "b.md".to_owned(),
            unit: 1,
            target: "Türen".to_owned(),
        };
        self.workbench.unit_revise(request).await.unwrap();
        true
    }

    async fn view(&self) -> SessionView {
        let request = SessionViewRequest {
            session_id: self.id,
            since_seq: None,
        };
        self.workbench.session_view(request).await.unwrap()
    }

    async fn document(&self, path: &str) -> crate::view::document::DocumentView {
        let request = crate::schema::DocumentViewRequest {
            session_id: self.id,
            path: path.to_owned(),
            from_unit: None,
            limit: None,
        };
        self.workbench.document_view(request).await.unwrap()
    }
}

fn was_undone(view: &SessionView) -> bool {
    let mut turns = view.turns.iter();
    turns.any(|turn| matches!(&turn.turn, TurnKind::Undone { .. }))
}

fn decision(view: &SessionView, draft: &ProposalView) -> DecisionRequest {
    let was_rejected = view.turns.iter().any(|turn| {
        matches!(&turn.turn, TurnKind::Drafted { path, unit, outcome, .. }
            if *path == draft.path && *unit == draft.unit && *outcome == crate::view::session::OutcomeView::Rejected)
    });
    match (draft.path.as_str(), draft.unit) {
        ("a.txt", 2) => refine("Schließe die Tür."),
        ("a.txt", 4) if was_undone(view) => refine("Verkaufe die Tür."),
        ("a.txt", 3) if !was_rejected => DecisionRequest::reject("too literal"),
        _ => approve(),
    }
}

fn languages() -> LanguagePair {
    LanguagePair {
        source: LanguageTag::parse("en").unwrap(),
        target: LanguageTag::parse("de").unwrap(),
    }
}

/// Closes the program, and says what there is.
async fn outcome(stage: &Stage, workbench: Arc<Workbench>, id: i64) -> Outcome {
    let person = Person {
        workbench: &workbench,
        id,
    };
    while person.view().await.n_learning > 0 {
        tokio::task::yield_now().await;
    }
    let mut units = Vec::new();
    for (path, _) in FILES {
        let document = person.document(path).await;
        let unit = |unit: crate::view::document::UnitView| {
            (path.to_owned(), unit.unit, unit.state, unit.target)
        };
        units.extend(document.units.into_iter().map(unit));
    }
    let memory = workbench.memory_list(SessionRequest { session_id: id });
    let memory = memory.await.unwrap().items.into_iter();
    let memory = memory
        .map(|item| (item.text, item.evidence.len()))
        .collect();
    let pairs = workbench.store().pairs(&languages()).unwrap().into_iter();
    let mut pairs: Vec<_> = pairs
        .map(|pair: TmPair| (pair.source, pair.target))
        .collect();
    pairs.sort();
    check_log(&workbench, id);
    workbench.close().await;
    Outcome {
        units,
        targets: files(&stage.targets(), &|_| true),
        pairs,
        memory,
    }
}

/// Holds that the log says nothing twice: one result for each call, one lesson for each decision.
fn check_log(workbench: &Workbench, id: i64) {
    let entries = workbench.store().entries(SessionId(id), Seq(0)).unwrap();
    let mut results: BTreeMap<CallId, usize> = BTreeMap::new();
    let (mut n_decided, mut n_learnt) = (0, 0);
    for (_, entry) in &entries {
        match entry {
            Entry::Message(Message::Assistant { tool_calls, .. }) => {
                results.extend(tool_calls.iter().map(|call| (call.id.clone(), 0)));
            }
            Entry::Message(Message::Tool(result)) => {
                *results.get_mut(&result.call_id).unwrap() += 1;
            }
            Entry::Response(response) if response.decision.teaches() => n_decided += 1,
            Entry::Extraction(_) => n_learnt += 1,
            Entry::Message(Message::User { .. })
            | Entry::SourceRead(_)
            | Entry::Response(_)
            | Entry::Revision(_)
            | Entry::Skip(_)
            | Entry::Lesson(_)
            | Entry::Chunk(_)
            | Entry::Undo(_)
            | Entry::Redo(_) => {}
        }
    }
    assert!(results.values().all(|n| *n == 1), "{results:?}");
    assert_eq!(n_learnt, n_decided);
}

#[tokio::test(flavor = "multi_thread")]
async fn p6_no_crash_has_an_effect_twice() {
    let stage = Stage::new();
    let data = memory_folder();
    let workbench = stage.open(data.path());
    let id = stage.begin(&workbench).await;
    {
        let mut record = lock(&stage.record);
        record.data = Some(data.path().to_owned());
        record.targets = stage.targets();
        record.keep("the session began");
    }
    let person = Person {
        workbench: &workbench,
        id,
    };
    person.work().await;
    let expected = outcome(&stage, workbench, id).await;
    assert_eq!(expected.units.len(), 7);
    let (crashes, n_asked) = {
        let mut record = lock(&stage.record);
        record.data = None;
        (std::mem::take(&mut record.crashes), record.n_asked)
    };
    let n_crashes = crashes.len();
    let every = Depth::of_run().pick(n_crashes.div_ceil(24), 1);
    let (mut n_tried, mut most_repeated) = (0, 0);
    for crash in crashes.into_iter().step_by(every) {
        n_tried += 1;
        let data = memory_folder();
        put(data.path(), &crash.data);
        drop(fs::remove_dir_all(stage.targets()));
        put(&stage.targets(), &crash.targets);
        lock(&stage.record).n_asked = 0;
        let workbench = stage.open(data.path());
        let person = Person {
            workbench: &workbench,
            id,
        };
        person.work().await;
        let found = outcome(&stage, workbench, id).await;
        assert_eq!(found, expected, "after: {}", crash.label);
        let n_again = lock(&stage.record).n_asked;
        most_repeated = most_repeated.max((crash.n_asked + n_again).saturating_sub(n_asked));
    }
    assert_eq!(stage.server.violations(), Vec::<String>::new());
    drop(fs::remove_dir_all(stage.targets()));
    let figure = format!(
        "{n_tried} of {n_crashes} crash points: 0 effects twice, at most {most_repeated} calls of a model repeated"
    );
    let goal = "0 duplicate units, files, memory entries; at most 1 call repeated";
    Promise::new(6, most_repeated <= 1, figure, goal).tell();
}
