//! Tests of what is remembered of a finding, and of what is looked at over a whole project.

use super::*;

#[test]
fn a_fingerprint_stays_and_tells_findings_apart() {
    let issue = |kind, missing: &[&str], extra: &[&str]| Issue {
        missing: owned(missing),
        extra: owned(extra),
        ..Issue::warning(kind)
    };
    let number = issue(IssueKind::Number, &["3"], &["4"]);
    assert_eq!(number.fingerprint(), "837dffcbec4ad032");
    let same = Issue {
        severity: Severity::Blocking,
        suggestion: Some("x".to_owned()),
        ..number.clone()
    };
    assert_eq!(same.fingerprint(), number.fingerprint());
    for other in [
        issue(IssueKind::Term, &["3"], &["4"]),
        issue(IssueKind::Number, &["3", "4"], &[]),
        issue(IssueKind::Number, &[], &["3", "4"]),
        issue(IssueKind::Number, &["34"], &[]),
        issue(IssueKind::Number, &["4"], &["3"]),
    ] {
        assert_ne!(other.fingerprint(), number.fingerprint(), "{other:?}");
    }
}

#[test]
fn one_source_with_two_targets_is_inconsistent() {
    let found = consistency([
        (1, "Save", "Speichern"),
        (2, "Save  ", "Sichern"),
        (3, "Store", "Speichern"),
        (4, "Save", " Speichern"),
        (5, "Open\nit", "Öffnen"),
        (6, "Open it", "Öffnen"),
        (7, "Save", ""),
    ]);
    let expected = Inconsistency {
        source: "Save".to_owned(),
        targets: vec![
            ("Speichern".to_owned(), vec![1, 4]),
            ("Sichern".to_owned(), vec![2]),
        ],
    };
    assert_eq!(found, [expected]);
}
