//! How long a server asks to wait: `Retry-After` in all its forms. Must not wait itself.

use std::time::{SystemTime, UNIX_EPOCH};

use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// Longest wait that is believed, in milliseconds: a year. What a server says beyond is a fault of its own, and no
/// calendar shows it.
const LONGEST: u64 = 365 * 24 * 3_600 * 1_000;

/// Works out the wait in milliseconds, a year at most: whole or broken seconds, an HTTP date, `retry-after-ms`,
/// `x-ratelimit-reset`. A date counts from the server's own clock where it sends it.
pub(crate) fn retry_after_ms(headers: &HeaderMap, now: SystemTime) -> Option<u64> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let date = |text: &str| httpdate::parse_http_date(text).ok();
    let now = text(DATE.as_str()).and_then(date).unwrap_or(now);
    let asked = text(RETRY_AFTER.as_str());
    text("retry-after-ms")
        .and_then(|text| millis(text, 1.0))
        .or_else(|| asked.and_then(seconds))
        .or_else(|| asked.and_then(date).map(|then| until(then, now)))
        .or_else(|| text("x-ratelimit-reset").and_then(|text| reset(text, now)))
        .map(|wait| wait.min(LONGEST))
}

/// Reads whole or broken seconds, as milliseconds.
pub(crate) fn seconds(text: &str) -> Option<u64> {
    millis(text, 1000.0)
}

fn millis(text: &str, scale: f64) -> Option<u64> {
    let number: f64 = text.trim().parse().ok()?;
    // Rounded up: asking a moment too early costs another refusal.
    let millis = (number * scale).ceil();
    #[expect(
        clippy::cast_sign_loss,
        reason = "finite and not negative, checked in the condition"
    )]
    (number.is_finite() && number >= 0.0).then_some(millis as u64)
}

fn until(then: SystemTime, now: SystemTime) -> u64 {
    let wait = then.duration_since(now).unwrap_or_default();
    u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)
}

/// Reads a moment in Unix seconds or milliseconds, or a number of seconds; told apart by size.
fn reset(text: &str, now: SystemTime) -> Option<u64> {
    let now = now.duration_since(UNIX_EPOCH).ok()?.as_millis();
    let now = u64::try_from(now).ok()?;
    let number = seconds(text)? / 1000;
    match number {
        0..1_000_000_000 => seconds(text),
        1_000_000_000..100_000_000_000 => Some((number * 1000).saturating_sub(now)),
        _ => Some(number.saturating_sub(now)),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn every_form_is_understood() {
        // 2025-10-09 08:53:20 UTC.
        let now = UNIX_EPOCH + Duration::from_secs(1_760_000_000);
        for (headers, expected) in [
            (vec![("retry-after", "2")], Some(2000)),
            (vec![("retry-after", "0")], Some(0)),
            (vec![("retry-after", "1.5")], Some(1500)),
            (vec![("retry-after", "3600")], Some(3_600_000)),
            (vec![("retry-after", "1e300")], Some(LONGEST)),
            (vec![("retry-after", "99999999999999999999")], Some(LONGEST)),
            (vec![("retry-after", "inf")], None),
            (vec![("retry-after", "")], None),
            (
                vec![("retry-after", "Tue, 09 Oct 2525 08:53:23 GMT")],
                Some(LONGEST),
            ),
            (
                vec![("retry-after", "Thu, 09 Oct 2025 08:53:23 GMT")],
                Some(3000),
            ),
            (
                vec![("retry-after", "Thu, 09 Oct 2025 08:53:00 GMT")],
                Some(0),
            ),
            (
                vec![
                    ("retry-after", "Thu, 09 Oct 2025 09:00:05 GMT"),
                    ("date", "Thu, 09 Oct 2025 09:00:00 GMT"),
                ],
                Some(5000),
            ),
            (vec![("retry-after-ms", "400")], Some(400)),
            (
                vec![("retry-after-ms", "400"), ("retry-after", "1")],
                Some(400),
            ),
            (vec![("x-ratelimit-reset", "7")], Some(7000)),
            (vec![("x-ratelimit-reset", "1760000004")], Some(4000)),
            (vec![("x-ratelimit-reset", "1760000005000")], Some(5000)),
            (vec![("retry-after", "soon")], None),
            (vec![("retry-after", "-1")], None),
            (vec![("retry-after", "NaN")], None),
            (vec![], None),
        ] {
            let map = headers
                .iter()
                .map(|(name, value)| {
                    (
                        HeaderName::from_static(name),
                        HeaderValue::from_static(value),
                    )
                })
                .collect();
            assert_eq!(retry_after_ms(&map, now), expected, "{headers:?}");
        }
    }
}
