//! A session driven by hand: what an application does around the core, without one. Owns the log and the
//! projection beside it; every commit holds what must always hold.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::pin::pin;
use std::task::{Poll, Waker};

use diglot_agent::agent_loop::RespondError;
use diglot_agent::context::{Action, Plan};
use diglot_agent::entry::UnitRef;
use diglot_agent::matches::NoMatches;
use diglot_agent::memory::{MemoryId, MemoryKind};
use diglot_agent::model::ModelMessage;
use diglot_agent::prompt;
use diglot_agent::store::UnitRow;
use diglot_agent::{
    AgentLoop, Begun, CallId, Context, CopilotRequest, CopilotResponse, Decision, DecisionMode,
    Entry, Memory, MemoryItem, Message, ModelError, ModelRequest, ModelResponse, ProjectPath,
    SessionId, SessionSettings, SourceHash, SourceText, Step, StepError, TermEntry, Terms, Tool,
};
use diglot_document::{Format, LanguagePair, LanguageTag, TermStatus, UnitState};
use diglot_testkit::{ScriptedModel, words};

use crate::folder::Folder;

/// Drives one session.
pub(crate) struct Session {
    pub(crate) folder: Folder,
    pub(crate) memory: Memory,
    pub(crate) terms: Termbase,
    pub(crate) context: Context,
    pub(crate) entries: Vec<Entry>,
    /// What the translator was asked, in order.
    pub(crate) requests: Vec<ModelRequest>,
    /// Answers of the memory model; used up, it learns nothing. `None` is no such model.
    pub(crate) lessons: Option<VecDeque<ModelResponse>>,
    /// The last call that was decided.
    pub(crate) decided: Option<CallId>,
    tools: Vec<Box<dyn Tool>>,
    sources: HashMap<SourceHash, SourceText>,
    rows: BTreeMap<(ProjectPath, usize), UnitRow>,
    /// The translation memory: how often each pair was confirmed.
    pub(crate) pairs: BTreeMap<(String, String), usize>,
    at: i64,
}

pub(crate) fn settings() -> SessionSettings {
    SessionSettings {
        session: SessionId(1),
        languages: languages("en", "de"),
        instructions: String::new(),
        look_ahead: 4,
        chunk_units: 32,
        soft_limit: 300,
        rules: diglot_document::Rules::default(),
        when_missing: BTreeMap::default(),
        token_cap: None,
        guides: [].into(),
    }
}

pub(crate) fn languages(source: &str, target: &str) -> LanguagePair {
    LanguagePair {
        source: LanguageTag::parse(source).unwrap(),
        target: LanguageTag::parse(target).unwrap(),
    }
}

pub(crate) fn path(text: &str) -> ProjectPath {
    ProjectPath::from_listing(text).unwrap()
}

/// A termbase that looks through all its terms.
#[derive(Debug, Clone, Default)]
pub(crate) struct Termbase {
    pub(crate) entries: Vec<TermEntry>,
    /// Sources whose findings on terms were waived.
    pub(crate) waived: HashSet<String>,
}

impl Termbase {
    pub(crate) fn add(&mut self, source: &str, target: &str, status: TermStatus) {
        self.entries.push(TermEntry {
            source: source.to_owned(),
            target: target.to_owned(),
            status,
            note: String::new(),
        });
    }
}

impl Terms for Termbase {
    fn find(&self, _format: Format, _source: &str) -> Vec<TermEntry> {
        self.entries.clone()
    }

    fn is_waived(&self, source: &str, _fingerprint: &str) -> bool {
        self.waived.contains(source)
    }
}

impl Session {
    pub(crate) fn new(folder: Folder, settings: SessionSettings) -> Self {
        Self {
            folder,
            memory: Memory::default(),
            terms: Termbase::default(),
            context: Context::new(settings),
            entries: Vec::new(),
            requests: Vec::new(),
            lessons: None,
            decided: None,
            tools: diglot_agent::tools::all(),
            sources: HashMap::new(),
            rows: BTreeMap::new(),
            pairs: BTreeMap::new(),
            at: 0,
        }
    }

    /// Starts from the first entries of another session's log, as after a crash behind them.
    pub(crate) fn crashed_after(&self, n_entries: usize) -> Self {
        let mut session = Self::new(self.folder.clone(), self.context.settings().clone());
        session.memory = self.memory.clone();
        session.terms = self.terms.clone();
        session.sources.clone_from(&self.sources);
        session.entries = self.entries[..n_entries].to_vec();
        session.context = session.fold(n_entries);
        session.pairs.clone_from(&self.pairs);
        session.context.take_pairs();
        session.context.take_withdrawn();
        let touched = session.context.take_touched();
        session.project(touched);
        session
    }

    /// Folds the first entries of the log anew.
    pub(crate) fn fold(&self, n_entries: usize) -> Context {
        let mut context = Context::new(self.context.settings().clone());
        let entries = &self.entries[..n_entries];
        context.foretell(entries);
        for entry in entries {
            self.append_to(&mut context, entry);
        }
        context
    }

    /// Appends a stored entry as an application does when it opens a session.
    pub(crate) fn append_to(&self, context: &mut Context, entry: &Entry) {
        if let Entry::SourceRead(read) = entry {
            context.add_source(self.sources[&read.hash].clone());
        }
        context.append(entry.clone()).unwrap();
    }

    pub(crate) fn agent_loop(&self) -> AgentLoop<'_> {
        AgentLoop {
            tools: &self.tools,
            workspace: &self.folder,
            memory: &self.memory,
            matches: &NoMatches,
            terms: &self.terms,
            has_memory_model: self.lessons.is_some(),
        }
    }

    /// Writes a step: the context takes it, the projection follows.
    pub(crate) fn commit(&mut self, step: Step) {
        let before = confirmed(&self.context);
        let may_lose = step.entries.iter().any(|entry| {
            matches!(
                entry,
                Entry::SourceRead(_) | Entry::Undo(_) | Entry::Redo(_)
            )
        });
        for source in step.sources {
            self.context.add_source(source.clone());
            self.sources.insert(source.hash.clone(), source);
        }
        let entries = step.entries.clone();
        self.context.append_all(entries).unwrap();
        self.entries.extend(step.entries);
        for pair in self.context.take_withdrawn() {
            let pair = (pair.source, pair.target);
            let n = self.pairs.get_mut(&pair);
            let n = n.expect("a pair is withdrawn that nobody confirmed");
            *n -= 1;
            if *n == 0 {
                self.pairs.remove(&pair);
            }
        }
        for pair in self.context.take_pairs() {
            *self.pairs.entry((pair.source, pair.target)).or_default() += 1;
        }
        let touched = self.context.take_touched();
        self.project(touched);
        for item in step.memory.changed {
            self.put_item(item);
        }
        let forgotten = step.memory.forgotten;
        self.memory
            .items
            .retain(|item| !forgotten.contains(&item.id));
        self.check_always();
        if !may_lose {
            let after = confirmed(&self.context);
            assert!(before.is_subset(&after), "a confirmed unit was lost");
        }
    }

    fn put_item(&mut self, item: MemoryItem) {
        self.memory.next_id = self.memory.next_id.max(item.id.0 + 1);
        match self.memory.items.iter_mut().find(|old| old.id == item.id) {
            Some(old) => *old = item,
            None => self.memory.items.push(item),
        }
    }

    fn project(&mut self, touched: Vec<UnitRow>) {
        for row in touched {
            let key = (row.path.clone(), row.unit);
            if row.source.is_empty() {
                self.rows.remove(&key);
            } else {
                self.rows.insert(key, row);
            }
        }
    }

    /// Holds what holds after every commit: no unit is proposed twice, counts and rows are true.
    fn check_always(&self) {
        let context = &self.context;
        let mut proposed = HashSet::new();
        for request in context.requests() {
            if let CopilotRequest::Translate(request) = request {
                let unit = (request.path, request.unit);
                assert!(proposed.insert(unit.clone()), "{unit:?} is proposed twice");
            }
        }
        let mut n_rows = 0;
        for (path, document) in context.documents() {
            let units = document.units();
            let n = units
                .iter()
                .filter(|unit| unit.state.is_confirmed())
                .count();
            assert_eq!(document.n_confirmed(), n, "{path}");
            for (ordinal, unit) in units.iter().enumerate() {
                let row = self.rows.get(&(path.clone(), ordinal + 1));
                n_rows += usize::from(row.is_some());
                match row {
                    Some(row) => assert_eq!(Some(row), context.unit_row(path, ordinal).as_ref()),
                    None => assert_eq!(unit.state, UnitState::Open, "{path} {ordinal}"),
                }
                let waits = proposed.contains(&(path.clone(), ordinal + 1));
                assert_eq!(unit.state == UnitState::Proposed, waits, "{path} {ordinal}");
            }
            let first = units.iter().position(|unit| {
                !unit.state.is_confirmed() && unit.proposal.is_none() && !unit.skipped
            });
            assert_eq!(document.next_open(), first, "{path}");
        }
        assert_eq!(self.rows.len(), n_rows, "rows of units that are gone");
        let n: usize = context.documents().map(|(_, doc)| doc.n_confirmed()).sum();
        assert_eq!(context.counts().n_confirmed, n as u64);
        let n: usize = context.documents().map(|(_, doc)| doc.units().len()).sum();
        assert_eq!(context.counts().n_units, n as u64);
    }

    /// Runs steps until a person or the translator must act.
    pub(crate) fn settle(&mut self) {
        for _ in 0..1_000 {
            match self.agent_loop().begin(&self.context) {
                Begun::Done(step) if step.entries.is_empty() => return,
                Begun::Done(step) => self.commit(step),
                Begun::Ask(question) if question.is_lesson() => {
                    let lessons = self.lessons.as_mut().expect("no memory model is set");
                    let answer = lessons.pop_front().unwrap_or_else(|| words("[]"));
                    let answer = Ok(answer);
                    let step = self.agent_loop().finish(&self.context, *question, answer);
                    self.commit(step.unwrap());
                }
                Begun::Ask(_) => return,
            }
        }
        panic!("the session does not come to rest");
    }

    /// Lets the translator answer, where it is its turn; runs what follows.
    pub(crate) fn agent(&mut self, answer: ModelResponse) -> Result<bool, StepError> {
        if self.context.plan() != Plan::AskModel {
            return Ok(false);
        }
        let (translator, memory) = (ScriptedModel::new([Ok(answer)]), ScriptedModel::new([]));
        let step = {
            let agent_loop = self.agent_loop();
            finished(agent_loop.next(&self.context, &translator, &memory))
        }?;
        let request = translator.requests().remove(0);
        let opens = step
            .entries
            .iter()
            .any(|entry| matches!(entry, Entry::Chunk(_)));
        if let Some(before) = self.requests.last().filter(|_| !opens) {
            assert_continues(before, &request);
        }
        assert_complete(&request);
        self.requests.push(request);
        self.commit(step);
        self.assert_rebuilt();
        self.settle();
        Ok(true)
    }

    /// Holds that the log gives the last request again: from the context at hand, and from the log before its answer.
    fn assert_rebuilt(&self) {
        let Some(Entry::Message(Message::Assistant { .. })) = self.entries.last() else {
            panic!("an answer is the last entry of its step");
        };
        let answer = self.context.seq();
        let asked = self.context.asked_at(answer).unwrap();
        let sent = self.requests.last().unwrap();
        assert!(self.context.holds_request(answer));
        let mut contexts = vec![self.context.clone()];
        // A fold of every prefix of a long log would take for ever.
        if self.entries.len() < 100 {
            contexts.push(self.fold(self.entries.len() - 1));
        }
        for context in contexts {
            let again = prompt::past_request(&context, answer, Some(asked), &self.tools);
            assert_eq!(again.system, sent.system);
            assert_eq!(again.messages, sent.messages);
            assert_eq!(again.tools, sent.tools);
        }
    }

    /// Lets the translator answer while something else happens, or fail.
    pub(crate) fn agent_while(
        &mut self,
        meanwhile: impl FnOnce(&mut Self),
        answer: Result<ModelResponse, ModelError>,
    ) {
        if self.context.plan() != Plan::AskModel {
            return;
        }
        let Begun::Ask(question) = self.agent_loop().begin(&self.context) else {
            panic!("the translator has its turn and is not asked");
        };
        assert_complete(&question.request);
        meanwhile(self);
        let before = self.context.seq();
        let is_answer = answer.is_ok();
        match self.agent_loop().finish(&self.context, *question, answer) {
            Ok(step) => self.commit(step),
            Err(error) => assert!(!is_answer, "{error}"),
        }
        assert_eq!(self.context.seq() > before, is_answer);
        // The next request goes on from another one than that of the last answer.
        self.requests.clear();
        self.settle();
    }

    /// Sets open calls aside and lets the person write.
    pub(crate) fn say(&mut self, text: &str) {
        let mut entries = self.agent_loop().set_aside(&self.context);
        let text = text.to_owned();
        entries.push(Entry::Message(Message::User { text }));
        self.commit_entries(entries);
    }

    pub(crate) fn commit_entries(&mut self, entries: Vec<Entry>) {
        self.commit(Step {
            entries,
            ..Step::default()
        });
        self.settle();
    }

    /// Gives a decision; a document that changed on disk is read anew.
    pub(crate) fn respond(
        &mut self,
        call_id: CallId,
        decision: Decision,
        mode: DecisionMode,
        despite_issues: bool,
    ) -> Result<(), RespondError> {
        self.at += 1;
        self.decided = Some(call_id.clone());
        let response = CopilotResponse {
            call_id,
            decision,
            mode,
            at: self.at,
        };
        let taken = self
            .agent_loop()
            .respond(&self.context, response, despite_issues);
        let result = match taken {
            Ok(step) => {
                self.commit(step);
                Ok(())
            }
            Err(RespondError::SourceChanged(step)) => {
                self.commit((*step).clone());
                Err(RespondError::SourceChanged(step))
            }
            Err(error) => Err(error),
        };
        self.settle();
        result
    }

    /// Takes the last action back; tells whether there was one.
    pub(crate) fn undo(&mut self) -> bool {
        let step = self.agent_loop().undo(&self.context, 0);
        self.reverse(step)
    }

    /// Does again what was taken back last; tells whether there was something.
    pub(crate) fn redo(&mut self) -> bool {
        let step = self.agent_loop().redo(&self.context, 0);
        self.reverse(step)
    }

    fn reverse(&mut self, step: Option<Step>) -> bool {
        let Some(step) = step else { return false };
        self.commit(step);
        self.settle();
        true
    }

    /// Finds the open call on a unit.
    pub(crate) fn call_on(&self, unit: &UnitRef) -> Option<CallId> {
        let document = self.context.document(&unit.path)?;
        document.units().get(unit.unit - 1)?.proposal.clone()
    }

    /// Reads a document anew, as when the application sees that it changed on disk.
    pub(crate) fn refresh(&mut self, path: &ProjectPath) {
        if self.agent_loop().has_changed(&self.context, path) == Ok(true) {
            let step = self.agent_loop().refresh(&self.context, path);
            self.commit(step);
        }
        self.settle();
    }

    /// Lets the person write a memory item.
    pub(crate) fn remember(&mut self, text: &str) {
        let id = self.memory.next_id.max(1);
        let languages = self.context.settings().languages.clone();
        self.put_item(MemoryItem {
            id: MemoryId(id),
            text: text.to_owned(),
            ..MemoryItem::by_hand(MemoryKind::Style, languages)
        });
    }

    /// Begins anew from the stored log, which must give the same as what was kept.
    pub(crate) fn restart(&mut self) {
        let fresh = self.fold(self.entries.len());
        assert_eq!(self.facts(&fresh), self.facts(&self.context));
        self.context = fresh;
        self.context.take_touched();
        self.context.take_pairs();
        self.context.take_withdrawn();
    }

    /// Says all that an application can see of a context, to compare two.
    pub(crate) fn facts(&self, context: &Context) -> Facts {
        let rows = context.documents().flat_map(|(path, document)| {
            let rows = 0..document.units().len();
            rows.filter_map(|ordinal| context.unit_row(path, ordinal))
        });
        Facts {
            seq: context.seq().0,
            requests: context.requests(),
            counts: format!("{:?} {:?}", context.counts(), context.usage()),
            rows: rows.collect(),
            plan: context.plan(),
            actor: format!("{:?} {:?}", context.actor(), context.finish()),
            begun: format!("{:?}", self.agent_loop().begin(context)),
            actions: [context.undoable(), context.redoable()],
        }
    }
}

/// Holds what can be seen of a context; the step that it begins, with its request, byte for byte.
#[derive(Debug, PartialEq)]
pub(crate) struct Facts {
    seq: u64,
    requests: Vec<CopilotRequest>,
    counts: String,
    rows: Vec<UnitRow>,
    plan: Plan,
    actor: String,
    pub(crate) begun: String,
    actions: [Option<Action>; 2],
}

fn confirmed(context: &Context) -> HashSet<(ProjectPath, usize)> {
    let documents = context.documents();
    let units = documents.flat_map(|(path, document)| {
        let units = document.units().iter().enumerate();
        let done = units.filter(|(_, unit)| unit.state.is_confirmed());
        done.map(|(ordinal, _)| (path.clone(), ordinal))
    });
    units.collect()
}

/// Runs a future that never waits.
fn finished<T>(future: impl Future<Output = T>) -> T {
    let mut context = std::task::Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut context) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a step waits for something"),
    }
}

/// Asserts that a request goes on where the one before it ended: the same bytes first.
fn assert_continues(before: &ModelRequest, after: &ModelRequest) {
    assert_eq!(before.system, after.system);
    assert_eq!(before.tools, after.tools);
    let n = before.messages.len();
    assert!(after.messages.len() > n, "nothing was added");
    assert_eq!(before.messages[..], after.messages[..n]);
}

/// Asserts what strict providers demand of a conversation.
pub(crate) fn assert_complete(request: &ModelRequest) {
    assert_eq!(diglot_testkit::faults(request), Vec::<String>::new());
    let mut ids = HashSet::new();
    let mut open = VecDeque::new();
    assert!(!request.system.is_empty());
    for message in &request.messages {
        match message {
            ModelMessage::Tool { call_id, content } => {
                assert_eq!(open.pop_front().as_ref(), Some(call_id), "{request:#?}");
                assert!(!content.is_empty());
            }
            ModelMessage::Assistant {
                text, tool_calls, ..
            } => {
                assert!(open.is_empty(), "{request:#?}");
                assert!(!text.is_empty() || !tool_calls.is_empty());
                for call in tool_calls {
                    assert!(ids.insert(call.id.clone()), "{} is used twice", call.id);
                    open.push_back(call.id.to_string());
                }
            }
            ModelMessage::User(text) => {
                assert!(open.is_empty(), "{request:#?}");
                assert!(!text.trim().is_empty());
            }
        }
    }
    assert!(open.is_empty());
    let last = request.messages.last();
    assert!(
        matches!(
            last,
            Some(ModelMessage::User(_) | ModelMessage::Tool { .. })
        ),
        "the model is asked to answer itself"
    );
}
