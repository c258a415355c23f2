//! The termbase beside translate-toolkit: what we write it reads, and what it writes we read, word for word.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use diglot_document::term::exchange::{FileTerm, TbxVersion, read_terms, write_tbx};
use diglot_document::{LanguagePair, LanguageTag};

const SCRIPT: &str = include_str!("../../peers/terms.py");
/// Terms of the file.
const TERMS: usize = 500;

/// Says what the peer made of a termbase; `None` where it is not there.
///
/// # Errors
/// When it cannot be called, or a term is lost on the way there or back.
pub fn compare(python: &Path, folder: &Path) -> Result<Option<String>> {
    fs::create_dir_all(folder)?;
    let (ours, theirs) = (folder.join("ours.tbx"), folder.join("theirs.tbx"));
    let tag = |text| LanguageTag::parse(text);
    let languages = LanguagePair {
        source: tag("en")?,
        target: tag("de")?,
    };
    let terms: Vec<FileTerm> = (0..TERMS).map(sample).collect();
    fs::write(&ours, write_tbx(&terms, &languages, TbxVersion::V2))?;
    let output = Command::new(python)
        .arg("-c")
        .arg(SCRIPT)
        .args([&ours, &theirs])
        .output()
        .with_context(|| format!("{} cannot be started", python.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    if said.trim() == "absent" {
        return Ok(None);
    }
    let said: Vec<[String; 3]> = said
        .lines()
        .map(|line| serde_json::from_str(line).context("an answer of the script"))
        .collect::<Result<_>>()?;
    let expected: Vec<[String; 3]> = terms
        .iter()
        .map(|term| [term.source.clone(), term.target.clone(), term.note.clone()])
        .collect();
    ensure!(said == expected, "translate-toolkit reads other terms");
    let again = read_terms(&fs::read(&theirs)?, &languages)?;
    let back: Vec<[String; 3]> = again
        .terms
        .into_iter()
        .map(|term| [term.source, term.target, term.note])
        .collect();
    ensure!(
        back == expected,
        "what translate-toolkit wrote is read otherwise"
    );
    Ok(Some(format!(
        "terms (TBX): {TERMS} of {TERMS} read by translate-toolkit, {TERMS} of {TERMS} back"
    )))
}

/// Makes a term with letters and signs that XML escapes.
fn sample(number: usize) -> FileTerm {
    FileTerm {
        source: format!("part <{number}> & \"seal\""),
        target: format!("Teil {number} – „Dichtung“ & größer > 水泵"),
        note: if number.is_multiple_of(3) {
            format!("note & {number}")
        } else {
            String::new()
        },
        ..FileTerm::default()
    }
}
