//! The proof that it learns, over a text that is just long enough for all habits.

use diglot_bench::learning::prove;

#[tokio::test(flavor = "multi_thread")]
async fn eight_habits_are_learnt_and_kept() {
    let (table, missed) = prove(150).await.unwrap();
    assert!(missed.is_empty(), "{missed:?}\n{table}");
}
