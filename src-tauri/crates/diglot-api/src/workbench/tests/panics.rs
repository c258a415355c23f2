//! P42: something breaks down in the middle of a command. The application stays, what was decided is there, and the same
//! thing can be done again.

use diglot_agent::tools::ToolName;
use diglot_agent::{
    CallId, Context, CopilotResponse, Decision, DecisionMode, Entry, ToolCall, ToolError,
    ToolOutcome, ToolSpec, Workspace,
};
use diglot_testkit::Promise;

use super::*;

const GOAL: &str = "the application stays, 0 decisions lost";

/// Breaks down in place of a tool, so often; otherwise it is the tool.
struct Breaking {
    tool: Box<dyn Tool>,
    n_left: Arc<AtomicU64>,
}

impl Tool for Breaking {
    fn name(&self) -> ToolName {
        self.tool.name()
    }

    fn spec(&self) -> ToolSpec {
        self.tool.spec()
    }

    fn run(
        &self,
        call: &ToolCall,
        context: &Context,
        workspace: &dyn Workspace,
        response: Option<&CopilotResponse>,
    ) -> Result<ToolOutcome, ToolError> {
        let left = self.n_left.load(Ordering::SeqCst);
        if left > 0 {
            self.n_left.store(left - 1, Ordering::SeqCst);
            panic!("a fault of a tool");
        }
        self.tool.run(call, context, workspace, response)
    }
}

/// Lets the tools of a workbench break down as often as the number says.
fn break_tools(bench: &mut Bench) -> Arc<AtomicU64> {
    let n_left = Arc::new(AtomicU64::new(0));
    let workbench = Arc::get_mut(bench.workbench.as_mut().unwrap()).unwrap();
    let tools = std::mem::take(&mut workbench.tools);
    let breaking = |tool| -> Box<dyn Tool> {
        Box::new(Breaking {
            tool,
            n_left: Arc::clone(&n_left),
        })
    };
    workbench.tools = tools.into_iter().map(breaking).collect();
    n_left
}

/// Breaks down while it holds a lock, as a fault elsewhere would.
fn poison<T: Send>(mutex: &Mutex<T>, work: impl FnOnce(&mut T) + Send) {
    let broken = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let mut held = mutex.lock().unwrap();
            work(&mut held);
            panic!("a fault under a lock");
        });
        thread.join()
    });
    assert!(broken.is_err() && mutex.is_poisoned());
}

/// Approves every draft, and lets the agent go on until none comes.
async fn approve_all(bench: &Bench, id: i64) {
    loop {
        let drafts = proposals(&bench.run(id).await);
        if drafts.is_empty() {
            return;
        }
        for draft in drafts {
            bench.respond(id, &draft.call_id, approve()).await.unwrap();
        }
    }
}

async fn opened(bench: &Bench) -> (FakeServer, i64) {
    let server = FakeServer::cooperative(Cooperation::default()).unwrap();
    bench.use_server(&server).await;
    (server, bench.start("de").await)
}

#[tokio::test(flavor = "multi_thread")]
async fn p42_a_tool_that_breaks_down_loses_no_decision() {
    let mut bench = Bench::new(&[("intro.md", INTRO)]);
    let n_left = break_tools(&mut bench);
    let (_server, id) = opened(&bench).await;
    n_left.store(1, Ordering::SeqCst);
    let broken = bench
        .wb()
        .session_run(SessionRequest { session_id: id })
        .await;
    assert_eq!(broken.unwrap_err().code, ErrorCode::Internal);
    let mut n_decided = 0;
    while let Some(draft) = proposals(&bench.run(id).await).first() {
        n_left.store(1, Ordering::SeqCst);
        let waiting = bench.view(id).await;
        let broken = bench.respond(id, &draft.call_id, approve()).await;
        assert_eq!(broken.unwrap_err().code, ErrorCode::Internal);
        let after = bench.view(id).await;
        assert_eq!((after.seq, after.requests), (waiting.seq, waiting.requests));
        bench.respond(id, &draft.call_id, approve()).await.unwrap();
        n_decided += 1;
    }
    let before = bench.view(id).await;
    bench.reopen().await;
    let after = bench.view(id).await;
    assert_eq!((after.seq, after.requests), (before.seq, before.requests));
    let is_held = (n_decided, after.session.n_confirmed) == (3, 3);
    let figure = format!("a tool broke down at each of {n_decided} decisions and in a run");
    Promise::new(42, is_held, figure, GOAL).tell();
}

#[tokio::test(flavor = "multi_thread")]
async fn p42_locks_that_were_held_in_a_panic_can_be_taken_again() {
    let mut bench = Bench::new(&[("intro.md", INTRO)]);
    let (_server, id) = opened(&bench).await;
    let drafts = proposals(&bench.run(id).await);
    let seq = bench.view(id).await.seq;
    let session = bench.wb().session(id).await.unwrap();
    // A decision that is not stored: what breaks down in the middle of a commit leaves this.
    let response = CopilotResponse {
        call_id: CallId::from_text(&drafts[0].call_id),
        decision: Decision::Approve,
        mode: DecisionMode::Single,
        at: 1,
    };
    poison(&session.context, |context| {
        session.is_ahead.store(true, Ordering::SeqCst);
        context.append(Entry::Response(response)).unwrap();
    });
    poison(&session.row, |_| {});
    poison(&session.project, |_| {});
    poison(&session.targets.writer, |()| {});
    poison(&bench.wb().settings, |_| {});
    poison(&bench.wb().sessions, |_| {});
    poison(&bench.wb().projects, |_| {});
    let view = bench.view(id).await;
    assert_eq!((view.seq, proposals(&view)), (seq, drafts));
    approve_all(&bench, id).await;
    bench.wb().close().await;
    let target = bench.target_text("de", "intro.md");
    drop(session);
    bench.reopen().await;
    let view = bench.view(id).await;
    let is_held = view.session.n_confirmed == 3 && target.contains("⟦Open the door.⟧");
    let figure = "7 locks were held in a panic, 3 decisions kept, the target written";
    Promise::new(42, is_held, figure, GOAL).tell();
}

#[tokio::test(flavor = "multi_thread")]
async fn p42_a_host_that_breaks_down_over_an_event_stops_nothing() {
    let mut bench = Bench::new(&[("intro.md", INTRO)]);
    drop(bench.workbench.take());
    let n_events = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&n_events);
    let config = WorkbenchConfig {
        data_folder: bench.data.path().to_owned(),
        sample: None,
        folder: None,
        events: Arc::new(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            panic!("a fault of the host");
        }),
    };
    bench.workbench = Some(Workbench::open(config).unwrap());
    let (_server, id) = opened(&bench).await;
    approve_all(&bench, id).await;
    bench.wb().close().await;
    let is_written = bench
        .target_text("de", "intro.md")
        .contains("⟦Close the door.⟧");
    let n_events = n_events.load(Ordering::SeqCst);
    let figure = format!("the host broke down over {n_events} events, the target is whole");
    Promise::new(42, is_written && n_events > 0, figure, GOAL).tell();
}
