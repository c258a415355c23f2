//! What the program tells its caller when it ends. Owns the numbers.

use std::process::ExitCode;

use diglot_api::error::{ApiError, ErrorCode};

/// Names how the program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Everything was done; for `translate`: every unit is confirmed.
    Done,
    /// Something went wrong.
    Failure,
    /// Units are open and wait for a person.
    Open,
    /// Another Diglot has the database open.
    Locked,
    /// The command line does not fit (`EX_USAGE` of sysexits).
    Usage,
}

impl Exit {
    /// Returns the number for the system.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Failure => 1,
            Self::Open => 2,
            Self::Locked => 3,
            Self::Usage => 64,
        }
    }

    /// Returns how the program ends after an error that nothing can be done about.
    pub(crate) fn of(error: &ApiError) -> Self {
        if error.code == ErrorCode::DatabaseLocked {
            Self::Locked
        } else if error.code == ErrorCode::BadLanguage || error.code == ErrorCode::BadSettings {
            Self::Usage
        } else {
            Self::Failure
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_end_the_program_in_three_ways() {
        for (code, expected) in [
            (ErrorCode::DatabaseLocked, 3),
            (ErrorCode::BadLanguage, 64),
            (ErrorCode::ModelUnreachable, 1),
        ] {
            assert_eq!(
                Exit::of(&ApiError::new(code, "")).code(),
                expected,
                "{code:?}"
            );
        }
    }
}
