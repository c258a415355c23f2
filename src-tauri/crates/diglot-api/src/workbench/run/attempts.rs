//! What follows a failed model call: how often it is tried again, and how long is waited before. Owns the figures;
//! does not wait itself.

use std::hash::{BuildHasher, Hasher, RandomState};

use diglot_agent::ModelError;
use diglot_store::Attempt;

use crate::workbench::now;

/// Tries of one model call before the run stops (SPEC 10.9).
const TRIES: u32 = 5;
/// Longest wait before another try, in milliseconds; a server that asks for more ends the run.
const LONGEST_WAIT: u64 = 60_000;
/// Shortest wait before another try, in milliseconds, also where a server asks for less.
const SHORTEST_WAIT: u64 = 500;
/// Longest wait before the second try where the server names none, in milliseconds; doubled each time.
const FIRST_CEILING: u64 = 2_000;
/// Longest wait where the server names none, in milliseconds.
const LAST_CEILING: u64 = 30_000;
/// Answers that cannot be used before the run stops.
const UNUSABLE_ANSWERS: u32 = 3;

/// Returns a number that no other client of the same server draws too.
pub(super) fn chance() -> u64 {
    // Each state of this kind is seeded anew by the system.
    RandomState::new().build_hasher().finish()
}

/// Counts the tries of one model call.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Attempts {
    n_tries: u32,
    n_unusable: u32,
    shrunk: bool,
}

/// Says what follows a failure.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum After {
    /// Another try after so many milliseconds.
    Wait(u64),
    /// Another try now.
    AtOnce,
    /// Another try with a shorter request.
    Shrink,
    /// The run ends; the time is when the server will answer again, in Unix milliseconds.
    Stop(Option<i64>),
}

impl Attempts {
    /// Goes on from an attempt that was kept while its wait, in milliseconds, is not over. A longer one than a run
    /// waits is none: there the person who starts a run knows better.
    pub(super) fn kept(attempt: &Attempt, now: i64) -> Option<(Self, u64)> {
        let wait = u64::try_from(attempt.try_again_at?.checked_sub(now)?).ok()?;
        let attempts = Self {
            n_tries: attempt.n_tries,
            ..Self::default()
        };
        (1..=LONGEST_WAIT)
            .contains(&wait)
            .then_some((attempts, wait))
    }

    /// Returns how often the call was tried.
    pub(super) fn n_tries(&self) -> u32 {
        self.n_tries
    }

    /// Counts a failure and says what follows; `chance` spreads the waits of many clients.
    pub(super) fn after(&mut self, failure: &ModelError, chance: u64) -> After {
        self.n_tries += 1;
        match failure {
            ModelError::Transient { retry_after_ms, .. } => {
                let wait = retry_after_ms
                    .map_or_else(|| self.own_wait(chance), |told| told.max(SHORTEST_WAIT));
                if wait > LONGEST_WAIT {
                    let at = now().saturating_add(i64::try_from(wait).unwrap_or(i64::MAX));
                    return After::Stop(Some(at));
                }
                if self.n_tries >= TRIES {
                    After::Stop(None)
                } else {
                    After::Wait(wait)
                }
            }
            ModelError::Unusable { .. } => {
                self.n_unusable += 1;
                if self.n_unusable >= UNUSABLE_ANSWERS {
                    After::Stop(None)
                } else {
                    After::AtOnce
                }
            }
            ModelError::TooLarge { .. } if !self.shrunk => {
                self.shrunk = true;
                After::Shrink
            }
            ModelError::TooLarge { .. } | ModelError::NeedsPerson { .. } => After::Stop(None),
        }
    }

    /// Draws a wait, full jitter: anything up to a ceiling that doubles.
    fn own_wait(&self, chance: u64) -> u64 {
        let n_doubled = self.n_tries.saturating_sub(1).min(6);
        let ceiling = (FIRST_CEILING << n_doubled).min(LAST_CEILING);
        SHORTEST_WAIT + chance % (ceiling - SHORTEST_WAIT + 1)
    }
}

#[cfg(test)]
pub(in crate::workbench) mod tests {
    use diglot_agent::message::Usage;
    use diglot_agent::model::PersonCause;

    use super::*;

    fn transient(retry_after_ms: Option<u64>) -> ModelError {
        ModelError::Transient {
            retry_after_ms,
            status: Some(429),
            detail: String::new(),
        }
    }

    #[test]
    fn waits_as_told_and_not_for_ever() {
        let mut attempts = Attempts::default();
        for told in [3_000, 60_000] {
            let after = attempts.after(&transient(Some(told)), 9);
            assert_eq!(after, After::Wait(told));
        }
        let short = attempts.after(&transient(Some(0)), 9);
        assert_eq!(short, After::Wait(SHORTEST_WAIT));
        for told in [60_001, 3_600_000, u64::MAX] {
            let long = Attempts::default().after(&transient(Some(told)), 9);
            assert!(
                matches!(long, After::Stop(Some(at)) if at > now()),
                "{long:?}"
            );
        }
    }

    #[test]
    fn what_a_person_must_mend_is_not_tried_again() {
        for cause in [
            PersonCause::NoKey,
            PersonCause::Unauthorized,
            PersonCause::Billing,
            PersonCause::UnknownModel,
            PersonCause::Unreachable,
            PersonCause::Unsupported,
            PersonCause::Refused,
        ] {
            let failure = ModelError::NeedsPerson {
                cause,
                status: None,
                detail: String::new(),
            };
            assert_eq!(Attempts::default().after(&failure, 9), After::Stop(None));
        }
    }

    #[test]
    fn shrinks_once_and_takes_few_useless_answers() {
        let mut attempts = Attempts::default();
        let large = ModelError::TooLarge {
            detail: String::new(),
        };
        assert_eq!(attempts.after(&large, 9), After::Shrink);
        assert_eq!(attempts.after(&large, 9), After::Stop(None));
        let mut attempts = Attempts::default();
        let useless = ModelError::Unusable {
            detail: String::new(),
            usage: Usage::default(),
        };
        assert_eq!(attempts.after(&useless, 9), After::AtOnce);
        assert_eq!(attempts.after(&useless, 9), After::AtOnce);
        assert_eq!(attempts.after(&useless, 9), After::Stop(None));
    }

    #[test]
    fn a_wait_that_was_cut_short_goes_on_and_a_long_one_is_for_the_person() {
        let kept = |try_again_at| Attempt {
            error: serde_json::Value::Null,
            try_again_at,
            n_tries: 2,
            at: 0,
        };
        let before = Attempts {
            n_tries: 2,
            ..Attempts::default()
        };
        assert_eq!(
            Attempts::kept(&kept(Some(1_500)), 1_000),
            Some((before, 500))
        );
        for at in [None, Some(1_000), Some(999), Some(61_001), Some(i64::MIN)] {
            assert_eq!(Attempts::kept(&kept(at), 1_000), None, "{at:?}");
        }
    }

    /// Draws the waits of many clients and returns those before the second to the fifth try, each sorted.
    ///
    /// # Panics
    /// When there are not four waits and then a stop.
    pub(in crate::workbench) fn drawn(n_clients: usize) -> [Vec<u64>; 4] {
        let mut drawn: [Vec<u64>; 4] = Default::default();
        for _ in 0..n_clients {
            let mut attempts = Attempts::default();
            for waits in &mut drawn {
                let after = attempts.after(&transient(None), chance());
                let After::Wait(wait) = after else {
                    panic!("{after:?}");
                };
                waits.push(wait);
            }
            assert_eq!(
                attempts.after(&transient(None), chance()),
                After::Stop(None)
            );
        }
        for waits in &mut drawn {
            waits.sort_unstable();
        }
        drawn
    }
}
