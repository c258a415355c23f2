//! Runs the field cases of the repository: none may fail.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use diglot_bench::cases::{self, Report, Verdict};

const RUNNER: &str = env!("CARGO_BIN_EXE_diglot-cases");

async fn run(folder: &Path) -> Vec<Report> {
    let mut reports = Vec::new();
    for case in cases::find(folder).unwrap() {
        reports.push(cases::run(&case, Some(Path::new(RUNNER))).await);
    }
    reports
}

#[tokio::test(flavor = "multi_thread")]
async fn no_field_case_fails() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/cases");
    let reports = run(&folder).await;
    let failed: Vec<String> = reports
        .iter()
        .filter(|report| report.verdict() == Verdict::Failed)
        .map(ToString::to_string)
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    let n_passed = reports
        .iter()
        .filter(|report| report.verdict() == Verdict::Passed)
        .count();
    assert!(
        n_passed >= 50,
        "only {n_passed} of {} cases were run",
        reports.len()
    );
}

/// Writes a case and runs it.
async fn run_one(files: &[(&str, &str)]) -> Report {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join("X1").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut reports = run(folder.path()).await;
    reports.remove(0)
}

/// A runner that sees no fault is worth nothing: each key is held against something that it must refuse.
#[tokio::test(flavor = "multi_thread")]
async fn each_key_can_fail() {
    let text = "# Pump\n\nFill the **tank** before the first run.\n\n```\nrun it\n```\n";
    let wrong = [
        ("- UNITS: 3", "UNITS"),
        ("- INSIDE: [\"run it\"]", "INSIDE"),
        ("- OUTSIDE: [\"Fill the\"]", "OUTSIDE"),
        ("- PROTECT: [\"before the first\"]", "PROTECT"),
        ("- FINAL: out/doc.md", "FINAL"),
        ("- CHECK: UNITS of doc.md is 7", "CHECK"),
    ];
    for (line, key) in wrong {
        let expect = format!("# X1 a case\n- RT: yes\n{line}\n");
        let out = ("out/doc.md", "# Something else\n");
        let report = run_one(&[("expect.md", &expect), ("in/doc.md", text), out]).await;
        let failed: BTreeMap<&str, bool> = report
            .findings
            .iter()
            .map(|finding| (finding.key.as_str(), finding.fault.is_some()))
            .collect();
        assert_eq!(failed.get(key), Some(&true), "{line}: {report}");
        assert_eq!(failed.get("RT"), Some(&false), "{report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_run_is_passed_over_with_the_reason() {
    let skipped = [
        (
            vec![("expect.md", "# X1 a\n- RT: yes"), ("in/a.xyz", "x")],
            "no file of a format",
        ),
        (
            vec![
                ("expect.md", "# X1 a\n"),
                ("in/a.md", "x"),
                ("ops.json", "[]"),
            ],
            "needs ops.json",
        ),
        (vec![("expect.md", "# X1 a\n")], "neither in/ nor make.py"),
    ];
    for (files, reason) in skipped {
        let report = run_one(&files).await;
        let Verdict::Skipped(found) = report.verdict() else {
            panic!("{reason}: {report}")
        };
        assert!(found.contains(reason), "{found}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_script_and_a_wrong_verdict_fail() {
    let pairs = r#"[{"source": "Open {x}.", "translation": "Open.", "verdict": "good"}]"#;
    let report = run_one(&[
        ("expect.md", "# X1 a\n- FLAG: [\"placeholder\"]\n"),
        ("in/a.md", "Open {x}.\n"),
        ("apply.json", pairs),
    ])
    .await;
    assert_eq!(report.faults().len(), 1, "{report}");
    let script = r#"{"schema": "diglot-model-script/1", "target_language": "de", "document": "a.md",
        "turns": [{"status": 200, "json": {"choices": [{"message": {"role": "assistant", "content": "No."},
        "finish_reason": "stop"}]}}], "after": "stop"}"#;
    let report = run_one(&[
        (
            "expect.md",
            "# X1 a\n- FLAG: [\"refusal\"]\n- FINAL: out/a.md\n",
        ),
        ("in/a.md", "Open the lid.\n"),
        ("out/a.md", "Den Deckel.\n"),
        ("model.json", script),
    ])
    .await;
    assert_eq!(report.verdict(), Verdict::Failed, "{report}");
}
