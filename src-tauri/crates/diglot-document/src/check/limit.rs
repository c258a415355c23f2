//! The length limit that a format may set for a text.

use unicode_segmentation::UnicodeSegmentation;

use super::{Issue, IssueKind};

/// Reports what goes beyond the limit, in grapheme clusters.
pub(super) fn check(target: &str, limit: Option<usize>) -> Option<Issue> {
    let (at, _) = target.grapheme_indices(true).nth(limit?)?;
    let beyond = target.get(at..)?;
    Some(Issue {
        extra: vec![beyond.to_owned()],
        ..Issue::warning(IssueKind::TooLong)
    })
}
