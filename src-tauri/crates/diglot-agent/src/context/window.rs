//! The window of the conversation that the model is sent: where it begins, and what the model was told in it.

use std::sync::Arc;

use diglot_document::TermStatus;

use super::findings::KnownTerms;
use super::{Context, Window};
use crate::entry::{Chunk, Entry, Lesson};
use crate::limits;
use crate::memory::{CheckedRule, Form, Term};
use crate::message::Message;
use crate::terms::TermEntry;

impl Context {
    pub(super) fn on_lesson(&mut self, lesson: &Lesson) {
        self.on_notes(&lesson.units);
        let Some(window) = &mut self.window else {
            return;
        };
        window
            .told
            .retain(|_, told| !lesson.withdrawn.contains(&told.text));
        for item in &lesson.items {
            window.told.insert(item.id.0, item.into());
            window.n_bytes += item.text.len();
        }
        window.learn_terms(&lesson.terms, &lesson.ended_terms);
        window.index_rules();
        window.waived.extend(lesson.waived.iter().cloned());
    }

    pub(super) fn on_chunk(&mut self, chunk: &Chunk) {
        self.drop_raw_messages();
        self.wanted = None;
        self.reopens = false;
        self.on_new_window();
        let told = chunk
            .memory
            .iter()
            .map(|item| (item.id.0, item.into()))
            .collect();
        let mut window = Window {
            chunk: Arc::new(chunk.clone()),
            start: self.log.len() + 1,
            n_bytes: 0,
            n_confirmed: 0,
            told,
            guides: Vec::new(),
            terms: chunk.terms.clone(),
            waived: chunk.waived.iter().cloned().collect(),
            rules: [].into(),
            known: Arc::default(),
        };
        window.index_rules();
        self.window = Some(window);
        let n_told = self.said.len().saturating_sub(limits::REPEATED_MESSAGES);
        self.said.drain(..n_told);
        self.let_go(self.log.len().saturating_sub(limits::HELD_ENTRIES));
    }

    /// Gives up the providers' own messages of the window that ends: they are replayed inside it alone, and the store
    /// keeps them.
    fn drop_raw_messages(&mut self) {
        let start = self.window.as_ref().map_or(0, |window| window.start);
        for entry in self.log.since_mut(start) {
            if let Entry::Message(Message::Assistant { raw: Some(_), .. }) = entry.as_ref()
                && let Entry::Message(Message::Assistant { raw, .. }) = Arc::make_mut(entry)
            {
                *raw = None;
            }
        }
    }
}

impl Window {
    /// Keeps the rules true after what the model was told changed.
    pub(super) fn index_rules(&mut self) {
        let wanted = |term: &&TermEntry| term.status == TermStatus::Preferred;
        let terms = self.terms.iter().filter(wanted);
        let of_term = |term: &TermEntry| CheckedRule {
            id: None,
            form: Form::Term(Term {
                source: term.source.clone(),
                target: term.target.clone(),
            }),
        };
        let told = self.told.values().filter_map(|told| told.rule.clone());
        self.rules = told.chain(terms.map(of_term)).collect();
        let told = self.told.values();
        self.known = Arc::new(KnownTerms {
            memory: told.filter_map(|told| told.term.clone()).collect(),
            terms: self.terms.clone(),
        });
    }
}
