//! Samples of prose: documents with paragraphs, headings and markup.

use super::Sample;

pub(super) const SAMPLES: &[Sample] = &[
    Sample::text(
        "guide.md",
        [
            "---\ntitle: The pump\n---\n\n",
            "## Step {n}\n\nTurn the *valve* `v{n}` to the left, then **wait** for {n} minutes.\nSee [the manual](m.md#s{n}).\n\n- Fill the tank\n- Close the lid\n\n| Part | Use |\n| --- | --- |\n| seal | keeps it dry |\n",
            "\n",
            "",
        ],
    ),
    Sample::text(
        "notes.txt",
        [
            "NOTES\n=====\n\n",
            "The valve {n} stands open at the start. Turn it to the left,\nthen wait for {n} minutes.\n\n  - Fill the tank.\n",
            "\n",
            "",
        ],
    ),
    Sample::text(
        "page.html",
        [
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>The pump</title></head>\n<body>\n",
            "<h2 id=\"s{n}\">Step {n}</h2>\n<p>Turn the <em>valve</em> to the left, then <a href=\"#s{n}\" title=\"how long\">wait</a> &amp; rest.</p>\n<pre>run {n}</pre>\n<img src=\"a.png\" alt=\"The open lid\">\n",
            "",
            "</body>\n</html>\n",
        ],
    ),
    Sample::text(
        "page.xhtml",
        [
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">\n<head><title>The pump</title></head>\n<body>\n",
            "<h2>Step {n}</h2>\n<p>Turn the <b>valve</b> to the left.<br/>Then wait.</p>\n",
            "",
            "</body>\n</html>\n",
        ],
    ),
    Sample::text(
        "guide.rst",
        [
            "The pump\n========\n\n",
            "Step {n}\n--------\n\nTurn the *valve* ``v{n}`` to the left, then wait. See :ref:`lid`.\n\n.. note:: The lid is hot.\n\n.. code-block:: sh\n\n   run {n}\n\n* Fill the tank\n* Close the lid\n",
            "\n",
            "",
        ],
    ),
    Sample::text(
        "tables.rst",
        [
            "The pump\n========\n\n",
            "+---------+------------------+\n| Step    | What to do       |\n+=========+==================+\n| Fill it | Turn the valve   |\n|         | to the *left*.   |\n+---------+------------------+\n| - Wait.                    |\n+---------+------------------+\n\n=======  ============\nPart     Use\n=======  ============\nSeal     keeps it in\n\nLid      closes it,\n         by hand\n=======  ============\n\n.. csv-table:: Parts {n}\n   :header: \"Part\", Use\n\n   Seal, \"Keeps \"\"it\"\" in, always\"\n",
            "\n",
            "",
        ],
    ),
    Sample::text(
        "guide.adoc",
        [
            "= The pump\n:toc:\n\n",
            "== Step {n}\n\nTurn the *valve* `v{n}` to the left, then wait.\n\nNOTE: The lid is hot.\n\n----\nrun {n}\n----\n\n* Fill the tank\n* Close the lid\n",
            "\n",
            "",
        ],
    ),
    Sample::text(
        "guide.tex",
        [
            "\\documentclass{article}\n\\title{The pump}\n\\begin{document}\n\\maketitle\n\n",
            "\\section{Step {n}}\nTurn the \\emph{valve} to the left, then wait $t = {n}$ minutes. % by hand\n\n\\begin{itemize}\n\\item Fill the tank\n\\item Close the lid\n\\end{itemize}\n",
            "\n",
            "\\end{document}\n",
        ],
    ),
    Sample::text(
        "guide.ipynb",
        [
            "{\n \"cells\": [\n",
            "  {\n   \"cell_type\": \"markdown\",\n   \"metadata\": {},\n   \"source\": [\n    \"## Step {n}\\n\",\n    \"\\n\",\n    \"Turn the *valve* to the left.\"\n   ]\n  },\n  {\n   \"cell_type\": \"code\",\n   \"execution_count\": {n},\n   \"metadata\": {},\n   \"outputs\": [],\n   \"source\": [\"print({n})\"]\n  }",
            ",\n",
            "\n ],\n \"metadata\": {},\n \"nbformat\": 4,\n \"nbformat_minor\": 5\n}\n",
        ],
    ),
    Sample::text(
        "film.srt",
        [
            "",
            "{n}\n00:00:01,000 --> 00:00:02,500\nTurn the <i>valve</i> to the left,\nthen wait.\n",
            "\n",
            "",
        ],
    ),
    Sample::text(
        "film.vtt",
        [
            "WEBVTT\n\nNOTE checked once\n\n",
            "cue-{n}\n00:01.000 --> 00:02.500 line:70%\n<v Anna>Turn the valve to the left,\nthen wait.\n",
            "\n",
            "",
        ],
    ),
    Sample::text(
        "film.ass",
        [
            "[Script Info]\nTitle: The pump\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Arial,20\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n",
            "Dialogue: 0,0:00:01.00,0:00:02.50,Default,Anna,0,0,0,,Turn the {\\i1}valve{\\i0} to the left,\\Nthen wait.\n",
            "",
            "",
        ],
    ),
];
