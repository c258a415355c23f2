use proptest::prelude::*;

use super::read;
use crate::Format::Latex;
use crate::format::proof;

fn check(text: &str, expected: &[&str]) {
    proof::check(Latex, text, expected);
}

fn render(text: &str, ordinal: usize, target: &str) -> String {
    proof::render(Latex, text, ordinal, target)
}

#[test]
fn a_guide_reads_as_approved() {
    insta::assert_snapshot!(proof::listing(
        Latex,
        include_str!("../../../tests/fixtures/latex/guide.tex")
    ));
}

#[test]
fn preamble_and_end_are_no_text() {
    check(
        "\\documentclass{article}\nwords\n\\title{The \\emph{pump}}\n\\author{A. Nobody}\n\\newcommand{\\x}{some words}\n\\begin{document}\n\\maketitle\nOne.\n\\end{document}\nTwo.\n",
        &["The \\emph{pump}", "One."],
    );
    check("One.\n\nTwo.\n", &["One.", "Two."]);
}

#[test]
fn commands_part_the_text() {
    check(
        "\\section[Short one]{A \\textbf{title}}\\label{a}\nOne\ntwo\\footnote{A note.}\n\\par Three~\\cite{b}.\n\\begin{figure}[htbp]\n\\includegraphics[width=5cm]{a.png}\n\\caption{The pump}\n\\end{figure}\n",
        &[
            "Short one",
            "A \\textbf{title}",
            "One\ntwo\\footnote{A note.}",
            "Three~\\cite{b}.",
            "The pump",
        ],
    );
}

#[test]
fn groups_are_never_cut() {
    check(
        "{\\small All of it.}\n\n{\\em This} word.\n\n\\emph{Whole.}\n",
        &["All of it.", "{\\em This} word.", "Whole."],
    );
    check(
        "See {\\em one\n\ntwo} more.\n",
        &["See", "one", "two", "more."],
    );
    check(
        "\\unknown{two words} here \\ref{a}\n",
        &["\\unknown{two words} here \\ref{a}"],
    );
}

#[test]
fn lists_and_tables() {
    check(
        "\\begin{itemize}\n\\item One\n\\item[Two] three\n\\end{itemize}\n\\begin{tabular}{l|r}\n\\hline\nA word & B \\\\\n\\multicolumn{2}{c}{Two \\& more} \\\\[2pt]\n\\end{tabular}\n",
        &["One", "Two", "three", "A word", "B", "Two \\& more"],
    );
}

#[test]
fn code_formulas_and_comments_are_no_text() {
    check(
        "% a comment\n\\begin{verbatim}\nwords \\end\n\\end{verbatim}\n\\[ x = \\text{words} \\]\n$$y$$\n\\begin{align*}z\\end{align*}\n\\begin{lstlisting}[language=C]\nint x;\n\\end{lstlisting}\nLet $x$ be % aside\nmore.\n",
        &["Let $x$ be % aside\nmore."],
    );
}

#[test]
fn signs_of_tex_are_escaped() {
    for (target, expected) in [
        ("50 % & more_or #1", "50 \\% \\& more\\_or \\#1"),
        ("50 \\% \\& x", "50 \\% \\& x"),
        ("costs $5 and $6", "costs \\$5 and \\$6"),
        ("let $x^2$ be", "let $x^2$ be"),
        ("a } b { c", "a \\} b \\{ c"),
        ("\\emph{x_y} \\ref{a_b}", "\\emph{x\\_y} \\ref{a_b}"),
        ("x \\item y", "x \\textbackslash{}item y"),
        ("x \\", "x \\textbackslash{}"),
        ("[x] y", "{}[x] y"),
        ("\\verb|a", "\\textbackslash{}verb|a"),
    ] {
        assert_eq!(
            render("One.\n\nTwo.\n", 0, target),
            format!("{expected}\n\nTwo.\n")
        );
    }
    assert_eq!(render("\\item[Two] x\n", 0, "a]b"), "\\item[{a]b}] x\n");
    assert_eq!(render("\\noindent 1 one.\n", 0, "Um"), "\\noindent Um\n");
    assert_eq!(
        render("\\begin{tabular}{l}a & b\\end{tabular}", 0, "x & y \\\\ z"),
        "\\begin{tabular}{l}x \\& y   z & b\\end{tabular}"
    );
    assert_eq!(
        render("One % aside\ntwo.\n", 0, "eins % aside\nzwei"),
        "eins % aside\nzwei\n"
    );
}

#[test]
fn marks_without_end_take_linear_time() {
    let tokens = [
        "\\emph{a ",
        "{a ",
        "\\foo[",
        "\\label{",
        "\\(a ",
        "\\[a ",
        "$a\n\n",
        "\\verb|a\n",
        "a } ",
        "\\begin{a}",
        "\\item[a ",
        "% a\n",
        "\\cite[a]{",
        "&",
    ];
    for token in tokens {
        read(&token.repeat(10_000));
    }
}

proptest! {
    #[test]
    fn any_text_keeps_its_bytes_and_its_neighbours(
        text in "([a-z]{1,4}|[ \t~]|\r?\n|\r|\\\\[a-z]{1,3}|\\\\emph\\{|\\{|\\}|\\[|\\]|%|\\$|&|\\\\\\\\|\\\\section\\{|\\\\item |\\\\item\\[|\\\\begin\\{tabular\\}|\\\\end\\{tabular\\}|\\\\label\\{|\\\\cite|\\\\verb\\||\\\\\\(|\\\\\\)|_|日){0,40}",
        target in "([a-z]{1,4}|[ \t]|\n|\\\\emph\\{|\\{|\\}|\\[|\\]|%|\\$|&|\\\\|\\\\item |\\\\begin\\{a\\}|_|#|日){0,12}",
    ) {
        proof::prove_neighbours(Latex, &text, &format!("{target}a"));
    }
}
