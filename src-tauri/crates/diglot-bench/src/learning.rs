//! The proof that it learns: a scripted translator with eight habits works through a text with a model that makes their
//! eight mistakes and obeys the rules of its request. Owns what is measured, the goals, and the printed table.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use anyhow::{Context, Result, ensure};
use diglot_api::schema::{DecisionRequest, NoArgs, SessionRequest, SettingsUpdateRequest};
use diglot_api::view::memory::MemoryView;
use diglot_api::view::session::{ProposalView, RequestView};
use diglot_api::view::settings::Settings;
use diglot_testkit::{FakeServer, FolderFixture, Reply};
use serde_json::json;

use crate::figures::Table;
use crate::host::Host;

mod habits;
mod models;

use habits::{HABITS, Unit};
use models::Learner;

/// Name of the only document.
const DOCUMENT: &str = "stations.txt";
/// Units whose edits are taken together, since most drafts need none.
const WINDOW: usize = 10;
/// Occurrences after which a habit is to be active.
const GOAL_ACTIVE: usize = 2;
/// Of a hundred drafts after that, those that are to obey.
const GOAL_OBEYED: usize = 90;
/// The last third's edit distance over the first one's, at most.
const GOAL_FALL: f64 = 0.5;
/// The same where nothing is learnt, at least.
const GOAL_LEVEL: f64 = 0.8;
/// Items on the page at the end, at most.
const GOAL_ITEMS: usize = 12;

/// Holds what became of one habit.
#[derive(Debug, Clone, Copy, Default)]
struct Learnt {
    n_seen: usize,
    active_after: Option<usize>,
    n_drafts: usize,
    n_obeyed: usize,
}

/// Holds what one run came to.
#[derive(Debug)]
struct Outcome {
    learner: Learner,
    habits: [Learnt; 8],
    distances: Vec<f64>,
    n_memory_tokens: u64,
    items: MemoryView,
    /// Items that were ever sent and hold no habit of the person.
    n_wrong: usize,
}

/// Runs the proof over so many units and prints what it comes to; the second value lists the goals that were missed.
///
/// # Errors
/// When the product refuses a step.
pub async fn prove(n_units: usize) -> Result<(String, Vec<String>)> {
    let mut outcomes = Vec::new();
    for learner in [
        Learner::Model,
        Learner::Hostile,
        Learner::Diff,
        Learner::Nobody,
    ] {
        let outcome = run(learner, n_units).await;
        outcomes.push(outcome.with_context(|| format!("learner: {}", learner.name()))?);
    }
    let mut missed: Vec<String> = outcomes.iter().flat_map(Outcome::missed).collect();
    let alone = alone(&outcomes);
    let saves = |outcome: &&Outcome| outcome.learner == Learner::Nobody || outcome.last() < alone;
    for outcome in outcomes.iter().filter(|outcome| !saves(outcome)) {
        let name = outcome.learner.name();
        missed.push(format!(
            "{name}: the person has less to do than without memory"
        ));
    }
    Ok((table(&outcomes, n_units).to_string(), missed))
}

async fn run(learner: Learner, n_units: usize) -> Result<Outcome> {
    let units = Unit::all(n_units);
    let text: Vec<String> = units.iter().map(Unit::source).collect();
    let folder = FolderFixture::new(&[(format!("in/{DOCUMENT}").as_str(), text.join("\n\n"))])?;
    let n_tokens = Arc::new(AtomicU64::new(0));
    let server = serve(learner, units.clone(), Arc::clone(&n_tokens))?;
    let (data, root) = (folder.at("data"), folder.at("in"));
    let host = Host::open(&data, &root, Some(&server.base_url())).await?;
    if learner == Learner::Diff {
        let settings = host.workbench.settings_view(NoArgs {}).await?.settings;
        let memory = Settings::default().memory;
        let settings = Settings { memory, ..settings };
        let request = SettingsUpdateRequest { settings };
        host.workbench.settings_update(request).await?;
    }
    let session = host.session("de").await?.session.id;
    let mut outcome = Outcome {
        learner,
        habits: [Learnt::default(); 8],
        distances: Vec::with_capacity(n_units),
        n_memory_tokens: 0,
        items: memory(&host, session).await?,
        n_wrong: 0,
    };
    while outcome.distances.len() < n_units {
        let view = host.run(session).await?;
        let mut n_drafts = 0;
        for request in view.requests {
            if let RequestView::Translate(draft) = request {
                n_drafts += 1;
                outcome.decide(&host, session, &draft, &units).await?;
            }
        }
        ensure!(
            n_drafts > 0,
            "no draft after {} units",
            outcome.distances.len()
        );
    }
    host.close().await;
    outcome.n_memory_tokens = n_tokens.load(Ordering::SeqCst) / n_units.max(1) as u64;
    Ok(outcome)
}

/// Starts the models. What the translator's requests hold of memory is counted, four bytes as a token.
fn serve(learner: Learner, units: Vec<Unit>, n_tokens: Arc<AtomicU64>) -> Result<FakeServer> {
    let n_lessons = AtomicUsize::new(0);
    Ok(FakeServer::start(move |request| {
        if !request.is_chat() {
            return Reply::json(200, &json!({"object": "list", "data": []}));
        }
        if !request.is_memory() {
            let rules = models::rules(request);
            let held = rules.iter().filter(|rule| models::is_habit(rule).is_some());
            let n_bytes: usize = held.map(String::len).sum();
            n_tokens.fetch_add(n_bytes.div_ceil(4) as u64, Ordering::SeqCst);
            return models::draft(request, &units);
        }
        let nth = n_lessons.fetch_add(1, Ordering::SeqCst);
        match learner {
            Learner::Hostile if nth % 2 == 1 => models::nonsense(nth / 2),
            Learner::Model | Learner::Hostile | Learner::Diff => models::lesson(request),
            Learner::Nobody => Reply::words("{\"ops\": []}"),
        }
    })?)
}

/// Returns memory once nothing is left to be learnt.
async fn memory(host: &Host, session_id: i64) -> Result<MemoryView> {
    while host.view(session_id).await?.n_learning > 0 {
        tokio::task::yield_now().await;
    }
    let request = SessionRequest { session_id };
    Ok(host.workbench.memory_list(request).await?)
}

impl Outcome {
    /// Decides as the person does, and notes what the draft and memory show.
    async fn decide(
        &mut self,
        host: &Host,
        session: i64,
        draft: &ProposalView,
        units: &[Unit],
    ) -> Result<()> {
        let place = draft.unit.checked_sub(1);
        let unit = place.and_then(|place| units.get(place));
        let unit = unit.context("a draft for no unit")?;
        let target = unit.target(|_| true);
        for habit in unit.habits() {
            let Some(learnt) = self.habits.get_mut(habit) else {
                continue;
            };
            learnt.n_seen += 1;
            if learnt.active_after.is_some() {
                learnt.n_drafts += 1;
                learnt.n_obeyed += usize::from(unit.keeps(habit, &draft.target));
            }
        }
        let n_characters = unit.source().chars().count().max(1);
        self.distances
            .push(number(distance(&draft.target, &target)) / number(n_characters));
        let decision = if draft.target == target {
            DecisionRequest::Approve {
                despite_issues: Some(true),
                bulk: None,
            }
        } else {
            DecisionRequest::Refine { target }
        };
        host.respond(session, &draft.call_id, decision).await?;
        self.items = memory(host, session).await?;
        for item in self.items.items.iter().filter(|item| item.is_sent) {
            match models::is_habit(&item.text).and_then(|habit| self.habits.get_mut(habit)) {
                Some(learnt) if learnt.active_after.is_none() => {
                    learnt.active_after = Some(learnt.n_seen);
                }
                Some(_) => {}
                None => self.n_wrong += usize::from(self.learner != Learner::Diff),
            }
        }
        Ok(())
    }

    /// Returns the last third's edit distance over the first one's: of each, the median over windows of ten units.
    fn fall(&self) -> f64 {
        let third = self.distances.len() / 3;
        let first = self.distances.get(..third).unwrap_or_default();
        self.last() / median(first).max(f64::EPSILON)
    }

    /// Returns the median of the last third.
    fn last(&self) -> f64 {
        let third = self.distances.len() / 3;
        let last = self.distances.len() - third;
        median(self.distances.get(last..).unwrap_or_default())
    }

    fn n_obeyed(&self) -> (usize, usize) {
        let sum = |of: &dyn Fn(&Learnt) -> usize| self.habits.iter().map(of).sum();
        (
            sum(&|learnt| learnt.n_obeyed),
            sum(&|learnt| learnt.n_drafts),
        )
    }

    /// Lists the goals that this run missed.
    fn missed(&self) -> Vec<String> {
        let mut missed = Vec::new();
        let mut hold = |is_met: bool, goal: &str| {
            if !is_met {
                missed.push(format!("{}: {goal}", self.learner.name()));
            }
        };
        let (n_obeyed, n_drafts) = self.n_obeyed();
        let is_learnt =
            |learnt: &Learnt, n: usize| learnt.active_after.is_some_and(|after| after <= n);
        hold(n_obeyed * 100 >= n_drafts * GOAL_OBEYED, "drafts obey");
        hold(self.n_wrong == 0, "nothing is sent that is no habit");
        match self.learner {
            Learner::Model => {
                let all = self
                    .habits
                    .iter()
                    .all(|learnt| is_learnt(learnt, GOAL_ACTIVE));
                hold(all, "every habit is active after two occurrences");
                hold(self.fall() <= GOAL_FALL, "edit distance falls");
                hold(self.items.items.len() <= GOAL_ITEMS, "the page stays short");
            }
            Learner::Hostile => {
                let all = self
                    .habits
                    .iter()
                    .all(|learnt| is_learnt(learnt, usize::MAX));
                hold(all, "every habit is active in the end");
                hold(self.items.items.len() <= GOAL_ITEMS, "the page stays short");
                hold(self.items.conflicts.is_empty(), "nothing is asked");
            }
            Learner::Diff => {
                let mut terms = self.habits.iter().take(3);
                let all = terms.all(|learnt| is_learnt(learnt, usize::MAX));
                hold(all, "every term is active in the end");
            }
            Learner::Nobody => hold(self.fall() >= GOAL_LEVEL, "without memory nothing falls"),
        }
        missed
    }
}

impl Learner {
    fn name(self) -> &'static str {
        match self {
            Self::Model => "memory model",
            Self::Hostile => "hostile answers",
            Self::Diff => "the diff alone",
            Self::Nobody => "no memory",
        }
    }
}

fn table(outcomes: &[Outcome], n_units: usize) -> Table {
    let mut table = Table::default();
    let mut row = |figure: &str, value: &dyn Fn(&Outcome) -> String| {
        table.row(figure, &outcomes.iter().map(value).collect::<Vec<_>>());
    };
    row(&format!("{n_units} units"), &|outcome| {
        outcome.learner.name().to_owned()
    });
    for (place, habit) in HABITS.iter().enumerate() {
        row(
            &format!("{}: active after, obeyed", habit.name),
            &|outcome| {
                let Some(Learnt {
                    active_after: Some(after),
                    n_drafts,
                    n_obeyed,
                    ..
                }) = outcome.habits.get(place)
                else {
                    return "never".to_owned();
                };
                format!("{after}, {n_obeyed}/{n_drafts}")
            },
        );
    }
    row("drafts that obey", &|outcome| {
        let (n_obeyed, n_drafts) = outcome.n_obeyed();
        format!("{} %", n_obeyed * 100 / n_drafts.max(1))
    });
    row("edit distance, last third over first", &|outcome| {
        format!("{:.2}", outcome.fall())
    });
    let alone = alone(outcomes);
    row("last third over that of no memory", &|outcome| {
        format!("{:.2}", outcome.last() / alone.max(f64::EPSILON))
    });
    row("tokens of memory, a unit", &|outcome| {
        outcome.n_memory_tokens.to_string()
    });
    row("items on the page", &|outcome| {
        outcome.items.items.len().to_string()
    });
    row("wrong items sent", &|outcome| outcome.n_wrong.to_string());
    row("questions open", &|outcome| {
        outcome.items.conflicts.len().to_string()
    });
    table
}

/// Returns the edit distance in the last third where nothing is learnt.
fn alone(outcomes: &[Outcome]) -> f64 {
    let nobody = outcomes
        .iter()
        .find(|outcome| outcome.learner == Learner::Nobody);
    nobody.map_or(0.0, Outcome::last)
}

/// Returns the median over windows of the mean in each.
fn median(distances: &[f64]) -> f64 {
    let mean = |window: &[f64]| window.iter().sum::<f64>() / number(window.len());
    let mut means: Vec<f64> = distances.chunks(WINDOW).map(mean).collect();
    means.sort_by(f64::total_cmp);
    means.get(means.len() / 2).copied().unwrap_or_default()
}

fn number(n: usize) -> f64 {
    f64::from(u32::try_from(n).unwrap_or(u32::MAX))
}

/// Counts the characters to put in, take out and exchange between two texts.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (place, from) in one.chars().enumerate() {
        let mut next = vec![place + 1];
        for (cell, to) in row.windows(2).zip(&other) {
            let [diagonal, above] = cell else { continue };
            let left = next.last().copied().unwrap_or_default();
            let exchanged = diagonal + usize::from(from != *to);
            next.push(exchanged.min(above + 1).min(left + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted_in_characters() {
        for (one, other, expected) in [
            ("", "", 0),
            ("Öl", "Öl", 0),
            ("Öl", "Ol", 1),
            ("abc", "", 3),
        ] {
            assert_eq!(distance(one, other), expected, "{one} {other}");
        }
    }
}
