//! `LS`: what is in a folder of the project.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;

use diglot_document::{Format, Untranslatable};
use serde_json::json;

use super::{Fields, ToolName};
use crate::context::Context;
use crate::copilot::CopilotResponse;
use crate::limits;
use crate::message::{RefusedReason, ToolCall, ToolDetail};
use crate::tool::{Tool, ToolError, ToolOutcome, ToolSpec};
use crate::workspace::{DirEntry, DirEntryKind, ProjectPath, Workspace, why};

/// Lists a folder, and the folders below it as far as the answer has room.
#[derive(Debug, Clone, Copy)]
pub struct Ls;

impl Tool for Ls {
    fn name(&self) -> ToolName {
        ToolName::Ls
    }

    fn spec(&self) -> ToolSpec {
        ToolSpec {
            name: "LS",
            description:
                "Lists a folder of the project and the folders below it: each entry's path, \
                          format and progress, or why it cannot be translated."
                    .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "path": {"type": "string", "description": "Relative path of a folder; \".\" is the project."},
                    "ignore": {"type": "array", "items": {"type": "string"}, "description": "Names to leave out."}
                },
                "required": ["path"]
            }),
        }
    }

    fn run(
        &self,
        call: &ToolCall,
        context: &Context,
        workspace: &dyn Workspace,
        _response: Option<&CopilotResponse>,
    ) -> Result<ToolOutcome, ToolError> {
        let (folder, ignore) = arguments(call, context)?;
        let mut listing = Answer {
            ignore,
            ..Answer::default()
        };
        let mut waiting = VecDeque::from([folder.clone()]);
        while let Some(next) = waiting.pop_front() {
            match workspace.list(&next) {
                Ok(found) => {
                    let off = &context.settings().rules.off;
                    let entries = without(found.entries, off);
                    // Folders below are listed whole or not at all: a part would hide files for good.
                    if next != folder && !listing.has_room(&entries, context) {
                        break;
                    }
                    waiting.extend(
                        entries
                            .iter()
                            .filter(|entry| entry.kind == DirEntryKind::Folder)
                            .filter(|entry| !listing.ignores(entry))
                            .map(|entry| entry.path.clone()),
                    );
                    listing.add(next, entries, &found.left_out, context);
                }
                Err(error) if next == folder => {
                    let text = if workspace.hash(&folder).is_ok() {
                        format!(
                            "{folder} is a document, not a folder. Call Read with file_id \"{folder}\"."
                        )
                    } else {
                        format!("{error}. Use a path as LS prints it; \".\" is the project.")
                    };
                    return Err(ToolError::refuse(RefusedReason::Path, text));
                }
                Err(error) => listing.fail(next, &error.to_string()),
            }
        }
        listing.lay_out(&folder);
        Ok(ToolOutcome::Result {
            content: listing.text(context),
            detail: ToolDetail::Listing {
                folders: listing.folders,
                entries: listing.entries,
            },
            sources: Vec::new(),
        })
    }
}

/// Marks documents of formats that the person switched off as what is not translated.
fn without(mut entries: Vec<DirEntry>, off: &[Format]) -> Vec<DirEntry> {
    for entry in &mut entries {
        if let DirEntryKind::Document { format, n_bytes } = entry.kind
            && off.contains(&format)
        {
            let reason = Untranslatable::SwitchedOff;
            entry.kind = DirEntryKind::Other { reason, n_bytes };
        }
    }
    entries
}

fn arguments(call: &ToolCall, context: &Context) -> Result<(ProjectPath, Vec<String>), ToolError> {
    let refuse = |text: String| ToolError::refuse(RefusedReason::Arguments, text);
    let fields = Fields::of(call).map_err(refuse)?;
    let path = fields
        .text(&["path", "folder", "file_path", "dir"])
        .map_err(refuse)?
        .unwrap_or(".");
    let ignore = fields.texts(&["ignore"]).map_err(refuse)?;
    let path = context.path_of(path).map_err(|error| {
        let text = format!("The path is outside the project: {error}. \".\" is the project.");
        ToolError::refuse(RefusedReason::Path, text)
    })?;
    Ok((path, ignore))
}

/// Gathers an answer within its bounds.
#[derive(Default)]
struct Answer {
    /// Names that the model does not want to see. They are no less a part of the project.
    ignore: Vec<String>,
    folders: Vec<ProjectPath>,
    /// Entries of the folders that were listed, with the line that the model sees, if it sees one.
    pages: HashMap<ProjectPath, Vec<(Option<String>, DirEntry)>>,
    /// All entries in document order: what a folder holds comes before the files beside it.
    entries: Vec<DirEntry>,
    /// Lines in the same order.
    lines: Vec<String>,
    n_lines: usize,
    n_bytes: usize,
    n_cut: usize,
    left_out: Vec<String>,
}

impl Answer {
    fn ignores(&self, entry: &DirEntry) -> bool {
        self.ignore.iter().any(|name| name == entry.path.name())
    }

    fn has_room(&self, entries: &[DirEntry], context: &Context) -> bool {
        let shown: Vec<&DirEntry> = entries
            .iter()
            .filter(|entry| !self.ignores(entry))
            .collect();
        let n_bytes: usize = shown
            .iter()
            .map(|entry| line(entry, context).len() + 1)
            .sum();
        self.n_lines + shown.len() <= limits::LISTING_ENTRIES
            && self.n_bytes + n_bytes <= limits::LISTING_BYTES
    }

    /// Takes a folder's entries; the model sees as many as there is room for, the application all of them.
    fn add(
        &mut self,
        folder: ProjectPath,
        entries: Vec<DirEntry>,
        left_out: &[String],
        context: &Context,
    ) {
        let mut page = Vec::with_capacity(entries.len());
        for entry in entries {
            let line = (!self.ignores(&entry)).then(|| line(&entry, context));
            let has_room = |line: &String| {
                self.n_lines < limits::LISTING_ENTRIES
                    && self.n_bytes + line.len() < limits::LISTING_BYTES
            };
            match &line {
                Some(text) if has_room(text) => {
                    self.n_bytes += text.len() + 1;
                    self.n_lines += 1;
                    page.push((line, entry));
                }
                Some(_) => {
                    self.n_cut += 1;
                    page.push((None, entry));
                }
                None => page.push((None, entry)),
            }
        }
        self.pages.insert(folder.clone(), page);
        self.left_out.extend(left_out.iter().cloned());
        self.folders.push(folder);
    }

    fn fail(&mut self, folder: ProjectPath, reason: &str) {
        self.left_out.push(format!("{folder} ({reason})"));
        self.folders.push(folder);
    }

    /// Puts the entries of a folder, and of those below it, into document order.
    fn lay_out(&mut self, folder: &ProjectPath) {
        for (line, entry) in self.pages.remove(folder).unwrap_or_default() {
            self.lines.extend(line);
            let below = (entry.kind == DirEntryKind::Folder).then(|| entry.path.clone());
            self.entries.push(entry);
            if let Some(below) = below {
                self.lay_out(&below);
            }
        }
    }

    fn text(&self, context: &Context) -> String {
        let mut text = self.lines.join("\n");
        if self.lines.is_empty() {
            text.push_str("The folder is empty.");
        }
        if self.n_cut > 0 {
            let _ = write!(
                text,
                "\n{} more entries are not shown. List a folder below to see them.",
                self.n_cut
            );
        }
        if !self.left_out.is_empty() {
            let shown: Vec<&str> = self.left_out.iter().take(20).map(String::as_str).collect();
            let n = self.left_out.len();
            let _ = write!(
                text,
                "\n{n} left out (hidden, ignored, dependencies, build output, links): {}",
                shown.join(", ")
            );
        }
        let is_unread =
            |entry: &&DirEntry| entry.is_document() && context.document(&entry.path).is_none();
        if context.unfinished().next().is_some() {
            let _ = write!(text, "\n{}", context.next_text(None));
        } else if let Some(next) = self.entries.iter().find(is_unread) {
            let path = &next.path;
            let _ = write!(text, "\nCall Read with file_id \"{path}\".");
        }
        text
    }
}

fn line(entry: &DirEntry, context: &Context) -> String {
    let path = &entry.path;
    match &entry.kind {
        DirEntryKind::Folder => format!("{path}/"),
        DirEntryKind::Document { format, n_bytes } => {
            let name = format.name();
            match context.document(path) {
                Some(document) => format!(
                    "{path} ({name}, {n_bytes} bytes, {} of {} units confirmed)",
                    document.n_confirmed(),
                    document.units().len()
                ),
                None => format!("{path} ({name}, {n_bytes} bytes)"),
            }
        }
        DirEntryKind::Other { reason, .. } => {
            let why = why(*reason);
            format!("{path} (cannot be translated: {why})")
        }
    }
}
