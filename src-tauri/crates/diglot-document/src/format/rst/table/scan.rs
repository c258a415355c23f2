//! Finds the cells of a grid table by their corners. Owns the way around a cell; must not know what it holds.

use std::collections::BTreeSet;

use super::line::Line;

/// So many looks at a column of a line are enough to find the cells of a table, for each that it has.
const LOOKS: usize = 16;

/// Holds the bounds of a cell: the lines and columns of its borders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) top: usize,
    pub(super) left: usize,
    pub(super) bottom: usize,
    pub(super) right: usize,
}

/// Traces the cells as docutils does: from each upper left corner around, to the right, down, to the
/// left and up.
pub(super) struct Scan<'l> {
    lines: &'l [Line<'l>],
    /// The line that parts head and body.
    head: Option<usize>,
    right: usize,
    bottom: usize,
    /// Columns with borders.
    pub(super) lefts: BTreeSet<usize>,
    /// Lines with borders.
    pub(super) tops: BTreeSet<usize>,
    looks: usize,
}

impl<'l> Scan<'l> {
    pub(super) fn new(lines: &'l [Line<'l>]) -> Option<Self> {
        let right = lines.first()?.width().checked_sub(1)?;
        let bottom = lines.len().checked_sub(1)?;
        let framed = |line: &Line<'_>| {
            let edge = |at: usize| matches!(line.at(at), Some(b'+' | b'|'));
            line.width() == right + 1 && edge(0) && edge(right)
        };
        if !lines.iter().all(framed) {
            return None;
        }
        let parts = |line: &Line<'_>| {
            line.text.starts_with("+=")
                && line.text.ends_with("=+")
                && line.text.bytes().all(|b| matches!(b, b'=' | b'+'))
        };
        let mut heads = lines.iter().enumerate().filter(|(_, line)| parts(line));
        let head = heads.next().map(|(index, _)| index);
        if heads.next().is_some() || head == Some(0) || head == Some(bottom) {
            return None;
        }
        Some(Self {
            lines,
            head,
            right,
            bottom,
            lefts: BTreeSet::from([0]),
            tops: BTreeSet::from([0]),
            looks: (right + 1).saturating_mul(bottom + 1).saturating_mul(LOOKS),
        })
    }

    fn at(&mut self, line: usize, column: usize) -> Option<u8> {
        self.looks = self.looks.checked_sub(1)?;
        let mark = self.lines.get(line)?.at(column)?;
        let rules = self.head == Some(line) && mark == b'=';
        Some(if rules { b'-' } else { mark })
    }

    /// Returns the cells in the order of their corners; `None` unless they cover the table.
    pub(super) fn areas(&mut self) -> Option<Vec<Area>> {
        let mut corners = BTreeSet::from([(0, 0)]);
        let mut done = vec![0; self.right];
        let mut areas = Vec::new();
        while let Some((top, left)) = corners.pop_first() {
            if done.get(left).is_none_or(|done| top < *done) || top == self.bottom {
                continue;
            }
            let Some(area) = self.rightwards(top, left) else {
                continue;
            };
            let covered = done.get_mut(left..area.right)?;
            if covered.iter().any(|done| *done != top) {
                return None;
            }
            covered.fill(area.bottom);
            corners.extend([(top, area.right), (area.bottom, left)]);
            areas.push(area);
        }
        let whole = self.looks > 0 && done.iter().all(|done| *done == self.bottom);
        whole.then_some(areas)
    }

    fn rightwards(&mut self, top: usize, left: usize) -> Option<Area> {
        let mut met = Vec::new();
        for right in left + 1..=self.right {
            match self.at(top, right)? {
                b'+' => {
                    met.push(right);
                    if let Some(bottom) = self.downwards(top, left, right) {
                        self.lefts.extend(met);
                        return Some(Area {
                            top,
                            left,
                            bottom,
                            right,
                        });
                    }
                }
                b'-' => {}
                _ => return None,
            }
        }
        None
    }

    fn downwards(&mut self, top: usize, left: usize, right: usize) -> Option<usize> {
        let mut met = Vec::new();
        for bottom in top + 1..=self.bottom {
            match self.at(bottom, right)? {
                b'+' => {
                    met.push(bottom);
                    if self.around(top, left, bottom, right) {
                        self.tops.extend(met);
                        return Some(bottom);
                    }
                }
                b'|' => {}
                _ => return None,
            }
        }
        None
    }

    /// Goes from the lower right corner to the left and up.
    fn around(&mut self, top: usize, left: usize, bottom: usize, right: usize) -> bool {
        let mut columns = Vec::new();
        for column in (left + 1..right).rev() {
            match self.at(bottom, column) {
                Some(b'+') => columns.push(column),
                Some(b'-') => {}
                _ => return false,
            }
        }
        if self.at(bottom, left) != Some(b'+') {
            return false;
        }
        let mut rows = Vec::new();
        for row in (top + 1..bottom).rev() {
            match self.at(row, left) {
                Some(b'+') => rows.push(row),
                Some(b'|') => {}
                _ => return false,
            }
        }
        self.lefts.extend(columns);
        self.tops.extend(rows);
        true
    }
}
