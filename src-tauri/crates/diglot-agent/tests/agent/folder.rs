//! A folder in memory: paths and bytes. Owns how it lists them; must not know a session.

use std::collections::{BTreeMap, BTreeSet};

use diglot_agent::workspace::{DirEntry, DirEntryKind, Listing};
use diglot_agent::{ProjectPath, SourceHash, SourceText, Workspace, WorkspaceError};
use diglot_document::Format;

/// Holds the files of a project.
#[derive(Debug, Clone, Default)]
pub(crate) struct Folder {
    files: BTreeMap<String, Vec<u8>>,
}

impl Folder {
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let mut folder = Self::default();
        for (path, text) in files {
            folder.write(path, text.as_bytes());
        }
        folder
    }

    pub(crate) fn write(&mut self, path: &str, bytes: &[u8]) {
        self.files.insert(path.to_owned(), bytes.to_vec());
    }

    fn bytes(&self, path: &ProjectPath) -> Result<&Vec<u8>, WorkspaceError> {
        let missing = || WorkspaceError::NotFound { path: path.clone() };
        self.files.get(path.as_str()).ok_or_else(missing)
    }
}

impl Workspace for Folder {
    fn list(&self, folder: &ProjectPath) -> Result<Listing, WorkspaceError> {
        let prefix = if folder.is_root() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let inside = self.files.iter().filter_map(|(path, bytes)| {
            let rest = path.strip_prefix(&prefix)?;
            Some((rest, bytes))
        });
        let (mut folders, mut files) = (BTreeSet::new(), Vec::new());
        for (rest, bytes) in inside {
            if let Some((name, _)) = rest.split_once('/') {
                folders.insert(name);
                continue;
            }
            let n_bytes = bytes.len() as u64;
            let kind = match Format::from_path(rest) {
                Ok(format) => DirEntryKind::Document { format, n_bytes },
                Err(reason) => DirEntryKind::Other { reason, n_bytes },
            };
            let path = folder.join(rest).unwrap();
            files.push(DirEntry { path, kind });
        }
        if folders.is_empty() && files.is_empty() && !folder.is_root() {
            return Err(WorkspaceError::NotFound {
                path: folder.clone(),
            });
        }
        let folders = folders.into_iter().map(|name| DirEntry {
            path: folder.join(name).unwrap(),
            kind: DirEntryKind::Folder,
        });
        Ok(Listing {
            entries: folders.chain(files).collect(),
            left_out: Vec::new(),
        })
    }

    fn read(&self, path: &ProjectPath) -> Result<SourceText, WorkspaceError> {
        self.bytes(path).map(|bytes| SourceText::new(bytes.clone()))
    }

    fn hash(&self, path: &ProjectPath) -> Result<SourceHash, WorkspaceError> {
        self.bytes(path).map(|bytes| SourceHash::of(bytes))
    }
}
