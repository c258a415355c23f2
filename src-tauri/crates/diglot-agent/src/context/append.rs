//! The fold: what each entry does to the context.

use std::collections::BTreeMap;
use std::sync::Arc;

use diglot_document::{Document, Origin, ParseOptions, Twin, UnitState, align};

use super::{CallState, Context, ContextError, DocumentState, Guard, Rejected, Standing, Unit};
use crate::copilot::{CopilotResponse, Decision, DecisionMode};
use crate::entry::{Entry, Extraction, Revision, Seq, SourceRead, UnitRef};
use crate::message::{CallId, Message, ToolCall, ToolDetail, ToolResult};
use crate::tools::ToolName;
use crate::workspace::{ProjectPath, SourceHash};

impl Context {
    /// Appends entries in order.
    ///
    /// # Errors
    /// The first entry that does not fit; it and what follows are not appended, what stood before is.
    pub fn append_all(
        &mut self,
        entries: impl IntoIterator<Item = Entry>,
    ) -> Result<(), ContextError> {
        entries.into_iter().try_for_each(|entry| self.append(entry))
    }

    /// Appends one entry.
    ///
    /// # Errors
    /// When the entry breaks an invariant of the log; nothing is changed then.
    pub fn append(&mut self, entry: Entry) -> Result<(), ContextError> {
        let seq = Seq(self.seq().0 + 1);
        let entry = Arc::new(entry);
        match entry.as_ref() {
            Entry::Message(Message::User { .. } | Message::Assistant { .. }) | Entry::Chunk(_)
                if !self.open_calls.is_empty() =>
            {
                return Err(ContextError::CallsOpen);
            }
            Entry::Message(Message::User { text }) => self.on_user(text),
            Entry::Message(Message::Assistant {
                text,
                tool_calls,
                usage,
                asked,
                ..
            }) => {
                self.usage = self.usage.plus(*usage);
                let anew = asked.as_deref().cloned().map(Arc::new);
                self.asked.extend(anew.map(|asked| (seq, asked)));
                self.grow(text.len());
                self.guard.n_steps += 1;
                self.model_has_turn = false;
                self.end_bulk();
                self.on_calls(seq, tool_calls);
            }
            Entry::Message(Message::Tool(result)) => self.on_result(result)?,
            Entry::SourceRead(read) => self.on_source(seq, read)?,
            Entry::Response(response) => self.on_response(seq, &entry, response)?,
            Entry::Revision(revision) => self.on_revision(seq, &entry, revision)?,
            Entry::Skip(unit) => self.on_skip(seq, &entry, unit)?,
            Entry::Extraction(extraction) => self.on_extraction(extraction),
            Entry::Lesson(lesson) => self.on_lesson(lesson),
            Entry::Chunk(chunk) => self.on_chunk(chunk),
            Entry::Undo(reversal) => self.on_undo(reversal)?,
            Entry::Redo(reversal) => self.on_redo(reversal)?,
        }
        self.log.push(entry);
        Ok(())
    }

    fn on_user(&mut self, text: &str) {
        self.said.push((self.log.len(), text.to_owned()));
        self.model_has_turn = true;
        self.guard = Guard::default();
        self.grow(text.len());
        self.end_bulk();
        self.close_reopened(None);
        self.take_up_again();
    }

    /// Opens what was set aside when nothing else is left and the person lets the agent go on.
    fn take_up_again(&mut self) {
        let has_other_work = self.documents.values().any(|doc| doc.next_open().is_some())
            || self.unread().next().is_some();
        if has_other_work {
            return;
        }
        let aside: Vec<(ProjectPath, usize)> = self
            .documents
            .iter()
            .flat_map(|(path, doc)| doc.aside.iter().map(|ordinal| (path.clone(), *ordinal)))
            .collect();
        for (path, ordinal) in aside {
            self.change(&path, ordinal, |unit| unit.skipped = false);
        }
    }

    fn grow(&mut self, n_bytes: usize) {
        if let Some(window) = &mut self.window {
            window.n_bytes += n_bytes;
        }
    }

    fn on_calls(&mut self, seq: Seq, calls: &[ToolCall]) {
        let (mut n_drafts, mut n_refused) = (0, 0);
        let window = self.window.as_ref();
        let rules = window.map_or_else(|| [].into(), |window| Arc::clone(&window.rules));
        for call in calls {
            let fingerprint = fingerprint(call);
            self.grow(fingerprint.len());
            let count = self.guard.calls.entry(fingerprint).or_default();
            *count += 1;
            self.guard.most_repeated = self.guard.most_repeated.max(*count);
            let resolution =
                (ToolName::of(&call.name) == Some(ToolName::Translate)).then(|| self.resolve(call));
            match &resolution {
                Some(super::Resolution::Draft(_)) => n_drafts += 1,
                Some(super::Resolution::Refused { .. }) => n_refused += 1,
                None => {}
            }
            self.open_calls.push(call.id.clone());
            let state = CallState {
                call: call.clone(),
                seq,
                resolution,
                response: None,
                done: false,
                rules: Arc::clone(&rules),
                standing: Standing::default(),
                is_undoable: false,
            };
            self.calls.insert(call.id.clone(), state);
        }
        if n_drafts > 0 {
            self.guard.n_refused_turns = 0;
        } else if n_refused > 0 {
            self.guard.n_refused_turns += 1;
        }
    }

    fn on_result(&mut self, result: &ToolResult) -> Result<(), ContextError> {
        let place = self
            .open_calls
            .iter()
            .position(|id| *id == result.call_id)
            .ok_or_else(|| ContextError::NoOpenCall(result.call_id.clone()))?;
        self.open_calls.remove(place);
        self.model_has_turn = true;
        self.on_content(result);
        self.withdraw(&result.call_id);
        if let Some(state) = self.calls.get_mut(&result.call_id) {
            state.done = true;
        }
        match &result.detail {
            ToolDetail::Listing { folders, entries } => {
                for folder in folders {
                    self.listed.add_folder(folder);
                }
                for entry in entries {
                    let is_read = self.documents.contains_key(&entry.path);
                    self.listed.add(entry, is_read);
                }
            }
            ToolDetail::Page {
                path,
                from_unit,
                to_unit,
            } if from_unit <= to_unit => {
                self.on_page(path);
            }
            ToolDetail::Page { .. }
            | ToolDetail::Guide { .. }
            | ToolDetail::Decided { .. }
            | ToolDetail::Answered
            | ToolDetail::SetAside
            | ToolDetail::SourceChanged { .. }
            | ToolDetail::Refused { .. } => {}
        }
        // A round of tools counts as one step, when its last call is answered without a person.
        let by_person = self
            .calls
            .get(&result.call_id)
            .is_some_and(|call| call.response.is_some());
        if self.open_calls.is_empty() && !by_person {
            self.guard.n_steps += 1;
        }
        Ok(())
    }

    /// Counts what a result adds to the window. Pages of guides have a bound of their own.
    fn on_content(&mut self, result: &ToolResult) {
        let ToolDetail::Guide { hash, page, .. } = &result.detail else {
            self.grow(result.content.len());
            return;
        };
        let given = (hash.clone(), *page);
        if let Some(window) = &mut self.window
            && !window.guides.contains(&given)
        {
            window.guides.push(given);
        }
    }

    /// The first document of which a page is given becomes the next chunk, unless it is at hand already.
    fn on_page(&mut self, path: &ProjectPath) {
        let has_open = self
            .documents
            .get(path)
            .is_some_and(|doc| doc.next_open().is_some());
        let at_hand = self
            .window
            .as_ref()
            .is_some_and(|window| window.chunk.path.as_ref() == Some(path));
        if self.wanted.is_none() && has_open && !at_hand {
            self.wanted = Some(path.clone());
        }
    }

    /// Takes an undecided draft back when its call ends without a decision.
    fn withdraw(&mut self, id: &CallId) {
        let Some(draft) = self.draft(id) else { return };
        let (path, ordinal) = (draft.path.clone(), draft.ordinal);
        self.change(&path, ordinal, |unit| {
            if unit.proposal.as_ref() == Some(id) {
                unit.withdraw_proposal();
            }
        });
    }

    /// Changes a unit and keeps counts and sets true.
    pub(super) fn change(
        &mut self,
        path: &ProjectPath,
        ordinal: usize,
        change: impl FnOnce(&mut Unit),
    ) {
        let Some(document) = self.documents.get_mut(path) else {
            return;
        };
        let Some(unit) = document.units.get_mut(ordinal) else {
            return;
        };
        let before = unit.state.is_confirmed();
        change(unit);
        let after = unit.state.is_confirmed();
        if after && !before {
            document.n_confirmed += 1;
            self.n_confirmed += 1;
        } else if before && !after {
            document.n_confirmed -= 1;
            self.n_confirmed -= 1;
        }
        document.index(ordinal);
        self.touched.insert((path.clone(), ordinal));
        self.index_document(path);
    }

    /// Keeps the set of unfinished documents true.
    fn index_document(&mut self, path: &ProjectPath) {
        let Some(document) = self.documents.get(path) else {
            return;
        };
        if document.next_open().is_some() {
            self.unfinished.insert(document.place);
        } else {
            self.unfinished.remove(&document.place);
        }
    }

    fn on_source(&mut self, seq: Seq, read: &SourceRead) -> Result<(), ContextError> {
        let bytes = self
            .source_bytes(&read.hash)
            .ok_or_else(|| ContextError::SourceMissing {
                path: read.path.clone(),
                hash: read.hash.clone(),
            })?;
        let drafts_wait = self.open_calls.iter().any(|id| {
            self.is_waiting(id) && self.draft(id).is_some_and(|draft| draft.path == read.path)
        });
        if drafts_wait {
            return Err(ContextError::DraftsWait(read.path.clone()));
        }
        let options = ParseOptions {
            rules: read.rules.clone(),
            ..self.settings.parse_options(read.encoding.as_deref())
        };
        let document = match self.parsed.take() {
            Some(parsed) if parsed.is_of(&read.path, &read.hash, &options) => parsed.document,
            Some(_) | None => Document::open(read.path.as_str(), &bytes, &options)
                .map(Arc::new)
                .map_err(|_| ContextError::NotADocument(read.path.clone()))?,
        };
        let place = self
            .documents
            .get(&read.path)
            .map_or(self.read_order.len(), |old| old.place);
        let new = DocumentState::new(read.clone(), document, place);
        self.close_reopened(Some(&read.path));
        // The bytes live on in the document.
        self.sources.remove(&read.hash);
        self.n_units += new.units.len() as u64;
        match self.documents.insert(read.path.clone(), new) {
            None => {
                self.read_order.push(read.path.clone());
                self.listed.mark_read(&read.path);
            }
            Some(old) => {
                self.rereads.insert(seq);
                self.n_units -= old.units.len() as u64;
                self.n_confirmed -= old.n_confirmed as u64;
                self.carry_over(&read.path, &old);
            }
        }
        self.index_document(&read.path);
        Ok(())
    }

    /// Finds the bytes of a source text; a document with the same bytes may have taken them already.
    fn source_bytes(&self, hash: &SourceHash) -> Option<Arc<[u8]>> {
        let given = self.sources.get(hash).map(|source| &source.bytes);
        let mut documents = self.documents.values();
        given
            .or_else(|| {
                let twin = documents.find(|document| document.read.hash == *hash)?;
                Some(&twin.document.bytes)
            })
            .cloned()
    }

    /// Keeps what is known of units whose text is still there (SPEC 10.18).
    fn carry_over(&mut self, path: &ProjectPath, old: &DocumentState) {
        let Some(new) = self.documents.get(path) else {
            return;
        };
        let twins = align(old.segments(), new.segments());
        for ordinal in 0..twins.len().max(old.units.len()) {
            self.touched.insert((path.clone(), ordinal));
        }
        let mut places = BTreeMap::new();
        for (ordinal, twin) in twins.into_iter().enumerate() {
            let (twin, is_changed) = match twin {
                Some(Twin::Same(twin) | Twin::Moved(twin)) => (twin, false),
                Some(Twin::Changed(twin)) => (twin, true),
                None => continue,
            };
            let Some(unit) = old.units.get(twin).cloned() else {
                continue;
            };
            if is_changed {
                let former = old.former(twin);
                self.change(path, ordinal, |slot| slot.former = former);
                continue;
            }
            places.insert(twin, ordinal);
            let was_never = old.never.contains(&twin);
            self.change(path, ordinal, |slot| {
                *slot = Unit {
                    proposal: None,
                    ..unit
                }
            });
            if !was_never && let Some(document) = self.documents.get_mut(path) {
                document.never.remove(&ordinal);
            }
        }
        self.move_doings(path, &places);
        // The source block of the chunk shows text that is gone: begin a new one.
        if self
            .window
            .as_ref()
            .is_some_and(|window| window.chunk.path.as_ref() == Some(path))
        {
            self.wanted = Some(path.clone());
        }
    }

    fn on_response(
        &mut self,
        seq: Seq,
        entry: &Arc<Entry>,
        response: &CopilotResponse,
    ) -> Result<(), ContextError> {
        let id = &response.call_id;
        if !self.is_waiting(id) {
            return Err(ContextError::NoOpenCall(id.clone()));
        }
        self.guard = Guard::default();
        let is_reopened = self.calls.get(id).is_some_and(|state| state.done);
        if let Some(draft) = self.draft(id).cloned() {
            self.record(seq, entry, (&draft.path, draft.ordinal), response.mode);
            self.decide(&draft, response);
            if is_reopened {
                self.on_decided_again(response, &draft);
            }
            // What a person typed where there was no draft corrects nothing.
            if response.decision.teaches() && !draft.target.is_empty() {
                self.last_correction = seq;
                if response.mode == DecisionMode::Single {
                    self.extractions.push_back(id.clone());
                }
            }
        } else if let Some(text) = self.answered(response) {
            self.said.push((self.log.len(), text));
        }
        if let Some(state) = self.calls.get_mut(id) {
            state.response = Some(response.clone());
            state.is_undoable = state.resolution.is_some();
        }
        Ok(())
    }

    fn decide(&mut self, draft: &super::Draft, response: &CopilotResponse) {
        let (path, ordinal, mode) = (&draft.path, draft.ordinal, response.mode);
        match &response.decision {
            Decision::Approve => {
                self.confirm(
                    path,
                    ordinal,
                    UnitState::Approved,
                    &draft.target,
                    draft.origin,
                    mode,
                );
            }
            Decision::Refine { target } => {
                self.confirm(
                    path,
                    ordinal,
                    UnitState::Refined,
                    target,
                    draft.origin,
                    mode,
                );
            }
            Decision::Reject(rejection) => self.change(path, ordinal, |unit| {
                unit.state = UnitState::Rejected;
                unit.proposal = None;
                unit.rejected = Some(Arc::new(Rejected {
                    draft: draft.target.clone(),
                    rejection: rejection.clone(),
                }));
            }),
            Decision::Answer { .. } | Decision::Cancel => self.change(path, ordinal, |unit| {
                unit.state = UnitState::Open;
                unit.proposal = None;
                unit.skipped = true;
            }),
        }
    }

    fn confirm(
        &mut self,
        path: &ProjectPath,
        ordinal: usize,
        state: UnitState,
        target: &str,
        origin: Origin,
        mode: DecisionMode,
    ) {
        let target: Arc<str> = target.into();
        if let Some(segment) = self.segment(path, ordinal) {
            let source = Arc::from(segment.source.as_str());
            self.repeats.insert(source, Arc::clone(&target));
        }
        self.guard = Guard::default();
        self.confirmed_now.insert((path.clone(), ordinal));
        let n_before = self.n_confirmed;
        self.change(path, ordinal, |unit| {
            unit.state = state;
            unit.target = Some(target);
            unit.origin = origin;
            unit.mode = mode;
            unit.proposal = None;
            unit.skipped = false;
            unit.rejected = None;
        });
        if let Some(window) = &mut self.window {
            window.n_confirmed += (self.n_confirmed - n_before) as usize;
        }
    }

    fn on_revision(
        &mut self,
        seq: Seq,
        entry: &Arc<Entry>,
        revision: &Revision,
    ) -> Result<(), ContextError> {
        let (path, ordinal) = self.place(&revision.unit)?;
        let unit = self
            .documents
            .get(&path)
            .and_then(|doc| doc.units.get(ordinal));
        let Some(unit) = unit else {
            return Err(ContextError::NoSuchUnit(revision.unit.clone()));
        };
        if unit.proposal.is_some() {
            return Err(ContextError::DraftsWait(path));
        }
        let (was_confirmed, origin) = (unit.state.is_confirmed(), unit.origin);
        self.record(seq, entry, (&path, ordinal), DecisionMode::Single);
        let origin = if was_confirmed { origin } else { Origin::Hand };
        let target = revision.target.clone();
        self.confirm(
            &path,
            ordinal,
            UnitState::Refined,
            &target,
            origin,
            DecisionMode::Single,
        );
        self.change(&path, ordinal, |unit| unit.revised = was_confirmed);
        Ok(())
    }

    fn on_skip(
        &mut self,
        seq: Seq,
        entry: &Arc<Entry>,
        unit: &UnitRef,
    ) -> Result<(), ContextError> {
        let (path, ordinal) = self.place(unit)?;
        let is_proposed = |unit: &Unit| unit.proposal.is_some();
        let document = self.documents.get(&path);
        if document
            .and_then(|document| document.units.get(ordinal))
            .is_some_and(is_proposed)
        {
            return Err(ContextError::DraftsWait(path));
        }
        self.guard = Guard::default();
        self.record(seq, entry, (&path, ordinal), DecisionMode::Single);
        self.change(&path, ordinal, |unit| {
            unit.skipped = !unit.state.is_confirmed();
        });
        Ok(())
    }

    fn place(&self, unit: &UnitRef) -> Result<(ProjectPath, usize), ContextError> {
        let missing = || ContextError::NoSuchUnit(unit.clone());
        let ordinal = unit.unit.checked_sub(1).ok_or_else(missing)?;
        self.segment(&unit.path, ordinal).ok_or_else(missing)?;
        Ok((unit.path.clone(), ordinal))
    }

    fn on_extraction(&mut self, extraction: &Extraction) {
        let id = &extraction.call_id;
        let n_tries = self.n_tries(id);
        self.forget_lesson(id);
        if extraction.again {
            self.postponed.push_back((id.clone(), n_tries + 1));
        }
        self.retire(&extraction.call_id);
    }
}

/// Tells calls that ask for the same thing; names in any case, object keys in any order, whatever blanks stand
/// where, a number as a text or as itself.
fn fingerprint(call: &ToolCall) -> String {
    let name = call.name.to_lowercase();
    match &call.arguments {
        crate::message::ToolArguments::Parsed(value) => format!("{name} {}", sorted(value)),
        crate::message::ToolArguments::Malformed(text) => {
            format!("{name} {}", text.split_whitespace().collect::<String>())
        }
    }
}

fn sorted(value: &serde_json::Value) -> String {
    if let Some(text) = value.as_str() {
        return text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    let serde_json::Value::Object(map) = value else {
        return value.to_string();
    };
    let mut fields: Vec<String> = map
        .iter()
        .map(|(key, value)| format!("{key:?}:{:?}", sorted(value)))
        .collect();
    fields.sort_unstable();
    format!("{{{}}}", fields.join(","))
}
