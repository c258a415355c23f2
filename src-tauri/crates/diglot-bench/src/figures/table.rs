//! The printed table. Owns units and columns.

use std::fmt;
use std::time::Duration;

/// Holds rows of text: a figure and its values.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Adds a row.
    pub fn row(&mut self, figure: &str, values: &[String]) {
        self.rows.push(
            std::iter::once(figure.to_owned())
                .chain(values.iter().cloned())
                .collect(),
        );
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..n_columns).map(width).collect();
        for row in &self.rows {
            let mut line = String::new();
            for (place, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let pad = " ".repeat(width - cell.chars().count());
                let parts = if place == 0 {
                    [cell.as_str(), &pad]
                } else {
                    [&pad, cell.as_str()]
                };
                line.push_str(&parts.concat());
                line.push_str("  ");
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        Ok(())
    }
}

/// Holds the middle and the tail of a set of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    /// The median.
    pub p50: Duration,
    /// The time that 95 of 100 keep.
    pub p95: Duration,
}

impl Spread {
    /// Measures a set of times; zero for an empty one.
    pub fn of(times: impl IntoIterator<Item = Duration>) -> Self {
        let mut times: Vec<Duration> = times.into_iter().collect();
        times.sort();
        let at = |percent: usize| {
            let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
            times.get(place).copied().unwrap_or_default()
        };
        Self {
            p50: at(50),
            p95: at(95),
        }
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} / {}", milliseconds(self.p50), milliseconds(self.p95))
    }
}

/// Writes a time in milliseconds.
pub fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

/// Writes a number of bytes.
pub fn bytes(n: u64) -> String {
    if n < 10_000 {
        return format!("{n} B");
    }
    let (kilo, tenths) = (n / 1000, n % 1000 / 100);
    if kilo < 10_000 {
        format!("{kilo}.{tenths} kB")
    } else {
        format!("{} MB", kilo / 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::default();
        table.row("a", &["10".into(), "x".into()]);
        table.row("long", &["7".into()]);
        assert_eq!(table.to_string(), "a     10  x\nlong   7\n");
    }

    #[test]
    fn a_spread_is_taken_from_the_sorted_times() {
        let times = (1..=100).rev().map(Duration::from_millis);
        let spread = Spread::of(times);
        assert_eq!((spread.p50.as_millis(), spread.p95.as_millis()), (51, 96));
        assert_eq!(Spread::of([]).p95, Duration::ZERO);
    }

    #[test]
    fn bytes_are_readable() {
        for (n, expected) in [
            (9_999, "9999 B"),
            (12_345, "12.3 kB"),
            (15_000_000, "15 MB"),
        ] {
            assert_eq!(bytes(n), expected);
        }
    }
}
