//! Language packs on disk. Owns which files make a pack, under which names, and which languages it
//! serves; must not know how an engine uses them.

use std::fs;
use std::path::{Path, PathBuf};

use diglot_document::language::serves;
use diglot_document::{LanguagePair, LanguageTag};

/// Describes a language pack: a folder with a model, its vocabularies and, where there is one, a
/// shortlist that makes it faster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pack {
    /// Its languages.
    pub languages: LanguagePair,
    /// Its folder.
    pub path: PathBuf,
    /// Size of its files together.
    pub n_bytes: u64,
    /// Whether the files were found equal to Mozilla's own, by SHA-256, when they were imported.
    pub is_verified: bool,
    pub(crate) files: PackFiles,
}

/// Names the files of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PackFiles {
    pub(crate) model: PathBuf,
    pub(crate) source_vocabulary: PathBuf,
    /// The same file as the source's in most pairs.
    pub(crate) target_vocabulary: PathBuf,
    pub(crate) shortlist: Option<PathBuf>,
}

/// Reports why packs could not be listed or imported.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The system refused.
    #[error("`{path}` could not be read or written")]
    Io {
        /// Which file or folder.
        path: PathBuf,
        /// Why.
        #[source]
        source: std::io::Error,
    },
    /// It is no folder and no archive that can be opened.
    #[error("the file is no zip archive: {detail}")]
    NotAnArchive {
        /// What the archive reader says.
        detail: String,
    },
    /// No folder in it has a model and a vocabulary.
    #[error("no language pack is in it: a model, a vocabulary and a lex file are looked for")]
    NoPack,
    /// A file is longer than any of a language pack.
    #[error("`{file}` is too long for a language pack")]
    TooLarge {
        /// Its name.
        file: String,
    },
    /// The files are not those that they claim to be.
    #[error("`{file}` is damaged: it differs from Mozilla's file of that name")]
    Damaged {
        /// Its name.
        file: String,
    },
    /// The engine cannot read it.
    #[error(transparent)]
    Unusable(#[from] crate::engine::EngineError),
}

/// Names what a file is to a pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    Model,
    Vocabulary,
    SourceVocabulary,
    TargetVocabulary,
    Shortlist,
}

/// Name of the list of hashes that an import leaves in a pack's folder.
pub(crate) const HASHES: &str = "SHA256SUMS";
/// First line of that list where the files are known to be Mozilla's.
pub(crate) const VERIFIED: &str = "# equal to Mozilla's files";

impl Part {
    /// Recognises a file by its name: our own, or Firefox's, for instance
    /// `model.enpt.intgemm.alphas.bin`, `vocab.enpt.spm`, `lex.50.50.enpt.s2t.bin`.
    pub(crate) fn of(file: &str) -> Option<Self> {
        let (first, _) = file.split_once('.')?;
        let ending = Path::new(file).extension()?.to_str()?;
        match (first, ending) {
            ("model", "bin") => Some(Self::Model),
            ("lex", "bin") => Some(Self::Shortlist),
            ("vocab", "spm") => Some(Self::Vocabulary),
            ("srcvocab", "spm") => Some(Self::SourceVocabulary),
            ("trgvocab", "spm") => Some(Self::TargetVocabulary),
            _ => None,
        }
    }

    /// Returns the name under which a pack of ours keeps it.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Model => "model.bin",
            Self::Vocabulary => "vocab.spm",
            Self::SourceVocabulary => "srcvocab.spm",
            Self::TargetVocabulary => "trgvocab.spm",
            Self::Shortlist => "lex.bin",
        }
    }

    /// Returns the longest such file that is taken, in bytes: several times the longest of Mozilla's.
    pub(crate) fn max_bytes(self) -> u64 {
        let mebibytes = match self {
            Self::Model => 256,
            Self::Shortlist => 64,
            Self::Vocabulary | Self::SourceVocabulary | Self::TargetVocabulary => 16,
        };
        mebibytes << 20
    }
}

impl Pack {
    /// Returns its languages as the name of its folder, for instance `en-pt`.
    pub fn name(&self) -> String {
        format!("{}-{}", self.languages.source, self.languages.target)
    }

    /// Tells whether it translates this pair: a pack for `pt` serves `pt` and any `pt-*` (SPEC 10.19).
    pub fn serves(&self, languages: &LanguagePair) -> bool {
        serves(&self.languages.source, &languages.source)
            && serves(&self.languages.target, &languages.target)
    }

    /// Reads a folder as a pack; `None` where a file is missing or no languages are told.
    pub(crate) fn open(folder: &Path) -> Option<Self> {
        let mut parts = Vec::new();
        let mut n_bytes = 0;
        for entry in fs::read_dir(folder).ok()?.flatten() {
            let name = entry.file_name();
            if let Some(part) = name.to_str().and_then(Part::of) {
                n_bytes += entry.metadata().ok()?.len();
                parts.push((part, entry.path()));
            }
        }
        parts.sort();
        let file = |wanted: Part| {
            parts
                .iter()
                .find(|(part, _)| *part == wanted)
                .map(|(_, path)| path.clone())
        };
        let both = file(Part::Vocabulary);
        let files = PackFiles {
            model: file(Part::Model)?,
            source_vocabulary: file(Part::SourceVocabulary).or_else(|| both.clone())?,
            target_vocabulary: file(Part::TargetVocabulary).or(both)?,
            shortlist: file(Part::Shortlist),
        };
        let name = folder.file_name()?.to_str()?;
        let languages = languages_of(name, files.model.file_name()?.to_str()?)?;
        let hashes = fs::read_to_string(folder.join(HASHES)).unwrap_or_default();
        let is_verified = hashes.starts_with(VERIFIED);
        Some(Self {
            languages,
            path: folder.to_owned(),
            n_bytes,
            is_verified,
            files,
        })
    }
}

/// Lists the packs in a folder of packs, by name; a folder in it that is no pack is passed over. A
/// folder that is not there holds none.
pub fn list(dir: &Path) -> Vec<Pack> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let is_shown = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|name| !name.to_string_lossy().starts_with('.'))
    };
    let mut packs: Vec<Pack> = entries
        .map(|entry| entry.path())
        .filter(is_shown)
        .filter_map(|path| Pack::open(&path))
        .collect();
    packs.sort_by_cached_key(Pack::name);
    packs
}

/// Finds the pack in a folder of packs that serves a pair, first one made for exactly that pair.
pub fn find(dir: &Path, languages: &LanguagePair) -> Option<Pack> {
    let mut packs = list(dir);
    packs.retain(|pack| pack.serves(languages));
    packs.sort_by_key(|pack| pack.languages != *languages);
    packs.into_iter().next()
}

/// Names of folders that tell the size of Mozilla's models, not their languages.
const SIZES: [&str; 2] = ["base", "tiny"];

/// Reads a pack's languages from its folder's name, `en-pt`, from its model's name,
/// `model.enpt.intgemm.alphas.bin`, or from its folder's as Mozilla writes it, `enpt-1693087644`.
pub(crate) fn languages_of(folder: &str, model: &str) -> Option<LanguagePair> {
    let pair = |source: &str, target: &str| {
        Some(LanguagePair {
            source: LanguageTag::parse(source).ok()?,
            target: LanguageTag::parse(target).ok()?,
        })
    };
    let joined = |text: &str| {
        let is_pair = text.len() == 4
            && !SIZES.contains(&text)
            && text.chars().all(|c| c.is_ascii_lowercase());
        is_pair
            .then(|| text.split_at(2))
            .and_then(|(source, target)| pair(source, target))
    };
    let is_language =
        |text: &str| (2..=3).contains(&text.len()) && text.chars().all(|c| c.is_ascii_lowercase());
    let apart = folder
        .split_once('-')
        .filter(|(source, _)| is_language(source));
    let apart = apart.filter(|(_, rest)| rest.split('-').next().is_some_and(is_language));
    apart
        .and_then(|(source, target)| pair(source, target))
        .or_else(|| joined(model.split('.').nth(1).unwrap_or_default()))
        .or_else(|| joined(folder.split('-').next().unwrap_or_default()))
}

#[cfg(test)]
mod tests;
