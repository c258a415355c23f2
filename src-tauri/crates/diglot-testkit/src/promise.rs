//! Figures of the promises P1 to P44 of SECURITY.md: the line in which a harness tells one, and how deep a run goes.
//! Knows no promise's meaning.

use std::env;
use std::fmt;

/// Variable that asks for the figures of a release in place of those of every run.
pub const DEPTH: &str = "RELIABILITY";

/// Begins each line, so that a reader finds it among what tests print.
const MARK: &str = "promise P";
const PARTS: &str = " | ";
const HELD: &str = "held";
const BROKEN: &str = "BROKEN";

/// Tells how deep a run of the harnesses goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// In every run of the suite.
    Fast,
    /// Before a release: `RELIABILITY=full`.
    Full,
}

impl Depth {
    /// Returns the depth that the environment asks for.
    #[must_use]
    pub fn of_run() -> Self {
        match env::var(DEPTH) {
            Ok(word) if word == "full" => Self::Full,
            Ok(_) | Err(_) => Self::Fast,
        }
    }

    /// Returns the number for this depth.
    #[must_use]
    pub fn pick<T>(self, fast: T, full: T) -> T {
        match self {
            Self::Fast => fast,
            Self::Full => full,
        }
    }
}

/// Holds what a harness saw of one promise. Shown, it is one line; a line reads back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promise {
    /// Number of the promise, 1 to 44.
    pub number: u8,
    /// Whether what was seen meets the goal.
    pub is_held: bool,
    /// What was seen: counts and times.
    pub figure: String,
    /// What should be seen.
    pub goal: String,
}

impl Promise {
    /// Makes the line of a promise.
    #[must_use]
    pub fn new(number: u8, is_held: bool, figure: impl Into<String>, goal: &str) -> Self {
        let (figure, goal) = (figure.into(), goal.to_owned());
        Self {
            number,
            is_held,
            figure,
            goal,
        }
    }

    /// Prints the line, for the run that gathers them.
    ///
    /// # Panics
    /// When the promise is broken, which fails the test that measured it.
    pub fn tell(self) {
        #[expect(
            clippy::print_stdout,
            reason = "captured by the test harness unless asked for"
        )]
        {
            println!("{self}");
        }
        assert!(self.is_held, "{self}");
    }

    /// Reads a line; `None` for any other line of a test.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        // Before the first line of a test, its name may stand on the same line.
        let (_, line) = line.split_once(MARK)?;
        let mut parts = line.split(PARTS);
        let number = parts.next()?.parse().ok()?;
        let is_held = match parts.next()? {
            HELD => true,
            BROKEN => false,
            _ => return None,
        };
        Some(Self::new(number, is_held, parts.next()?, parts.next()?))
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = if self.is_held { HELD } else { BROKEN };
        let Self {
            number,
            figure,
            goal,
            ..
        } = self;
        write!(f, "{MARK}{number}{PARTS}{held}{PARTS}{figure}{PARTS}{goal}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_back() {
        for is_held in [true, false] {
            let promise = Promise::new(17, is_held, "0 of 60 attacks", "0");
            assert_eq!(Promise::read(&promise.to_string()), Some(promise.clone()));
            let behind = format!("test hostile ... {promise}");
            assert_eq!(Promise::read(&behind), Some(promise));
        }
        for other in [
            "test result: ok",
            "promise P",
            "promise P3 | perhaps | 1 | 1",
        ] {
            assert_eq!(Promise::read(other), None, "{other}");
        }
    }

    #[test]
    fn the_depth_picks() {
        assert_eq!(Depth::Fast.pick(200, 10_000), 200);
        assert_eq!(Depth::Full.pick(200, 10_000), 10_000);
    }
}
