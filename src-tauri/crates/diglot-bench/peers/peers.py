"""Opens files with the libraries and programs that others use, and counts the marks that they see.

Called with a list of files, one JSON object a line on standard input: {"path", "name", "source"}; `name` is what the
file is called by its users, `source` what it was made from. Prints one JSON object a line for each peer: {"path",
"peer", "marks", "fault", "absent", "alike"}; `alike` says that the peer does not read the source either. With `--time PATH`, prints the CPU seconds that translate-toolkit takes to parse it.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

MARK = "\u27e6"
TIMEOUT = 180


def count(*texts):
    return sum(text.count(MARK) for text in texts if text)


def toolkit(path, name):
    """The class that translate-toolkit has for a name, as its converters choose it."""
    from translate.storage import aresource, csvl10n, factory, html, jsonl10n, po, properties, resx, stringsdict
    from translate.storage import toml, ts2, txt, xliff, xliff2, yaml
    from translate.storage import markdown as md

    base, ending = os.path.splitext(os.path.basename(name).lower())
    text = open(path, "rb").read()
    is_second = b'version="2.' in text[:400]
    classes = {
        ".po": po.pofile,
        ".pot": po.pofile,
        ".xlf": xliff2.Xliff2File if is_second else xliff.xlifffile,
        ".ts": ts2.tsfile,
        ".properties": properties.javautf8file,
        ".strings": properties.stringsutf8file,
        ".stringsdict": stringsdict.StringsDictFile,
        ".resx": resx.RESXFile,
        ".arb": jsonl10n.ARBJsonFile,
        ".json": jsonl10n.JsonNestedFile,
        ".yml": yaml.YAMLFile,
        ".yaml": yaml.YAMLFile,
        ".toml": toml.TOMLFile,
        ".xml": aresource.AndroidResourceFile,
        ".html": html.htmlfile,
        ".md": md.MarkdownFile,
        ".txt": txt.TxtFile,
    }
    if ending not in classes:
        return None
    if ending == ".json" and "messages" in base:
        return jsonl10n.WebExtensionJsonFile
    return classes[ending]


def translate_toolkit(path, name):
    kind = toolkit(path, name)
    if kind is None:
        return None
    store = kind.parsefile(path)
    total = 0
    for unit in store.units:
        if unit.isheader() or unit.isobsolete():
            continue
        target = unit.target if unit.target else unit.source
        total += count(*(target.strings if hasattr(target, "strings") else [str(target)]))
    return total


def values(value):
    if isinstance(value, str):
        return count(value)
    if isinstance(value, dict):
        return sum(values(item) for item in value.values())
    if isinstance(value, (list, tuple)):
        return sum(values(item) for item in value)
    return 0


def read(path):
    return open(path, encoding="utf-8-sig", newline="").read()


def json_parser(path, name):
    return values(json.loads(read(path)))


def yaml_parser(path, name):
    import yaml

    yaml.SafeLoader.yaml_multi_constructors[None] = lambda loader, tag, node: loader.construct_scalar(node) if isinstance(node, yaml.ScalarNode) else None
    return sum(values(document) for document in yaml.safe_load_all(read(path)))


def toml_parser(path, name):
    import tomllib

    return values(tomllib.loads(read(path)))


def notebook(path, name):
    import nbformat

    book = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    cells = book.get("cells") or [cell for sheet in book.get("worksheets", []) for cell in sheet.get("cells", [])]
    return sum(count(cell["source"]) for cell in cells if cell["cell_type"] != "code")


def docutils_reader(path, name):
    from docutils.core import publish_doctree

    quiet = {"report_level": 5, "file_insertion_enabled": False, "raw_enabled": False}
    return count(publish_doctree(read(path), source_path=path, settings_overrides=quiet).astext())


def srt_parser(path, name):
    import srt

    return sum(count(cue.content) for cue in srt.parse(read(path), ignore_errors=True))


def webvtt_parser(path, name):
    import webvtt

    return sum(count(cue.raw_text) for cue in webvtt.read(path))


def subtitles(path, name):
    import pysubs2

    return sum(count(event.text) for event in pysubs2.load(path, encoding="utf-8-sig"))


def csv_parser(path, name):
    import csv

    text = read(path)
    dialect = csv.Sniffer().sniff(text[:4096])
    return sum(values(row) for row in csv.reader(text.splitlines(keepends=True), dialect))


def members(path, name):
    """Every member can be unpacked; the marks are those of its texts."""
    with zipfile.ZipFile(path) as package:
        damaged = package.testzip()
        if damaged:
            raise ValueError(f"{damaged} is damaged")
        return sum(package.read(item).decode("utf-8", "replace").count(MARK) for item in package.namelist())


def office_library(path, name):
    ending = os.path.splitext(name)[1].lower()
    total = 0
    if ending == ".docx":
        import docx

        total = count(*(node.text for node in docx.Document(path).element.iter() if node.tag.endswith("}t")))
    elif ending == ".pptx":
        import pptx

        for slide in pptx.Presentation(path).slides:
            total += count(*(node.text for node in slide.element.iter() if node.tag.endswith("}t")))
    elif ending == ".xlsx":
        import openpyxl

        for sheet in openpyxl.load_workbook(path).worksheets:
            total += sum(values(list(row)) for row in sheet.iter_rows(values_only=True))
    else:
        from odf import opendocument, teletype

        total = count(teletype.extractText(opendocument.load(path).body))
    return total


def ebooklib_reader(path, name):
    from ebooklib import ITEM_DOCUMENT, epub

    book = epub.read_epub(path, {"ignore_ncx": True})
    return sum(count(item.content.decode("utf-8", "replace")) for item in book.get_items_of_type(ITEM_DOCUMENT))


def command(*words):
    done = subprocess.run(words, capture_output=True, text=True, timeout=TIMEOUT, errors="replace")
    if done.returncode:
        raise ValueError((done.stderr or done.stdout).strip().splitlines()[0][:300])


def msgfmt(path, name):
    command("msgfmt", "-c", "-o", os.devnull, path)


def xmllint(path, name):
    command("xmllint", "--noout", "--nonet", path)


def epubcheck(path, name):
    program = shutil.which("epubcheck")
    # Debian's is an archive of Java that the system may not know how to start.
    start = ["java", "-jar"] if open(program, "rb").read(2) == b"PK" else []
    command(*start, program, "--quiet", path)


def libreoffice(path, name):
    ending = os.path.splitext(name)[1].lower()
    target = {".xlsx": "csv", ".ods": "csv", ".pptx": "pdf", ".odp": "pdf"}.get(ending, "txt:Text (encoded):UTF8")
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(path, os.path.join(folder, "file" + ending))
        profile = "-env:UserInstallation=file://" + os.path.join(tempfile.gettempdir(), "diglot-peers-profile")
        command("soffice", profile, "--headless", "--convert-to", target, "--outdir", folder, copy)
        made = os.path.join(folder, "file." + target.split(":")[0])
        if not os.path.isfile(made):
            raise ValueError("nothing was converted")
        return count(open(made, encoding="utf-8", errors="replace").read()) if target.startswith("txt") else None


XML = {".xlf", ".ts", ".xml", ".resx", ".stringsdict", ".xhtml"}
OFFICE = {".docx", ".pptx", ".xlsx", ".odt", ".ods", ".odp"}
PEERS = [
    ("translate-toolkit", translate_toolkit, None, None),
    ("msgfmt -c", msgfmt, {".po"}, "msgfmt"),
    ("xmllint", xmllint, XML, "xmllint"),
    ("json", json_parser, {".json", ".arb", ".ipynb"}, None),
    ("PyYAML", yaml_parser, {".yml", ".yaml"}, None),
    ("tomllib", toml_parser, {".toml"}, None),
    ("nbformat", notebook, {".ipynb"}, None),
    ("docutils", docutils_reader, {".rst"}, None),
    ("srt", srt_parser, {".srt"}, None),
    ("webvtt-py", webvtt_parser, {".vtt"}, None),
    ("pysubs2", subtitles, {".srt", ".ass", ".ssa", ".vtt"}, None),
    ("csv", csv_parser, {".csv"}, None),
    ("zipfile", members, OFFICE | {".epub"}, None),
    ("office library", office_library, OFFICE, None),
    ("LibreOffice", libreoffice, OFFICE, "soffice"),
    ("EbookLib", ebooklib_reader, {".epub"}, None),
    ("epubcheck", epubcheck, {".epub"}, "epubcheck"),
]


def is_read(opens, path, name):
    try:
        opens(path, name)
        return True
    except Exception:
        return False


def judge(file):
    path, name = file["path"], file["name"]
    ending = os.path.splitext(name)[1].lower()
    for peer, opens, endings, program in PEERS:
        if endings is not None and ending not in endings:
            continue
        answer = {"path": path, "peer": peer, "marks": None, "fault": None, "absent": False, "alike": False}
        try:
            if program and not shutil.which(program):
                answer["absent"] = True
            else:
                answer["marks"] = opens(path, name)
                if peer == "translate-toolkit" and toolkit(path, name) is None:
                    continue
        except ImportError as error:
            answer["absent"] = True
            answer["fault"] = str(error)
        except Exception as error:  # a peer may fail in any way; each is a finding, unless the source fails too
            answer["alike"] = not is_read(opens, file["source"], name)
            answer["fault"] = f"{type(error).__name__}: {error}"[:300]
        print(json.dumps(answer), flush=True)


def main():
    if sys.argv[1:2] == ["--time"]:
        kind = toolkit(sys.argv[2], sys.argv[2])
        if kind is None:
            return
        start = time.process_time()
        kind.parsefile(sys.argv[2])
        print(time.process_time() - start)
        return
    for line in sys.stdin:
        judge(json.loads(line))


main()
