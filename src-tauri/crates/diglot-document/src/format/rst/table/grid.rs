//! Tables drawn with `+`, `-` and `|`, whose cells may span columns and rows. Owns how the frame is
//! drawn anew; must not know what cells hold.

use super::cell::Cell;
use super::line::Line;
use super::scan::{Area, Scan};
use super::{Changed, pad, widest};
use crate::format::rows::columns_of;

/// A table is drawn so often, at most, until no text looks like a border.
const TRIES: usize = 16;

/// Holds where the borders of a table are.
#[derive(Debug)]
pub(super) struct Grid {
    areas: Vec<Area>,
    /// Columns with borders, ascending.
    lefts: Vec<usize>,
    /// Lines with borders, ascending.
    tops: Vec<usize>,
    /// For each line, and each two borders in it, the cell between them; `None` on a border.
    owners: Vec<Vec<Option<usize>>>,
}

impl Grid {
    /// Finds the cells; `None` when the lines do not make a whole table.
    pub(super) fn read(lines: &[Line<'_>]) -> Option<(Self, Vec<Cell>)> {
        let mut scan = Scan::new(lines)?;
        let areas = scan.areas()?;
        let grid = Self::of(areas, lines.len(), &scan)?;
        let cell = |area: &Area| {
            let rows = lines.get(area.top + 1..area.bottom)?;
            let parts = rows.iter().map(|line| line.part(area.left + 1, area.right));
            Some(Cell::new(&parts.collect::<Option<Vec<_>>>()?))
        };
        let cells = grid.areas.iter().map(cell).collect::<Option<_>>()?;
        Some((grid, cells))
    }

    fn of(areas: Vec<Area>, n_lines: usize, scan: &Scan<'_>) -> Option<Self> {
        let lefts: Vec<usize> = scan.lefts.iter().copied().collect();
        let tops: Vec<usize> = scan.tops.iter().copied().collect();
        let is_apart = |places: &[usize]| {
            let next = places.iter().skip(1);
            places.iter().zip(next).all(|(one, next)| next - one > 1)
        };
        if !is_apart(&lefts) || !is_apart(&tops) {
            return None;
        }
        let mut owners = vec![vec![None; lefts.len() - 1]; n_lines];
        for (index, area) in areas.iter().enumerate() {
            let columns = place(&lefts, area.left)?..place(&lefts, area.right)?;
            for line in owners.get_mut(area.top + 1..area.bottom)? {
                line.get_mut(columns.clone())?.fill(Some(index));
            }
        }
        Some(Self {
            areas,
            lefts,
            tops,
            owners,
        })
    }

    /// Returns the columns between the borders of a cell.
    pub(super) fn room(&self, cell: usize) -> usize {
        let area = self.areas.get(cell);
        area.map_or(0, |area| area.right - area.left - 1)
    }

    /// Draws the table with changed cells: columns and rows grow where they must, and never shrink.
    pub(super) fn draw(&self, lines: &[Line<'_>], cells: &[Cell], changed: &Changed) -> String {
        let mut widths = self.growth(changed, &self.lefts, |index, area, lines| {
            let room = area.right - area.left - 1;
            let gap = cells.get(index).map_or(0, |cell| cell.gap(room));
            (area.left, area.right, widest(lines) + gap)
        });
        let heights = self.growth(changed, &self.tops, |_, area, lines| {
            (area.top, area.bottom, lines.len())
        });
        // A bar in a text may stand below a corner by chance, and look like a border.
        for _ in 0..TRIES {
            let drawn = self.drawn(lines, changed, &widths, &heights);
            if self.is_kept(&drawn) {
                return drawn;
            }
            for width in &mut widths {
                *width += 1;
            }
        }
        self.drawn(lines, changed, &widths, &heights)
    }

    /// Works out by how much the room between each two borders grows; those cells that reach over the
    /// fewest come first, and a lack is made up before the last border.
    fn growth(
        &self,
        changed: &Changed,
        borders: &[usize],
        need: impl Fn(usize, &Area, &[String]) -> (usize, usize, usize),
    ) -> Vec<usize> {
        let mut growth = vec![0; borders.len().saturating_sub(1)];
        let cells = self.areas.iter().enumerate().zip(changed);
        let wanted = cells.filter_map(|((index, area), lines)| {
            let (from, to, need) = need(index, area, lines.as_ref()?);
            Some((
                place(borders, from)?,
                place(borders, to)?,
                need,
                to - from - 1,
            ))
        });
        let mut wanted: Vec<_> = wanted.collect();
        wanted.sort_by_key(|(from, to, ..)| to - from);
        for (from, to, need, room) in wanted {
            let Some(spanned) = growth.get_mut(from..to) else {
                continue;
            };
            let room = room + spanned.iter().sum::<usize>();
            if let Some(last) = spanned.last_mut() {
                *last += need.saturating_sub(room);
            }
        }
        growth
    }

    fn drawn(
        &self,
        lines: &[Line<'_>],
        changed: &Changed,
        widths: &[usize],
        heights: &[usize],
    ) -> String {
        let mut pen = Pen {
            grid: self,
            lines,
            changed,
            widths,
            done: vec![0; self.areas.len()],
            out: String::new(),
        };
        let mut rows = self.tops.iter().skip(1).zip(heights).peekable();
        for (index, line) in lines.iter().enumerate() {
            pen.row(index, false);
            pen.out.push_str(line.after);
            if let Some((_, growth)) = rows.next_if(|(bottom, _)| **bottom == index + 1) {
                for _ in 0..*growth {
                    pen.row(index, true);
                    pen.out.push_str(line.end());
                }
            }
        }
        pen.out
    }

    /// Tells whether a drawn table has the same cells in the same order.
    fn is_kept(&self, drawn: &str) -> bool {
        let span = crate::Span::new(0, drawn.len());
        let lines = super::line::read(drawn, span);
        let again = lines.as_deref().and_then(Self::read);
        let ranks = |grid: &Self| {
            let rank = |area: &Area| {
                Some([
                    place(&grid.tops, area.top)?,
                    place(&grid.lefts, area.left)?,
                    place(&grid.tops, area.bottom)?,
                    place(&grid.lefts, area.right)?,
                ])
            };
            grid.areas.iter().map(rank).collect::<Vec<_>>()
        };
        again.is_some_and(|(again, _)| ranks(&again) == ranks(self))
    }
}

fn place(borders: &[usize], at: usize) -> Option<usize> {
    borders.binary_search(&at).ok()
}

/// Draws lines from left to right.
struct Pen<'g> {
    grid: &'g Grid,
    lines: &'g [Line<'g>],
    changed: &'g Changed,
    widths: &'g [usize],
    /// For each cell, how many of its lines are drawn.
    done: Vec<usize>,
    out: String,
}

impl Pen<'_> {
    /// Draws a line, or one more like it.
    fn row(&mut self, index: usize, is_added: bool) {
        let (Some(line), Some(owners)) = (self.lines.get(index), self.grid.owners.get(index))
        else {
            return;
        };
        let lefts = &self.grid.lefts;
        self.out.push_str(line.prefix);
        let mut at = 0;
        while let Some(owner) = owners.get(at) {
            let same = owners.iter().skip(at).take_while(|next| *next == owner);
            let n = if owner.is_some() { same.count() } else { 1 };
            let (from, to) = (lefts.get(at), lefts.get(at + n));
            let (Some(&from), Some(&to)) = (from, to) else {
                return;
            };
            let growth = self.widths.get(at..at + n).unwrap_or_default();
            let growth: usize = growth.iter().sum();
            self.border(line, from, is_added);
            if let Some(cell) = owner {
                self.text(*cell, to - from - 1 + growth);
            } else {
                let rule = line.part(from + 1, to).map_or("", |(rule, _)| rule);
                let mark = rule.get(rule.len().saturating_sub(1)..);
                self.out.push_str(rule);
                self.out.push_str(&mark.unwrap_or("-").repeat(growth));
            }
            at += n;
        }
        self.border(line, lefts.last().copied().unwrap_or(0), is_added);
    }

    fn border(&mut self, line: &Line<'_>, column: usize, is_added: bool) {
        let own = line.at(column).filter(|_| !is_added);
        self.out.push(own.map_or('|', char::from));
    }

    /// Draws the next line of a cell.
    fn text(&mut self, cell: usize, width: usize) {
        let area = self.grid.areas.get(cell).copied();
        let (Some(done), Some(area)) = (self.done.get_mut(cell), area) else {
            return;
        };
        let index = *done;
        *done += 1;
        let text = if let Some(Some(lines)) = self.changed.get(cell) {
            lines.get(index).map(String::as_str)
        } else {
            let inside = area.top + 1 + index < area.bottom;
            let line = self.lines.get(area.top + 1 + index).filter(|_| inside);
            line.and_then(|line| Some(line.part(area.left + 1, area.right)?.0))
        };
        let text = text.unwrap_or_default();
        self.out.push_str(text);
        pad(&mut self.out, width.saturating_sub(columns_of(text)));
    }
}
