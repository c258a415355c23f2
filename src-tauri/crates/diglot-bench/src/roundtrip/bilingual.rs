//! Files that hold source and target side by side: once every unit has a target, the file says so itself.

use diglot_document::Document;

use super::Marks;
use super::compare;
use crate::formats;

/// Judges a file whose every unit got its source between marks as target.
pub(super) fn judge(document: &Document, marks: &Marks, output: &[u8]) -> Result<(), String> {
    let again = formats::reopen(document, output)
        .map_err(|reason| format!("the output is refused: {reason:?}"))?;
    let n_units = document.segments.len();
    if let Some(open) = again.segments.first() {
        let n_open = again.segments.len();
        return Err(format!(
            "{n_open} of {n_units} units are still open, the first is {:?}",
            diglot_document::shorten(&open.source, 60)
        ));
    }
    if n_units > 0 && again.n_finished <= document.n_finished {
        return Err(format!(
            "{} units are finished, before it were {}",
            again.n_finished, document.n_finished
        ));
    }
    let n_marks = compare::count(output, marks);
    if n_marks == n_units {
        return Ok(());
    }
    Err(format!("{n_marks} of {n_units} targets are in the output"))
}
