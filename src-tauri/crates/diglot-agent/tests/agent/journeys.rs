//! Journeys: what happens in a session, from a log to the next step, each compared whole with what is kept
//! beside the tests.

use diglot_agent::SessionSettings;

use crate::acts::{Act, agent, read, unit};
use crate::folder::Folder;
use crate::session::{Session, settings};
use crate::trace::trace;

mod bounds;
mod review;
mod undo;
mod work;

/// Holds one journey.
pub(crate) struct Journey {
    pub(crate) name: &'static str,
    files: Vec<(&'static str, String)>,
    settings: SessionSettings,
    lessons: Option<Vec<&'static str>>,
    acts: Vec<Act>,
}

impl Journey {
    fn new(name: &'static str, file: (&'static str, &str), acts: Vec<Act>) -> Self {
        Self {
            name,
            files: vec![(file.0, paragraphs(file.1))],
            settings: settings(),
            lessons: None,
            acts,
        }
    }

    fn file(mut self, path: &'static str, text: &str) -> Self {
        self.files.push((path, paragraphs(text)));
        self
    }

    fn set(mut self, set: impl FnOnce(&mut SessionSettings)) -> Self {
        set(&mut self.settings);
        self
    }

    fn lessons(mut self, lessons: &[&'static str]) -> Self {
        self.lessons = Some(lessons.to_vec());
        self
    }

    /// Runs it to its end and tells what happened.
    pub(crate) fn run(self) -> (Session, String) {
        let files: Vec<(&str, &str)> = self
            .files
            .iter()
            .map(|(path, text)| (*path, text.as_str()))
            .collect();
        let mut session = Session::new(Folder::of(&files), self.settings);
        let lessons = self.lessons.map(|lessons| {
            let answers = lessons.into_iter().map(diglot_testkit::words);
            answers.collect()
        });
        session.lessons = lessons;
        let text = trace(&mut session, self.acts);
        (session, text)
    }
}

/// Makes a document of the pieces between bars.
fn paragraphs(text: &str) -> String {
    format!("{}\n", text.replace('|', "\n\n"))
}

/// Four units: one with a placeable, two alike.
const SHORT: &str = "Open the menu.|Run `make` now.|Close the menu.|Wait for me.";

fn begin() -> Vec<Act> {
    vec![
        Act::Say("Translate this into German."),
        agent(&[read("a.txt")]),
    ]
}

fn after_reading(acts: impl IntoIterator<Item = Act>) -> Vec<Act> {
    begin().into_iter().chain(acts).collect()
}

fn four() -> Act {
    agent(&[
        unit("a.txt", 1, "Das Menü öffnen."),
        unit("a.txt", 2, "Jetzt `make` ausführen."),
        unit("a.txt", 3, "Das Menü schließen."),
        unit("a.txt", 4, "Auf mich warten."),
    ])
}

/// Every journey; names are those of the kept traces.
pub(crate) fn all() -> Vec<Journey> {
    [
        work::work(),
        work::folders(),
        bounds::refusals(),
        bounds::arguments(),
        bounds::limits(),
        review::decisions(),
        review::set_aside(),
        review::sources(),
        review::lessons(),
        undo::undo(),
        undo::undo_of_more(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn journeys_end_as_kept() {
    for journey in all() {
        let name = journey.name;
        let (_, trace) = journey.run();
        insta::assert_snapshot!(name, trace);
    }
}
