//! Tests of the word diff: its laws, and what a person sees of an edit.

use proptest::prelude::*;

use super::*;

fn check(draft: &str, target: &str, marked: &str) {
    assert_eq!(TargetDiff::between(draft, target).to_marked_text(), marked);
}

fn join(diff: &TargetDiff, left_out: DiffKind) -> String {
    let kept = diff.pieces.iter().filter(|piece| piece.kind != left_out);
    kept.map(|piece| piece.text.as_str()).collect()
}

fn assert_laws(draft: &str, target: &str) {
    let diff = TargetDiff::between(draft, target);
    assert_eq!(join(&diff, DiffKind::Added), draft);
    assert_eq!(join(&diff, DiffKind::Removed), target);
    assert!(diff.pieces.iter().all(|piece| !piece.text.is_empty()));
    assert!(
        diff.pieces
            .windows(2)
            .all(|pair| pair[0].kind != pair[1].kind)
    );
    assert_eq!(diff.is_unchanged(), draft == target);
}

#[test]
fn words_are_compared_whole() {
    check(
        "Öffnen Sie den Deckel.",
        "Öffnen Sie die Abdeckung.",
        "Öffnen Sie [-den-]{+die+} [-Deckel-]{+Abdeckung+}.",
    );
    check("same", "same", "same");
    check("", "", "");
    check("", "new", "{+new+}");
    check("old", "", "[-old-]");
}

#[test]
fn chinese_is_compared_by_characters() {
    let diff = TargetDiff::between("请重新启动服务器以应用更改。", "请重启服务器以应用修改。");
    assert_eq!(
        diff.to_marked_text(),
        "请重[-新-]启[-动-]服务器以应用[-更-]{+修+}改。"
    );
    let equal: usize = diff
        .pieces
        .iter()
        .filter(|piece| piece.kind == DiffKind::Equal)
        .map(|piece| piece.text.graphemes(true).count())
        .sum();
    assert!(equal * 2 >= "请重新启动服务器以应用更改。".graphemes(true).count());
}

#[test]
fn kana_are_compared_by_characters() {
    check("サーバーを再起動", "サーバを再起動", "サーバ[-ー-]を再起動");
}

#[test]
fn clusters_stay_whole() {
    check(
        "Gru\u{308}n 👩‍🚒",
        "Grün 👩‍🚀",
        "[-Gru\u{308}n-]{+Grün+} [-👩‍🚒-]{+👩‍🚀+}",
    );
}

#[test]
fn long_unrelated_texts_end_in_time_and_keep_the_laws() {
    let draft: String = (0..20_000_u32)
        .filter_map(|n| char::from_u32(0x4E00 + n * 7 % 20_000))
        .collect();
    let target: String = (0..20_000_u32)
        .filter_map(|n| char::from_u32(0x4E00 + n * 11 % 20_000))
        .collect();
    assert_laws(&draft, &target);
}

proptest! {
    #[test]
    fn pieces_join_to_both_texts(draft in "\\PC{0,60}", target in "\\PC{0,60}") {
        assert_laws(&draft, &target);
    }

    #[test]
    fn edits_of_shared_words_join_to_both_texts(
        draft in "([ab ,.]|重|启|ー|\r\n|e\u{301}){0,40}",
        target in "([ab ,.]|重|启|ー|\r\n|e\u{301}){0,40}",
    ) {
        assert_laws(&draft, &target);
    }
}

#[test]
fn of_large_texts_what_differs_in_the_middle_is_replaced() {
    let many = |word: &str| format!("{word} ").repeat(1_500);
    let (draft, target) = (
        format!("Same. {}x end.", many("old")),
        format!("Same. {}x end.", many("new")),
    );
    let diff = TargetDiff::between(&draft, &target);
    let kinds: Vec<DiffKind> = diff.pieces.iter().map(|piece| piece.kind).collect();
    assert_eq!(
        kinds,
        [
            DiffKind::Equal,
            DiffKind::Removed,
            DiffKind::Added,
            DiffKind::Equal
        ]
    );
    let joined = |left_out: DiffKind| -> String {
        let pieces = diff.pieces.iter().filter(|piece| piece.kind != left_out);
        pieces.map(|piece| piece.text.as_str()).collect()
    };
    assert_eq!(joined(DiffKind::Added), draft);
    assert_eq!(joined(DiffKind::Removed), target);
}

#[test]
fn the_same_texts_give_the_same_diff_however_long_it_takes() {
    let old: Vec<String> = (0..900).map(|n| format!("w{n}")).collect();
    let new: Vec<String> = (0..900).map(|n| format!("w{}", (n * 7) % 900)).collect();
    let (old, new) = (old.join(" "), new.join(" "));
    let first = TargetDiff::between(&old, &new);
    assert_eq!(TargetDiff::between(&old, &new), first);
    assert!(first.pieces.len() > 4, "compared word by word");
}
