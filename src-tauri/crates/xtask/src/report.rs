//! What the person at the terminal reads. The only file that prints.

use std::io::Write;
use std::time::Duration;

/// Prints one line.
#[expect(
    clippy::print_stdout,
    reason = "talking to the terminal is what this program is for"
)]
pub(crate) fn say(line: &str) {
    println!("{line}");
    // Children write to the same terminal or pipe: what is said first must stand first.
    drop(std::io::stdout().flush());
}

/// Opens a step with its title.
pub(crate) fn step(title: &str) {
    say(&format!("\n==> {title}"));
}

/// Prints an error with its causes, the last line that the program prints.
#[expect(
    clippy::print_stderr,
    reason = "talking to the terminal is what this program is for"
)]
pub(crate) fn fail(error: &anyhow::Error) {
    eprintln!("\nxtask: {error:#}");
}

/// Writes a duration as a person would read it: `0.4 s`, `12 s`, `3 min 05 s`.
pub(crate) fn duration(time: Duration) -> String {
    match time.as_secs() {
        0..=9 => format!("{:.1} s", time.as_secs_f32()),
        seconds @ 10..=59 => format!("{seconds} s"),
        seconds => format!("{} min {:02} s", seconds / 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;
    use std::time::Duration;

    #[test]
    fn durations_read_well() {
        let check = |ms, expected: &str| assert_eq!(duration(Duration::from_millis(ms)), expected);
        check(430, "0.4 s");
        check(12_800, "12 s");
        check(185_000, "3 min 05 s");
    }
}
