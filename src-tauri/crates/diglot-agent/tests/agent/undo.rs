//! Undo against a model of it: whatever a person decides, takes back and does again in whatever order, each unit is as a
//! plain list of what was before says it should be.

use diglot_agent::entry::{Revision, UnitRef};
use diglot_agent::{CopilotRequest, Decision, DecisionMode, Entry, ProjectPath};
use diglot_testkit::{Depth, Promise, calls};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use crate::acts::{read, refinement, unit};
use crate::folder::Folder;
use crate::session::{Session, path, settings};

const FILES: [&str; 2] = ["a.txt", "b.txt"];
const UNITS: usize = 12;

/// Names what a person does, on a unit of all that are there.
#[derive(Debug, Clone)]
enum Deed {
    Decide(usize, u8),
    Bulk(usize, usize),
    Revise(usize, u8),
    Skip(usize),
    Undo,
    Redo,
    /// The model drafts what is open again.
    Draft,
    Restart,
}

fn deed() -> impl Strategy<Value = Deed> {
    let unit = 0..UNITS * FILES.len();
    prop_oneof![
        8 => (unit.clone(), 0..4_u8).prop_map(|(unit, kind)| Deed::Decide(unit, kind)),
        1 => (unit.clone(), 1..5_usize).prop_map(|(unit, n)| Deed::Bulk(unit, n)),
        2 => (unit.clone(), 0..3_u8).prop_map(|(unit, text)| Deed::Revise(unit, text)),
        1 => unit.prop_map(Deed::Skip),
        6 => Just(Deed::Undo),
        4 => Just(Deed::Redo),
        1 => Just(Deed::Draft),
        1 => Just(Deed::Restart),
    ]
}

/// Shows what a person sees of a unit.
type Seen = String;

/// Remembers what was before, as simply as can be.
#[derive(Default)]
struct Model {
    units: Vec<Seen>,
    done: Vec<Vec<(usize, Seen)>>,
    undone: Vec<Vec<(usize, Seen)>>,
    /// Whether the last action was in bulk, with nothing since: more of it is the same action.
    in_bulk: bool,
}

impl Model {
    /// Takes what an action left behind.
    fn act(&mut self, units: &[usize], now: &[Seen], is_bulk: bool) {
        let before = units.iter().map(|unit| (*unit, self.units[*unit].clone()));
        match self.done.last_mut() {
            Some(deed) if is_bulk && self.in_bulk => deed.extend(before),
            Some(_) | None => self.done.push(before.collect()),
        }
        self.in_bulk = is_bulk;
        self.undone.clear();
        for unit in units {
            self.units[*unit].clone_from(&now[*unit]);
        }
    }

    fn undo(&mut self) -> bool {
        let Some(deed) = self.done.pop() else {
            return false;
        };
        self.in_bulk = false;
        let swapped = self.swap(deed);
        self.undone.push(swapped);
        true
    }

    fn redo(&mut self) -> bool {
        let Some(deed) = self.undone.pop() else {
            return false;
        };
        self.in_bulk = false;
        let swapped = self.swap(deed);
        self.done.push(swapped);
        true
    }

    fn swap(&mut self, deed: Vec<(usize, Seen)>) -> Vec<(usize, Seen)> {
        let swap = |(unit, seen)| (unit, std::mem::replace(&mut self.units[unit], seen));
        deed.into_iter().map(swap).collect()
    }
}

struct Play {
    session: Session,
    model: Model,
}

impl Play {
    fn new() -> Self {
        let text = |file: &str| {
            let units = (0..UNITS).map(|n| format!("Part {n} of {file}.\n"));
            units.collect::<Vec<_>>().join("\n")
        };
        let files = FILES.map(|file| (file, text(file)));
        let files = files.each_ref().map(|(file, text)| (*file, text.as_str()));
        let mut session = Session::new(Folder::of(&files), settings());
        session.say("Translate all.");
        let reads = FILES.map(read);
        session.agent(calls(reads)).unwrap();
        let mut play = Self {
            session,
            model: Model::default(),
        };
        play.draft();
        play.model.units = play.seen();
        play
    }

    /// Lets the model draft every open unit, if it is its turn.
    fn draft(&mut self) {
        let open = FILES.iter().flat_map(|file| {
            let document = self.session.context.document(&path(file)).unwrap();
            document.open_from(0).map(|ordinal| (*file, ordinal + 1))
        });
        let drafts: Vec<_> = open
            .map(|(file, number)| unit(file, number, &format!("Teil von {file}, neu.")))
            .collect();
        let answer = if drafts.is_empty() {
            diglot_testkit::words("Done.")
        } else {
            calls(drafts)
        };
        self.session.agent(answer).unwrap();
    }

    fn seen(&self) -> Vec<Seen> {
        let context = &self.session.context;
        let requests = context.requests();
        let request = |path: &ProjectPath, number: usize| {
            requests.iter().find_map(|request| match request {
                CopilotRequest::Translate(found) => (found.path == *path && found.unit == number)
                    .then(|| (found.call_id.clone(), found.target.clone())),
                CopilotRequest::Ask(_) => None,
            })
        };
        let documents = FILES.map(|file| (path(file), context.document(&path(file)).unwrap()));
        let units = documents.iter().flat_map(|(path, document)| {
            let units = document.units().iter().enumerate();
            units.map(move |(ordinal, unit)| {
                let row = context.unit_row(path, ordinal);
                let waits = request(path, ordinal + 1);
                let (skipped, rejected) = (unit.skipped, &unit.rejected);
                format!("{row:?} {waits:?} {skipped} {rejected:?}")
            })
        });
        units.collect()
    }

    fn at(index: usize) -> UnitRef {
        UnitRef {
            path: path(FILES[index / UNITS]),
            unit: index % UNITS + 1,
        }
    }

    /// Does a deed; answers the units that it changed.
    fn act(&mut self, deed: &Deed) -> Option<Vec<usize>> {
        let before = self.session.entries.len();
        let units = match deed {
            Deed::Decide(index, kind) => {
                let decision = match kind {
                    0 | 1 => Decision::Approve,
                    2 => refinement("Ganz anders."),
                    _ => Decision::Reject(diglot_agent::Rejection::because("no")),
                };
                self.decide(*index, decision, DecisionMode::Single);
                vec![*index]
            }
            Deed::Bulk(index, n) => {
                let last = (index + n).min(UNITS * FILES.len());
                let units = *index..last;
                let decide =
                    |unit: &usize| self.decide(*unit, Decision::Approve, DecisionMode::Bulk);
                units.filter(decide).collect()
            }
            Deed::Revise(index, text) => {
                self.by_hand(*index, |unit| {
                    let target = format!("Von Hand {text}.");
                    Entry::Revision(Revision {
                        unit,
                        target,
                        at: 0,
                    })
                });
                vec![*index]
            }
            Deed::Skip(index) => {
                self.by_hand(*index, Entry::Skip);
                vec![*index]
            }
            Deed::Undo | Deed::Redo | Deed::Draft | Deed::Restart => return None,
        };
        (self.session.entries.len() > before).then_some(units)
    }

    fn decide(&mut self, index: usize, decision: Decision, mode: DecisionMode) -> bool {
        let Some(id) = self.session.call_on(&Self::at(index)) else {
            return false;
        };
        self.session.respond(id, decision, mode, true).is_ok()
    }

    fn by_hand(&mut self, index: usize, entry: impl FnOnce(UnitRef) -> Entry) {
        let unit = Self::at(index);
        if self.session.call_on(&unit).is_none() {
            self.session.commit_entries(vec![entry(unit)]);
        }
    }

    fn step(&mut self, deed: &Deed) {
        match deed {
            Deed::Undo => assert_eq!(self.session.undo(), self.model.undo()),
            Deed::Redo => assert_eq!(self.session.redo(), self.model.redo()),
            Deed::Restart => self.session.restart(),
            Deed::Draft => {
                let before = self.session.entries.len();
                self.draft();
                self.model.in_bulk &= self.session.entries.len() == before;
                self.model.units = self.seen();
            }
            other => {
                if let Some(units) = self.act(other) {
                    let now = self.seen();
                    let is_bulk = matches!(other, Deed::Bulk(..));
                    self.model.act(&units, &now, is_bulk);
                }
            }
        }
        assert_eq!(self.seen(), self.model.units, "{deed:?}");
    }
}

#[test]
fn p43_undo_is_complete() {
    let (n_seeds, n_deeds) = Depth::of_run().pick((6, 150), (40, 1_000));
    let mut runner = TestRunner::new(Config {
        cases: n_seeds,
        failure_persistence: None,
        max_shrink_iters: 512,
        ..Config::default()
    });
    let deeds = prop::collection::vec(deed(), 1..=n_deeds);
    let told = runner.run(&deeds, |deeds| {
        let mut play = Play::new();
        let first = play.seen();
        let drafts = deeds.iter().any(|deed| matches!(deed, Deed::Draft));
        for deed in &deeds {
            play.step(deed);
        }
        let last = play.seen();
        let pairs = play.session.pairs.clone();
        let mut n_undone = 0;
        while play.session.undo() {
            assert!(play.model.undo());
            n_undone += 1;
        }
        assert!(!play.model.undo());
        assert_eq!(play.seen(), play.model.units);
        assert!(play.session.pairs.is_empty(), "{:?}", play.session.pairs);
        assert_eq!(play.session.memory.items, []);
        if !drafts {
            assert_eq!(play.seen(), first);
        }
        // What stood on the other side before is not done again by this.
        for _ in 0..n_undone {
            assert!(play.session.redo() && play.model.redo());
        }
        assert_eq!(play.seen(), last);
        assert_eq!(play.session.pairs, pairs);
        Ok(())
    });
    let figure = match &told {
        Ok(()) => format!("{n_seeds} x {n_deeds} random actions, state equal after each"),
        Err(error) => format!(
            "{error}; again: cargo test -p diglot-agent --test agent p43_ (PROPTEST_RNG_SEED of .cargo/config.toml)"
        ),
    };
    Promise::new(43, told.is_ok(), figure, "100 % equal to the model").tell();
}
