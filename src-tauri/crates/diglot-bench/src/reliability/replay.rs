//! A recording played to a disk that loses what was not synced: at every point, what power cuts may leave is held against
//! what was answered by then. Owns which states are looked at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::Value;

use super::disk::{Cut, Disk, State};
use super::job::Command;
use super::judge::{self, Kept};
use super::place::{DATA, DATABASE, ENDINGS, Scratch, TARGETS};
use super::recording::Recording;
use super::strace::{Call, Moment};
use super::trust::{Doubt, Trust};
use crate::fuzz::random::Random;

/// Random cuts at each point, beside the three that are not.
const TORN: usize = 3;
/// A program with a fault of its own, to see that the harness finds it: its recording is the right one without some
/// of the syncs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// As the program is.
    Right,
    /// `synchronous = NORMAL`: a commit does not sync the log.
    LazyCommits,
    /// Targets are renamed without having been synced.
    UnsyncedTargets,
}

impl Variant {
    /// Tells whether this program would not make this call.
    fn leaves_out(self, call: &Call) -> bool {
        if !matches!(call.name.as_str(), "fsync" | "fdatasync") {
            return false;
        }
        let path = call.file_path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match self {
            Self::Right => false,
            Self::LazyCommits => name.ends_with("-wal"),
            Self::UnsyncedTargets => name.starts_with(".diglot-"),
        }
    }
}

/// Holds a state that breaks a promise.
pub(super) struct Broken {
    pub(super) fault: String,
    pub(super) state: State,
}

/// Holds what a replay has seen.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) n_states: usize,
    pub(super) broken: Vec<Broken>,
}

/// Plays a recording.
pub(super) struct Replay<'a> {
    recording: &'a Recording,
    scratch: &'a Scratch,
    random: Random,
    /// One point of so many is looked at.
    stride: usize,
    trust: Trust,
    seen: Seen,
}

impl<'a> Replay<'a> {
    pub(super) fn new(
        recording: &'a Recording,
        scratch: &'a Scratch,
        random: Random,
        stride: usize,
    ) -> Self {
        Self {
            recording,
            scratch,
            random,
            stride: stride.max(1),
            trust: Trust::new(&recording.job.place.data()),
            seen: Seen::default(),
        }
    }

    /// Plays it as a variant of the program would have made it.
    pub(super) fn run(mut self, variant: Variant) -> Result<Seen> {
        let mut disk = self.recording.before.clone();
        let mut answers = Answers::new(self.recording);
        for (process, log) in self.recording.logs.iter().enumerate() {
            for moment in &log.moments {
                let Some(call) = log.call(*moment) else {
                    continue;
                };
                if variant.leaves_out(call) {
                    continue;
                }
                let is_answered = answers.hear(process, *moment, call);
                let has_changed = disk.play(*moment, call);
                self.watch_trust(*moment, call, &disk)?;
                if let Some(fault) = self.trust.after_answer(answers.n_acknowledged) {
                    self.break_off(fault, &disk);
                }
                // Right after an answer is where a loss shows.
                if is_answered || has_changed && self.random.below(self.stride) == 0 {
                    self.look(&disk, answers.n_acknowledged)?;
                }
            }
            disk.end_of_process();
            answers.rest.clear();
        }
        Ok(self.seen)
    }

    /// Takes note of failed syncs, and of what is made good or used after them.
    fn watch_trust(&mut self, moment: Moment, call: &Call, disk: &Disk) -> Result<()> {
        let Moment::End(_) = moment else {
            return Ok(());
        };
        match self.trust.after_call(call) {
            None => {}
            Some(Doubt::Begins) => {
                let kept = self.judged(&disk.state(&mut Cut::Synced), 0)?;
                self.trust.is_from(kept.ok().map(|kept| kept.n_decided));
            }
            Some(Doubt::Ignored(fault)) => self.break_off(fault, disk),
        }
        Ok(())
    }

    fn break_off(&mut self, fault: String, disk: &Disk) {
        let state = disk.state(&mut Cut::Synced);
        self.seen.broken.push(Broken { fault, state });
    }

    /// Looks at the database of a state.
    fn judged(&self, state: &State, n_acknowledged: usize) -> Result<Result<Kept, String>> {
        let data = Path::new(DATA);
        let path = self.scratch.put(ENDINGS.map(|ending| {
            let bytes = state.get(&data.join(format!("{DATABASE}{ending}")));
            (ending, bytes.map(Vec::as_slice))
        }))?;
        Ok(judge::database(
            &path,
            self.recording.job.decided(),
            n_acknowledged,
        ))
    }

    /// Looks at what cuts at this point leave.
    fn look(&mut self, disk: &Disk, n_acknowledged: usize) -> Result<()> {
        let mut torn = self.random.fork();
        let mut states = vec![
            disk.state(&mut Cut::All),
            disk.state(&mut Cut::Names),
            disk.state(&mut Cut::Synced),
        ];
        states.extend((0..TORN).map(|_| disk.state(&mut Cut::Torn(&mut torn))));
        for state in states {
            self.seen.n_states += 1;
            if let Some(fault) = self.fault(&state, n_acknowledged)? {
                self.seen.broken.push(Broken { fault, state });
            }
        }
        Ok(())
    }

    fn fault(&self, state: &State, n_acknowledged: usize) -> Result<Option<String>> {
        let job = &self.recording.job;
        let kept = match self.judged(state, n_acknowledged)? {
            Ok(kept) => kept,
            Err(fault) => return Ok(Some(fault)),
        };
        let mut names = job.generations.names();
        Ok(names.find_map(|name| {
            let target = state.get(&Path::new(TARGETS).join(name));
            judge::target(&job.generations, name, target.map(Vec::as_slice), &kept)
        }))
    }
}

/// Hears which decisions are answered.
struct Answers {
    /// Each answered command, and how many decisions are there with it.
    known: BTreeMap<Command, usize>,
    n_acknowledged: usize,
    /// The output of a process that does not make a line yet.
    rest: Vec<u8>,
}

impl Answers {
    fn new(recording: &Recording) -> Self {
        let decided = recording.job.decided().iter().zip(1..);
        let known = decided.filter_map(|(at, n)| Some((at.acknowledged?, n)));
        Self {
            known: known.collect(),
            n_acknowledged: 0,
            rest: Vec::new(),
        }
    }

    /// Takes over what a process prints; tells whether that acknowledges a decision. It does from where the call begins.
    fn hear(&mut self, process: usize, moment: Moment, call: &Call) -> bool {
        if !matches!(moment, Moment::Begin(_)) || call.name != "write" || call.file() != Some(1) {
            return false;
        }
        self.rest.extend(call.bytes());
        let before = self.n_acknowledged;
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let line: Value = serde_json::from_slice(&line).unwrap_or_default();
            let id = line.get("id").and_then(Value::as_u64);
            if let Some(id) = id.filter(|_| line.get("ok").is_some())
                && let Some(n) = self.known.get(&Command { process, id })
            {
                self.n_acknowledged = self.n_acknowledged.max(*n);
            }
        }
        self.n_acknowledged > before
    }
}

/// Writes a state down, to be looked at.
pub(super) fn keep(state: &State, folder: &Path) -> Result<PathBuf> {
    for (path, bytes) in state {
        let path = folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, bytes)?;
    }
    Ok(folder.to_owned())
}
