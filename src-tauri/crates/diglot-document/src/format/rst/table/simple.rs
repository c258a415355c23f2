//! Tables whose columns stand below runs of `=`, without marks at the sides of cells. Owns rows, spans and
//! how the borders grow; must not know what cells hold.

use std::ops::Range;

use super::cell::Cell;
use super::line::Line;
use super::{Changed, pad, widest};
use crate::format::rows::columns_of;

/// Holds a run of a border: where it begins and ends, and the columns of the table below it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Run {
    start: usize,
    end: usize,
    columns: Range<usize>,
}

/// Holds a row: its lines, and the runs that divide it.
#[derive(Debug)]
struct Row {
    lines: Range<usize>,
    runs: Vec<Run>,
    /// Place of its first cell among all cells.
    first: usize,
}

/// Holds the rows of a table.
#[derive(Debug)]
pub(super) struct Simple {
    /// First and last column of each column.
    columns: Vec<(usize, usize)>,
    rows: Vec<Row>,
    /// Borders and underlines of spans, with their runs.
    rules: Vec<(usize, Vec<Run>)>,
}

impl Simple {
    /// Finds the rows; `None` when text stands between columns, or runs do not fit them.
    pub(super) fn read(lines: &[Line<'_>]) -> Option<(Self, Vec<Cell>)> {
        let columns = runs(lines.first()?.text);
        let (&(from, to), rest) = columns.split_first()?;
        let is_apart = rest.iter().all(|(start, _)| *start > 0);
        let mut simple = Self {
            columns: columns.clone(),
            rows: Vec::new(),
            rules: Vec::new(),
        };
        let whole = simple.fitted(&columns).filter(|_| is_apart && from == 0)?;
        simple.rules.push((0, whole.clone()));
        let mut cells = Vec::new();
        let (mut start, mut is_open) = (1, false);
        for (index, line) in lines.iter().enumerate().skip(1) {
            if is_rule(line.text) {
                let runs = simple.fitted(&runs(line.text))?;
                simple.rules.push((index, runs.clone()));
                if is_open {
                    simple.row(lines, start..index, runs, &mut cells)?;
                }
                (start, is_open) = (index + 1, false);
            } else if !line.part(from, to)?.0.trim().is_empty() {
                if is_open {
                    simple.row(lines, start..index, whole.clone(), &mut cells)?;
                }
                (start, is_open) = (index, true);
            }
        }
        // The last line is a border.
        (!is_open && start == lines.len()).then_some((simple, cells))
    }

    /// Finds the columns that runs stand below.
    fn fitted(&self, runs: &[(usize, usize)]) -> Option<Vec<Run>> {
        let mut next = 0;
        let mut fitted = Vec::with_capacity(runs.len());
        for &(start, end) in runs {
            let first = next;
            let ends = self.columns.iter().skip(first);
            next += ends.take_while(|(_, column)| *column < end).count() + 1;
            let fits = self.columns.get(first)?.0 == start && self.columns.get(next - 1)?.1 == end;
            if !fits {
                return None;
            }
            fitted.push(Run {
                start,
                end,
                columns: first..next,
            });
        }
        (next == self.columns.len()).then_some(fitted)
    }

    /// Takes the cells of a row; its last one has no bound.
    fn row(
        &mut self,
        lines: &[Line<'_>],
        range: Range<usize>,
        runs: Vec<Run>,
        cells: &mut Vec<Cell>,
    ) -> Option<()> {
        let first = cells.len();
        let rows = lines.get(range.clone())?;
        for (index, run) in runs.iter().enumerate() {
            let next = runs.get(index + 1).map(|next| next.start);
            let end = if next.is_some() { run.end } else { usize::MAX };
            let mut parts = Vec::with_capacity(rows.len());
            for line in rows {
                parts.push(line.part(run.start, end)?);
                let margin = next.map(|next| line.part(run.end, next));
                if margin.is_some_and(|margin| margin.is_none_or(|(gap, _)| !gap.trim().is_empty()))
                {
                    return None;
                }
            }
            cells.push(Cell::new(&parts));
        }
        self.rows.push(Row {
            lines: range,
            runs,
            first,
        });
        Some(())
    }

    /// Returns each cell's run.
    fn runs(&self) -> impl Iterator<Item = &Run> {
        self.rows.iter().flat_map(|row| &row.runs)
    }

    /// Returns the columns that a cell has.
    pub(super) fn room(&self, cell: usize) -> usize {
        let row = self.rows.partition_point(|row| row.first <= cell);
        let row = row.checked_sub(1).and_then(|row| self.rows.get(row));
        let run = row.and_then(|row| row.runs.get(cell - row.first));
        run.map_or(0, |run| run.end - run.start)
    }

    /// Draws the table with changed cells: columns and rows grow where they must, and columns never
    /// shrink.
    pub(super) fn draw(
        &self,
        lines: &[Line<'_>],
        cells: &[Cell],
        mut changed: Vec<Option<Vec<String>>>,
    ) -> String {
        // A further line in the first column would be a further row.
        for lines in self.rows.iter().map(|row| row.first) {
            if let Some(Some(lines)) = changed.get_mut(lines) {
                let mut whole = lines.iter().map(|line| line.trim_end());
                let first = whole.next().unwrap_or_default().to_owned();
                *lines = vec![whole.fold(first, |line, next| line + " " + next.trim_start())];
            }
        }
        let growth = self.growth(&changed);
        let mut out = String::new();
        let mut at = 0;
        let mut rows = self.rows.iter().peekable();
        let mut rules = self.rules.iter().peekable();
        while let Some(line) = lines.get(at) {
            if let Some(row) = rows.next_if(|row| row.lines.start == at) {
                let drawn = Drawn {
                    row,
                    lines,
                    cells: cells.get(row.first..).unwrap_or_default(),
                    changed: changed.get(row.first..).unwrap_or_default(),
                    growth: &growth,
                };
                drawn.write(&mut out);
                at = row.lines.end;
                continue;
            }
            out.push_str(line.prefix);
            match rules.next_if(|(index, _)| *index == at) {
                Some((_, runs)) => rule(&mut out, line, runs, &growth),
                None => out.push_str(line.text),
            }
            out.push_str(line.after);
            at += 1;
        }
        out
    }

    /// Works out by how much each column grows; cells of one column come first.
    fn growth(&self, changed: &Changed) -> Vec<usize> {
        let mut growth = vec![0; self.columns.len()];
        let cells = self.runs().zip(changed);
        let mut wanted: Vec<_> = cells
            .filter_map(|(run, lines)| Some((run, widest(lines.as_ref()?))))
            .collect();
        wanted.sort_by_key(|(run, _)| run.columns.len());
        for (run, need) in wanted {
            if let Some(spanned) = growth.get_mut(run.columns.clone()) {
                let room = run.end - run.start + spanned.iter().sum::<usize>();
                if let Some(last) = spanned.last_mut() {
                    *last += need.saturating_sub(room);
                }
            }
        }
        growth
    }
}

/// Tells whether a line is a border or underlines spans.
fn is_rule(text: &str) -> bool {
    let of = |mark: u8| {
        text.as_bytes().first() == Some(&mark) && text.bytes().all(|b| b == mark || b == b' ')
    };
    of(b'=') || of(b'-')
}

/// Returns where the runs of a border begin and end.
fn runs(text: &str) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in text.bytes().enumerate().filter(|(_, b)| *b != b' ') {
        match runs.last_mut() {
            Some((_, end)) if *end == at => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs
}

fn rule(out: &mut String, line: &Line<'_>, runs: &[Run], growth: &[usize]) {
    let mut at = 0;
    for run in runs {
        pad(out, run.start - at);
        let own = line.text.get(run.start..run.end).unwrap_or_default();
        out.push_str(own);
        let wider: usize = growth
            .get(run.columns.clone())
            .unwrap_or_default()
            .iter()
            .sum();
        out.push_str(&own.get(..1).unwrap_or_default().repeat(wider));
        at = run.end;
    }
}

/// Draws one row.
struct Drawn<'s> {
    row: &'s Row,
    lines: &'s [Line<'s>],
    /// Its cells, and further ones.
    cells: &'s [Cell],
    changed: &'s Changed,
    growth: &'s [usize],
}

impl Drawn<'_> {
    fn write(&self, out: &mut String) {
        let lines = self.lines.get(self.row.lines.clone()).unwrap_or_default();
        let n_cells = self.row.runs.len();
        let cells = self.cells.iter().zip(self.changed).take(n_cells);
        let height = |(cell, lines): (&Cell, &Option<Vec<String>>)| {
            lines.as_ref().map_or(cell.height, Vec::len)
        };
        let old = self.cells.iter().take(n_cells).map(|cell| cell.height);
        let (old, new) = (old.max().unwrap_or(0), cells.map(height).max().unwrap_or(0));
        let stays = self.changed.iter().take(n_cells).all(Option::is_none)
            && self.growth.iter().all(|growth| *growth == 0);
        let last = lines.get(old.saturating_sub(1));
        for (index, line) in lines.iter().enumerate() {
            if stays || index >= old {
                out.extend([line.prefix, line.text, line.after]);
            } else if index < new {
                self.line(out, index, line, line.after);
            }
            if index + 1 == old
                && let Some(last) = last
            {
                for added in old..new {
                    self.line(out, added, last, last.end());
                }
            }
        }
    }

    /// Draws one line of the row; nothing but its end where it holds nothing.
    fn line(&self, out: &mut String, index: usize, line: &Line<'_>, after: &str) {
        let mut text = String::new();
        let mut at = 0;
        let mut grown = 0;
        for (place, run) in self.row.runs.iter().enumerate() {
            let start = run.start + grown;
            pad(&mut text, start - at);
            let own = match self.changed.get(place) {
                Some(Some(lines)) => lines.get(index).map(String::as_str),
                _ => self.own(index, run, place + 1 == self.row.runs.len()),
            };
            let own = own.unwrap_or_default();
            text.push_str(own);
            at = start + columns_of(own);
            let wider = self.growth.get(run.columns.clone()).unwrap_or_default();
            grown += wider.iter().sum::<usize>();
        }
        let text = text.trim_end_matches(' ');
        if text.is_empty() {
            out.push_str(line.end());
        } else {
            // A blank line may be shorter than what stands before the table.
            let first = self.lines.get(self.row.lines.start);
            out.extend([first.map_or("", |first| first.prefix), text, after]);
        }
    }

    fn own(&self, index: usize, run: &Run, is_last: bool) -> Option<&str> {
        let line = self.lines.get(self.row.lines.clone())?.get(index)?;
        let end = if is_last { usize::MAX } else { run.end };
        Some(line.part(run.start, end)?.0)
    }
}
