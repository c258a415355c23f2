//! `cargo xtask run`: from a fresh clone to the open window.

use crate::repo::Repo;
use crate::report::{say, step};
use crate::system::Purpose;
use crate::{command, pack, sample, system, ui};
use anyhow::{Context, Result, bail};
use std::path::Path;

/// Sets up what is missing, builds the app and opens `folder`, or the sample.
pub(crate) fn run(repo: &Repo, folder: Option<&Path>) -> Result<()> {
    let folder = match folder {
        Some(folder) if !folder.is_dir() => bail!("{} is not a folder", folder.display()),
        Some(folder) => std::path::absolute(folder).context("the current folder is not known")?,
        None => sample::prepare(repo)?,
    };
    step("Node and system libraries");
    system::ensure(Purpose::Build)?;
    step("The window's front end");
    ui::install(repo)?;
    ui::build(repo)?;
    step("English-Portuguese language pack");
    let packs = repo.data_folder()?.join("packs");
    if let Err(error) = pack::fetch(repo, &packs) {
        say(&format!(
            "The pack could not be had, so drafts come from your own earlier translations for now ({error:#})."
        ));
    }
    step("The app (the first build takes some minutes)");
    command::run(
        command::cargo()
            .args(["run", "--package", "diglot", "--"])
            .arg(folder)
            .current_dir(repo.root()),
    )
}
