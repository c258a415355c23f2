//! What listings showed of the folder, and what of it is still to be listed or read.

use std::collections::{BTreeSet, HashMap, HashSet};

use diglot_document::locate;

use super::{Context, ProjectPath};
use crate::workspace::{DirEntry, DirEntryKind, ProjectPathError};

/// Holds the entries seen in listings. What is left to do is kept as places in it, so that asking for
/// it costs nothing however large the folder is.
#[derive(Debug, Clone, Default)]
pub(super) struct Listed {
    entries: Vec<DirEntry>,
    places: HashMap<ProjectPath, usize>,
    folders: HashSet<ProjectPath>,
    unlisted: BTreeSet<usize>,
    unread: BTreeSet<usize>,
}

impl Listed {
    /// Takes an entry that a listing showed.
    pub(super) fn add(&mut self, entry: &DirEntry, is_read: bool) {
        if self.places.contains_key(&entry.path) {
            return;
        }
        let place = self.entries.len();
        self.entries.push(entry.clone());
        self.places.insert(entry.path.clone(), place);
        match entry.kind {
            DirEntryKind::Folder if !self.folders.contains(&entry.path) => {
                self.unlisted.insert(place);
            }
            DirEntryKind::Document { .. } if !is_read => {
                self.unread.insert(place);
            }
            DirEntryKind::Folder | DirEntryKind::Document { .. } | DirEntryKind::Other { .. } => {}
        }
    }

    /// Notes that a folder was listed.
    pub(super) fn add_folder(&mut self, folder: &ProjectPath) {
        self.folders.insert(folder.clone());
        if let Some(place) = self.places.get(folder) {
            self.unlisted.remove(place);
        }
    }

    /// Notes that a document was read.
    pub(super) fn mark_read(&mut self, path: &ProjectPath) {
        if let Some(place) = self.places.get(path) {
            self.unread.remove(place);
        }
    }

    /// Tells whether nothing was listed yet.
    pub(super) fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    pub(super) fn contains(&self, path: &ProjectPath) -> bool {
        self.places.contains_key(path)
    }

    fn at(&self, places: &BTreeSet<usize>) -> impl Iterator<Item = &ProjectPath> {
        let entries = places.iter().filter_map(|place| self.entries.get(*place));
        entries.map(|entry| &entry.path)
    }

    /// Returns the documents that were not read, in order.
    pub(super) fn unread(&self) -> impl Iterator<Item = &ProjectPath> {
        self.at(&self.unread)
    }

    /// Returns the folders that were not listed, in order, without the project folder.
    pub(super) fn unlisted(&self) -> impl Iterator<Item = &ProjectPath> {
        self.at(&self.unlisted)
    }
}

impl Context {
    /// Returns the entries seen in listings, in order.
    pub fn listed(&self) -> &[DirEntry] {
        &self.listed.entries
    }

    /// Returns the documents seen in listings that were not read, in order.
    pub(crate) fn unread(&self) -> impl Iterator<Item = &ProjectPath> {
        self.listed.unread()
    }

    /// Finds the path that a model means: a name as LS prints it, whatever characters it has; else a path as
    /// models write it; else the one known name that differs in Unicode form only.
    ///
    /// # Errors
    /// When it is a path outside the project and no known name.
    pub fn path_of(&self, text: &str) -> Result<ProjectPath, ProjectPathError> {
        if let Ok(exact) = ProjectPath::from_listing(text)
            && self.is_known(&exact)
        {
            return Ok(exact);
        }
        let path = ProjectPath::parse(text)?;
        if self.is_known(&path) {
            return Ok(path);
        }
        let wanted = locate::normalize(path.as_str());
        let twins: BTreeSet<&ProjectPath> = self
            .documents
            .keys()
            .chain(self.listed().iter().map(|entry| &entry.path))
            .filter(|known| locate::normalize(known.as_str()) == wanted)
            .take(3)
            .collect();
        let mut twins = twins.into_iter();
        match (twins.next(), twins.next()) {
            (Some(only), None) => Ok(only.clone()),
            (Some(_) | None, _) => Ok(path),
        }
    }

    fn is_known(&self, path: &ProjectPath) -> bool {
        self.documents.contains_key(path) || self.listed.contains(path)
    }
}
