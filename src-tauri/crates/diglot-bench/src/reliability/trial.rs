//! One person, one document, and somebody else who changes files meanwhile. Owns the world of it, what the person confirmed,
//! what the other one left, and what must be there of both; what happens in which order stands elsewhere.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::place::Place;
use super::served::{Answer, NoAnswer, Served};

/// The document.
pub(super) const NAME: &str = "guide.md";
/// What it holds at first: sentences that no other holds.
const TEXT: &str =
    "# Pump\n\nOpen the valve.\n\nFill the tank.\n\nClose the lid.\n\nRead the gauge.\n";
/// Stands in what lies outside and must stay as it is.
const CANARY: &str = "canary";
/// Longest wait for what is done in the background, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);
/// Pause between two looks at it.
const PAUSE: Duration = Duration::from_millis(20);
/// Refusals of one decision in a row before something is wrong.
const TRIES: usize = 8;

/// Makes the command that runs the program on a data folder.
pub(super) type Start<'a> = dyn Fn(&Place) -> Command + Sync + 'a;

/// Holds a world with a person at work in it.
pub(super) struct Trial<'a> {
    pub(super) place: Place,
    start: &'a Start<'a>,
    /// Whether the program notices changes by itself.
    is_watched: bool,
    served: Option<Served>,
    session: Value,
    /// The source as whoever changed it last left it.
    source: String,
    /// Sources and targets of the units that the person confirmed.
    confirmed: Vec<(String, String)>,
    /// What somebody else put among the targets.
    foreign: Vec<String>,
    /// Changes that the person was told of before anything was written.
    n_seen: usize,
}

impl<'a> Trial<'a> {
    /// Opens a project in a process; there is no session yet.
    pub(super) fn new(
        place: Place,
        start: &'a Start<'a>,
        model: &str,
        is_watched: bool,
    ) -> Result<Self> {
        fs::write(place.project().join(NAME), TEXT)?;
        fs::create_dir(place.beside("outside"))?;
        fs::write(place.beside("outside/secret.md"), CANARY)?;
        let mut trial = Self {
            served: Some(Served::run(start(&place))?),
            place,
            start,
            is_watched,
            session: Value::Null,
            source: TEXT.to_owned(),
            confirmed: Vec::new(),
            foreign: Vec::new(),
            n_seen: 0,
        };
        let settings = json!({
            "providers": [{"id": "p", "name": "P", "baseUrl": model, "model": "test-model"}],
            "translator": "p",
        });
        trial.call("settings_update", &json!({ "settings": settings }))?;
        trial.open_project()?;
        Ok(trial)
    }

    fn open_project(&mut self) -> Result<Value> {
        let path = self.place.project();
        self.call("project_open", &json!({ "path": path }))
    }

    /// Begins the session, or goes on with it.
    pub(super) fn open_session(&mut self) -> Result<()> {
        let project = self.open_project()?;
        let args = json!({
            "projectId": project.get("id"),
            "sourceLanguage": "en",
            "targetLanguage": "de",
        });
        let view = self.call("session_create", &args)?;
        self.session = view.pointer("/session/id").cloned().context("no session")?;
        Ok(())
    }

    pub(super) fn close(&mut self) -> Result<()> {
        if let Some(served) = self.served.take() {
            ensure!(served.end()?.success(), "it did not end well");
        }
        Ok(())
    }

    pub(super) fn start_again(&mut self) -> Result<()> {
        self.served = Some(Served::run((self.start)(&self.place))?);
        self.open_session()
    }

    fn ask(&mut self, command: &str, args: &Value) -> Result<Answer> {
        let served = self.served.as_mut().context("the program is closed")?;
        served.call(command, args)
    }

    fn call(&mut self, command: &str, args: &Value) -> Result<Value> {
        Ok(self.ask(command, args)??)
    }

    pub(super) fn target(&self) -> PathBuf {
        self.place.targets().join(NAME)
    }

    fn source_path(&self) -> PathBuf {
        self.place.project().join(NAME)
    }

    // What the person does.

    /// Lets the agent work until there is a draft.
    pub(super) fn draft(&mut self) -> Result<Value> {
        let view = self.call("session_run", &json!({ "sessionId": self.session }))?;
        let first = view.pointer("/requests/0").cloned();
        first.context("there is no draft")
    }

    /// Approves a draft; false when the person was told that the file is another now.
    pub(super) fn approve(&mut self, draft: &Value) -> Result<bool> {
        let decision = json!({ "kind": "approve", "despiteIssues": true });
        let args = json!({
            "sessionId": self.session,
            "callId": draft.get("callId"),
            "decision": decision,
        });
        let answer = self.ask("session_respond", &args)?;
        let text = |name| draft.get(name).and_then(Value::as_str).map(str::to_owned);
        let (source, target) = text("source").zip(text("target")).context("a bad draft")?;
        self.take(answer, source, target)
    }

    fn take(&mut self, answer: Answer, source: String, target: String) -> Result<bool> {
        match answer {
            Ok(_) => {
                self.confirmed.retain(|(known, _)| *known != source);
                self.confirmed.push((source, target));
                Ok(true)
            }
            Err(NoAnswer::Refused { code, .. })
                if ["sourceChanged", "sourceUnreadable", "notPending"].contains(&&*code) =>
            {
                self.n_seen += 1;
                Ok(false)
            }
            Err(answer) => bail!("a decision: {answer}"),
        }
    }

    /// Confirms the next unit, however often the files change meanwhile.
    pub(super) fn confirm(&mut self) -> Result<()> {
        for _ in 0..TRIES {
            let draft = self.draft()?;
            if self.approve(&draft)? {
                return Ok(());
            }
        }
        bail!("no draft can be approved")
    }

    /// Changes the target of a unit that was confirmed, where the document shows it; false as for a draft.
    pub(super) fn revise(&mut self, source: &str, target: &str) -> Result<bool> {
        let units = self.shown()?;
        let is_it = |unit: &&Value| unit.get("source").and_then(Value::as_str) == Some(source);
        let unit = units.iter().find(is_it).and_then(|unit| unit.get("unit"));
        let args = json!({
            "sessionId": self.session,
            "path": NAME,
            "unit": unit.context("a unit is not shown")?,
            "target": target,
        });
        let answer = self.ask("unit_revise", &args)?;
        self.take(answer, source.to_owned(), target.to_owned())
    }

    /// Says what becomes of the target that somebody else has changed.
    pub(super) fn choose(&mut self, choice: &str) -> Result<()> {
        let args = json!({ "sessionId": self.session, "path": NAME, "choice": choice });
        self.call("target_resolve", &args).map(drop)
    }

    // What somebody else does.

    /// Takes note of another source, which was put there already; with watching, it is soon shown.
    pub(super) fn source_is(&mut self, text: &str) -> Result<()> {
        text.clone_into(&mut self.source);
        if !self.is_watched || self.session.is_null() {
            return Ok(());
        }
        let last = text.lines().last().unwrap_or_default().to_owned();
        self.wait("the watched change", |trial| {
            let is_it = |unit: &Value| unit.get("source").and_then(Value::as_str) == Some(&last);
            Ok(trial.shown()?.iter().any(is_it))
        })
    }

    /// Writes over the source.
    pub(super) fn edit_source(&mut self, text: &str) -> Result<()> {
        fs::write(self.source_path(), text)?;
        self.source_is(text)
    }

    /// Puts a file among the targets.
    pub(super) fn put(&mut self, name: &str, text: &str) -> Result<()> {
        fs::create_dir_all(self.place.targets())?;
        fs::write(self.place.targets().join(name), text)?;
        self.foreign.push(text.to_owned());
        Ok(())
    }

    /// Takes note of what was put among the targets in another way.
    pub(super) fn leaves(&mut self, text: &str) {
        self.foreign.push(text.to_owned());
    }

    // What must be.

    /// Returns the source as it was at first, with something before and after it.
    pub(super) fn text(before: &str, after: &str) -> String {
        format!("{before}{TEXT}{after}")
    }

    /// Waits until the person is told of a problem with the target, and looks that nothing was written over.
    pub(super) fn told(&mut self) -> Result<()> {
        self.wait("a word about the target", |trial| {
            let args = json!({ "sessionId": trial.session });
            let view = trial.call("session_view", &args)?;
            Ok(view.pointer("/targetProblems/0").is_some())
        })?;
        self.n_seen += 1;
        self.intact()
    }

    /// Waits until a target holds the source as it is now, with all that was confirmed.
    pub(super) fn target_at(&mut self, name: &str) -> Result<()> {
        let mut expected = self.source.clone();
        for (source, target) in &self.confirmed {
            ensure!(expected.contains(source), "the trial lost {source:?}");
            expected = expected.replacen(source, target, 1);
        }
        let path = self.place.targets().join(name);
        let is_there = |_: &mut Self| Ok(fs::read_to_string(&path).is_ok_and(|it| it == expected));
        let waited = self.wait("the target", is_there);
        waited.with_context(|| {
            let found = fs::read_to_string(&path);
            format!("the target is {found:?}, not {expected:?}")
        })
    }

    /// Waits until the target is right where it belongs.
    pub(super) fn target_is_right(&mut self) -> Result<()> {
        self.target_at(NAME)
    }

    fn wait(&mut self, what: &str, mut is_so: impl FnMut(&mut Self) -> Result<bool>) -> Result<()> {
        let begun = Instant::now();
        while !is_so(self)? {
            if begun.elapsed() > PATIENCE {
                bail!("{what} does not come");
            }
            thread::sleep(PAUSE);
        }
        Ok(())
    }

    fn shown(&mut self) -> Result<Vec<Value>> {
        let args = json!({ "sessionId": self.session, "path": NAME, "limit": 1000 });
        let document = self.call("document_view", &args)?;
        let units = document.get("units").and_then(Value::as_array).cloned();
        units.context("a document without units")
    }

    /// Looks that everything is there that somebody else left: the source, files among the targets, the outside.
    fn intact(&self) -> Result<()> {
        let source = fs::read_to_string(self.source_path())?;
        ensure!(source == self.source, "the source is {source:?}");
        let targets = self.place.targets();
        let files = if targets.is_dir() {
            fs::read_dir(&targets)?
                .map(|entry| Ok(entry?.path()))
                .collect::<Result<Vec<_>>>()?
        } else {
            vec![targets]
        };
        let found: Vec<String> = files
            .iter()
            .filter_map(|path| fs::read_to_string(path).ok())
            .collect();
        for text in &self.foreign {
            ensure!(
                found.contains(text),
                "{text:?} is gone, {files:?} are there"
            );
        }
        let outside: Vec<_> = fs::read_dir(self.place.beside("outside"))?.collect();
        let canary = fs::read_to_string(self.place.beside("outside/secret.md"))?;
        ensure!(
            outside.len() == 1 && canary == CANARY,
            "the outside is another"
        );
        Ok(())
    }

    /// Looks at the end that nothing of anybody's work is lost; returns of how many changes the person was told.
    pub(super) fn end(mut self) -> Result<usize> {
        let units = self.shown()?;
        for (source, target) in &self.confirmed {
            let text = |unit: &Value, name| unit.get(name).and_then(Value::as_str) == Some(target);
            let is_shown = |unit: &Value| {
                let state = unit.get("state").and_then(Value::as_str);
                text(unit, "target") && matches!(state, Some("approved" | "refined"))
            };
            ensure!(
                units.iter().any(is_shown),
                "{source:?} is not confirmed any more"
            );
        }
        self.close()?;
        self.intact()?;
        let left = self.place.leftovers();
        ensure!(left.is_empty(), "{left:?} is left over");
        Ok(self.n_seen)
    }
}
