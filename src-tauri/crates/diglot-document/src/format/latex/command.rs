//! What is known of LaTeX's commands and environments: which hold text, and in which of their arguments.
//!
//! A pattern has one letter for each argument: `o` and `p` for one in brackets, without and with text,
//! `v` and `t` for one in braces, without and with text, `*` for as many as there are, `d` for a
//! definition's body.

use crate::SegmentKind;

/// Says what a command does to the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// Ends a paragraph.
    Break,
    /// Its texts are units of their own.
    Block(SegmentKind),
    /// Goes with the text around it, and holds text.
    Inline,
    /// Stands for something in the text: a reference, code, a formula.
    Content,
    /// Is seen nowhere, or only in how the text looks.
    Void,
    /// Unlike the others, not known.
    Unknown,
}

/// Returns what a command does, and the pattern of its arguments.
pub(crate) fn class(name: &str) -> (Class, &'static str) {
    use Class::{Block, Content, Inline, Void};
    match name {
        "part" | "chapter" | "title" | "addchap" => (Block(SegmentKind::Heading(1)), "pt"),
        "section" | "subtitle" | "frametitle" | "addsec" => (Block(SegmentKind::Heading(2)), "pt"),
        "subsection" | "framesubtitle" => (Block(SegmentKind::Heading(3)), "pt"),
        "subsubsection" => (Block(SegmentKind::Heading(4)), "pt"),
        "paragraph" => (Block(SegmentKind::Heading(5)), "pt"),
        "subparagraph" => (Block(SegmentKind::Heading(6)), "pt"),
        "caption" | "subcaption" | "legend" => (Block(SegmentKind::Caption), "pt"),
        "captionof" => (Block(SegmentKind::Caption), "vpt"),
        "item" => (Block(SegmentKind::ListItem), "p"),
        "abstract" | "keywords" | "dedication" => (Block(SegmentKind::Paragraph), "t"),
        "footnotetext" => (Block(SegmentKind::Paragraph), "ot"),

        "emph" | "textbf" | "textit" | "textsl" | "textsc" | "textsf" | "textrm" | "textup"
        | "textmd" | "textnormal" | "underline" | "uline" | "mbox" | "fbox" | "text"
        | "enquote" | "uppercase" | "MakeUppercase" | "MakeLowercase" | "alert" | "structure"
        | "textsuperscript" | "textsubscript" | "hl" | "st" | "so" | "textquote" | "thanks" => {
            (Inline, "t")
        }
        "footnote" | "marginpar" | "sidenote" | "hyperref" => (Inline, "ot"),
        "textcolor" | "colorbox" | "href" | "scalebox" => (Inline, "ovt"),
        "foreignlanguage" | "texorpdfstring" => (Inline, "vt"),
        "multicolumn" | "multirow" | "resizebox" => (Inline, "ovvt"),
        "parbox" | "makebox" | "framebox" => (Inline, "ooovt"),
        "raisebox" => (Inline, "voot"),

        "ref" | "eqref" | "pageref" | "autoref" | "cref" | "Cref" | "nameref" | "vref" | "gls"
        | "Gls" | "glspl" | "ac" | "acs" | "acf" | "acp" | "texttt" | "code" | "url"
        | "nolinkurl" | "path" | "ensuremath" | "si" | "num" | "footnotemark" | "citeauthor"
        | "citeyear" => (Content, "ov"),
        "cite" | "citep" | "citet" | "parencite" | "textcite" | "footcite" | "autocite" => {
            (Content, "oov")
        }
        "textbackslash" | "textasciitilde" | "textasciicircum" | "LaTeX" | "TeX" | "today" => {
            (Content, "v")
        }
        "mintinline" | "SI" | "qty" => (Content, "ovv"),

        "label" | "index" | "glossary" | "vspace" | "hspace" | "nocite" | "phantom"
        | "pagestyle" | "thispagestyle" | "pagenumbering" | "hyphenation" | "color"
        | "includegraphics" | "linespread" | "selectlanguage" | "enlargethispage"
        | "usetikzlibrary" => (Void, "ov"),
        "setcounter" | "addtocounter" | "fontsize" | "markboth" | "pdfbookmark" | "rule" => {
            (Void, "ovv")
        }
        "addcontentsline" => (Void, "vvv"),
        "noindent" | "indent" | "centering" | "raggedright" | "raggedleft" | "tiny"
        | "scriptsize" | "footnotesize" | "small" | "normalsize" | "large" | "Large" | "LARGE"
        | "huge" | "Huge" | "bfseries" | "mdseries" | "itshape" | "slshape" | "scshape"
        | "upshape" | "rmfamily" | "sffamily" | "ttfamily" | "normalfont" | "rm" | "bf" | "it"
        | "em" | "sf" | "tt" | "sc" | "sl" | "selectfont" | "phantomsection" | "hfill"
        | "vfill" | "hfil" | "vfil" | "quad" | "qquad" | "protect" | "null" | "strut"
        | "pagebreak" | "nopagebreak" | "sloppy" | "fussy" | "relax" | "leavevmode"
        | "ignorespaces" | "unskip" | "looseness" | "displaystyle" => (Void, "o"),
        _ => breaking(name).unwrap_or((Class::Unknown, "*")),
    }
}

/// Returns the pattern of a command that ends a paragraph.
fn breaking(name: &str) -> Option<(Class, &'static str)> {
    let pattern = match name {
        "par" | "maketitle" | "tableofcontents" | "listoffigures" | "listoftables" | "newpage"
        | "clearpage" | "cleardoublepage" | "appendix" | "frontmatter" | "mainmatter"
        | "backmatter" | "bigskip" | "medskip" | "smallskip" | "hline" | "toprule" | "midrule"
        | "bottomrule" | "printbibliography" | "makeatletter" | "makeatother" | "let"
        | "tabularnewline" | "endhead" | "endfirsthead" | "endfoot" | "endlastfoot" | "cr"
        | "pause" | "fi" | "else" => "o",
        "bibliography" | "bibliographystyle" | "input" | "include" | "subfile" | "usepackage"
        | "documentclass" | "RequirePackage" | "cline" | "cmidrule" | "hypersetup" | "lstset"
        | "tikzset" | "pgfplotsset" | "geometry" | "author" | "date" | "institute" | "email"
        | "affil" | "graphicspath" | "addbibresource" | "newcounter" | "newlength"
        | "lstinputlisting" | "inputminted" | "verbatiminput" | "VerbatimInput" | "tikz"
        | "includepdf" => "ov",
        "setlength"
        | "addtolength"
        | "DeclareMathOperator"
        | "definecolor"
        | "newtheorem"
        | "settowidth"
        | "newacronym"
        | "newglossaryentry" => "vovv",
        "newcommand"
        | "renewcommand"
        | "providecommand"
        | "DeclareRobustCommand"
        | "newenvironment"
        | "renewenvironment"
        | "NewDocumentCommand"
        | "newif" => "voovv",
        "def" | "gdef" | "edef" | "xdef" => "d",
        _ => return None,
    };
    Some((Class::Break, pattern))
}

/// Tells whether what an environment holds is no text.
pub(crate) fn is_verbatim(name: &str) -> bool {
    let name = name.trim_end_matches('*');
    matches!(
        name,
        "verbatim"
            | "Verbatim"
            | "BVerbatim"
            | "LVerbatim"
            | "SaveVerbatim"
            | "alltt"
            | "lstlisting"
            | "minted"
            | "comment"
            | "filecontents"
            | "luacode"
            | "asy"
            | "code"
            | "tikzpicture"
            | "pgfpicture"
            | "picture"
            | "forest"
            | "circuitikz"
            | "equation"
            | "align"
            | "alignat"
            | "aligned"
            | "gather"
            | "multline"
            | "eqnarray"
            | "math"
            | "displaymath"
            | "flalign"
            | "subequations"
            | "dmath"
            | "IEEEeqnarray"
            | "thebibliography"
            | "algorithmic"
            | "prooftree"
            | "pspicture"
            | "feynman"
            | "tikzcd"
            | "CodeChunk"
            | "CodeInput"
            | "CodeOutput"
            | "sourcecode"
            | "verbatimtab"
            | "macrocode"
            | "sloppyverbatim"
    )
}

/// Says what kind of text an environment holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Environment {
    Table,
    List,
    Quote,
    Other,
}

/// Returns what kind of text an environment holds, with what its arguments are.
pub(crate) fn environment(name: &str) -> (Environment, Class, &'static str) {
    use Environment::{List, Other, Quote, Table};
    let caption = Class::Block(SegmentKind::Caption);
    match name {
        "tabular" | "longtable" | "supertabular" | "tabu" | "longtabu" => {
            (Table, Class::Void, "ov")
        }
        "tabular*" | "tabularx" | "tabulary" | "xltabular" => (Table, Class::Void, "vov"),
        "tblr" | "NiceTabular" => (Table, Class::Void, "ov"),
        "itemize" | "enumerate" | "description" | "compactitem" | "compactenum" | "inparaenum" => {
            (List, Class::Void, "o")
        }
        "list" => (List, Class::Void, "vv"),
        "quote" | "quotation" | "verse" | "displayquote" => (Quote, Class::Void, "o"),
        "minipage" => (Other, Class::Void, "ooov"),
        "multicols" | "subfigure" | "subtable" | "column" | "spacing" | "adjustbox"
        | "otherlanguage" | "adjustwidth" | "scope" => (Other, Class::Void, "ov"),
        "wrapfigure" | "wraptable" | "CJK" | "CJK*" => (Other, Class::Void, "ovov"),
        "frame" => (Other, Class::Block(SegmentKind::Heading(2)), "ott"),
        "block" | "alertblock" | "exampleblock" => {
            (Other, Class::Block(SegmentKind::Heading(3)), "t")
        }
        "theorem" | "lemma" | "proof" | "definition" | "example" | "remark" | "corollary"
        | "proposition" | "axiom" | "note" | "claim" | "conjecture" | "thm" | "lem" | "defn" => {
            (Other, caption, "p")
        }
        _ => (Other, Class::Void, "o"),
    }
}
