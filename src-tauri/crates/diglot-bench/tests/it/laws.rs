//! Laws 1, 2, 3 and 7 of PERFORMANCE 10: a session of N and one of 10 N units are walked through, and what is counted
//! at each step is compared. Counters only, so that a slow machine changes nothing.

use diglot_bench::figures::{Step, Walk, walk};

/// Units of a chunk by default.
const CHUNK: usize = 32;
/// Units of the short session: whole chunks, so that both sessions end alike.
const N: usize = 2 * CHUNK;

/// Asserts that a counter of the long session is at most a tenth above the short one's.
fn assert_flat(what: &str, short: usize, long: usize) {
    assert!(
        long * 10 <= short * 11,
        "{what} grows from {short} to {long}"
    );
}

fn largest(walk: &Walk, of: impl Fn(&Step) -> usize) -> usize {
    walk.steps.iter().map(of).max().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_step_does_not_grow_with_the_session() {
    let short = walk(N).await.unwrap();
    let long = walk(10 * N).await.unwrap();
    // 1: the answer to a decision is what the screen gets, and one request and one answer is what a unit takes.
    let answer = |step: &Step| step.answer_bytes;
    assert_flat(
        "the answer to a decision",
        largest(&short, answer),
        largest(&long, answer),
    );
    assert_flat(
        "requests for ten units",
        short.n_requests * 10,
        long.n_requests,
    );
    // 2: the prompt has one size, and the second half of a session takes no more than the first.
    let request = |step: &Step| step.request_bytes;
    assert_flat(
        "a request",
        largest(&short, request),
        largest(&long, request),
    );
    let (first, second) = long.steps.split_at(long.steps.len() / 2);
    let sum = |steps: &[Step]| steps.iter().map(request).sum::<usize>();
    assert_flat("the requests of half a session", sum(first), sum(second));
    // 3: within a chunk each request begins with the one before, and a chunk opens for its units only.
    for walk in [&short, &long] {
        let n_chunks = walk.steps.len().div_ceil(CHUNK);
        assert!(
            walk.n_openings <= 2 * n_chunks + 2,
            "{} openings",
            walk.n_openings
        );
    }
    // 7: a target is written for many decisions at once.
    let n_writes = long.n_writes;
    assert!(n_writes > 0, "nothing was written");
    let seconds = usize::try_from(long.duration.as_secs()).unwrap();
    assert!(n_writes <= seconds + 2, "{n_writes} writes in {seconds} s");
}
