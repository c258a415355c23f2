//! Target files that a disk refuses for a while.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_target_that_was_refused_is_tried_again_without_another_decision() {
    let bench = Bench::new(&[("intro.md", INTRO)]);
    let id = bench.start("de").await;
    let target = bench.target("de", "intro.md");
    let folder = target.parent().unwrap();
    std::fs::write(folder, "in the way").unwrap();
    let draft = proposals(&bench.run(id).await)[0].clone();
    let decision = refine("Titel");
    bench.respond(id, &draft.call_id, decision).await.unwrap();
    let problem = loop {
        let problems = bench.view(id).await.target_problems;
        if let Some(problem) = problems.into_iter().next() {
            break problem;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(problem.error.code, ErrorCode::TargetNotWritable);
    std::fs::remove_file(folder).unwrap();
    bench.wb().close().await;
    assert!(bench.target_text("de", "intro.md").starts_with("# Titel"));
    assert_eq!(bench.view(id).await.target_problems, []);
}
