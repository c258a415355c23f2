//! A job under `strace`, in several processes one after the other: the calls of each, and what was decided. Owns how a
//! recording is made; what a disk makes of it is for others.

use std::path::PathBuf;

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::Bench;
use super::disk::Disk;
use super::job::Job;
use super::place::{Scratch, scratch_folder};
use super::served::{NoAnswer, Served};
use super::strace::{self, Log};
use super::{judge, worlds};
use crate::fuzz::random::Random;

/// Decisions between two waits for the targets.
const BETWEEN_TARGETS: usize = 4;
/// Times that a refused decision is tried before the next process may try it.
const TRIES: usize = 4;

/// Holds what a job did.
pub(super) struct Recording {
    pub(super) job: Job,
    /// The disk before it.
    pub(super) before: Disk,
    /// One log for each process.
    pub(super) logs: Vec<Log>,
    /// What was refused, with the code.
    pub(super) refusals: Vec<(String, String)>,
}

/// Makes recordings.
pub(super) struct Recorder<'a> {
    bench: &'a Bench,
    model: String,
    scratch: Scratch,
    folder: TempDir,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(bench: &'a Bench, model: String) -> Result<Self> {
        Ok(Self {
            bench,
            model,
            scratch: Scratch::new()?,
            folder: scratch_folder()?,
        })
    }

    /// Records a job from an empty data folder. Each process takes the number of decisions in all to so much, tampered
    /// with as it says; one that dies is followed by the next.
    pub(super) fn record(
        &self,
        random: Random,
        processes: &[(usize, Vec<String>)],
    ) -> Result<Recording> {
        let job = Job::new(&worlds::small(), &self.model, random)?;
        let mut recording = Recording {
            before: Disk::of(job.place.root())?,
            job,
            logs: Vec::new(),
            refusals: Vec::new(),
        };
        for (n_decisions, tampering) in processes {
            self.process(&mut recording, *n_decisions, tampering)?;
        }
        Ok(recording)
    }

    /// Records what is done in one process.
    pub(super) fn record_with(
        &self,
        random: Random,
        work: impl FnOnce(&mut Job, &mut Served) -> Result<()>,
    ) -> Result<Recording> {
        let mut recording = self.record(random, &[])?;
        let file = self.log_file();
        let data = recording.job.place.data();
        let mut served = Served::run(strace::serve(&self.bench.cli, &data, &file, &[]))?;
        work(&mut recording.job, &mut served)?;
        served.end()?;
        recording.logs.push(Log::read(&file)?);
        Ok(recording)
    }

    fn process(
        &self,
        recording: &mut Recording,
        n_decisions: usize,
        tampering: &[String],
    ) -> Result<()> {
        let file = self.log_file();
        let data = recording.job.place.data();
        let command = strace::serve(&self.bench.cli, &data, &file, tampering);
        let mut served = Served::run(command)?;
        recording.work(&mut served, n_decisions)?;
        served.end()?;
        recording.logs.push(Log::read(&file).context("the calls")?);
        recording.settle(&self.scratch)
    }

    fn log_file(&self) -> PathBuf {
        self.folder.path().join("calls")
    }
}

impl Recording {
    /// Works and waits for the targets now and then, until enough is decided or nothing goes on.
    fn work(&mut self, served: &mut Served, n_decisions: usize) -> Result<()> {
        let opened = self.job.open(served)?;
        if self.is_over(opened.err().as_ref()) {
            return Ok(());
        }
        let mut n_tries = 0;
        while self.job.n_kept() < n_decisions && n_tries < TRIES {
            let n_before = self.job.n_kept();
            let answer = self.job.step(served)?;
            n_tries = if answer.is_err() { n_tries + 1 } else { 0 };
            if matches!(&answer, Err(NoAnswer::Gone)) {
                return Ok(());
            }
            self.is_over(answer.err().as_ref());
            if self.job.n_kept() > n_before && self.job.n_kept().is_multiple_of(BETWEEN_TARGETS) {
                self.job.wait_for_targets(served)?;
            }
        }
        Ok(())
    }

    /// Takes note of a refusal; tells whether there is one.
    fn is_over(&mut self, refusal: Option<&NoAnswer>) -> bool {
        if let Some(NoAnswer::Refused { code, detail }) = refusal {
            self.refusals.push((code.clone(), detail.clone()));
        }
        refusal.is_some()
    }

    /// Finds out what became of a decision without an answer.
    fn settle(&mut self, scratch: &Scratch) -> Result<()> {
        let copy = self.job.place.copy_database(scratch)?;
        let kept = judge::database(&copy, self.job.decided(), self.job.n_kept())
            .map_err(|fault| anyhow::anyhow!("after the process: {fault}"))?;
        self.job.settle(kept.n_decided);
        Ok(())
    }
}
