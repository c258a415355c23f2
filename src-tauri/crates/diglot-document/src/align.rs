//! Matches the segments of a document with those of a changed version of it.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::Segment;

/// Matches segments in order by exact source text, so that a text that occurs several times keeps its
/// neighbours. Answers for each new segment the ordinal of its old twin, if it has one.
pub fn align(old: &[Segment], new: &[Segment]) -> Vec<Option<usize>> {
    let texts = |segments: &[Segment]| -> Vec<String> {
        segments
            .iter()
            .map(|segment| segment.source.clone())
            .collect()
    };
    let mut twins = vec![None; new.len()];
    for op in capture_diff_slices(Algorithm::Patience, &texts(old), &texts(new)) {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = op
        {
            for offset in 0..len {
                if let Some(twin) = twins.get_mut(new_index + offset) {
                    *twin = Some(old_index + offset);
                }
            }
        }
    }
    twins
}

#[cfg(test)]
mod tests {
    use super::align;
    use crate::{Document, Format, ParseOptions};

    fn document(text: &str) -> Document {
        Document::parse(Format::PlainText, text.as_bytes(), &ParseOptions::default()).unwrap()
    }

    #[test]
    fn inserted_and_changed_paragraphs_are_new_and_the_rest_keeps_its_twin() {
        let old = document("One stays.\n\nTwo is edited.\n\nTwin.\n\nTwin.\n");
        let new = document("One stays.\n\nAn inserted one.\n\nTwo was edited.\n\nTwin.\n\nTwin.\n");
        let twins = align(&old.segments, &new.segments);
        assert_eq!(twins, [Some(0), None, None, Some(2), Some(3)]);
    }
}
