"""Reads a termbase with translate-toolkit and writes it again: `terms.py IN OUT`. Prints one JSON list a term, of source,
first translation and notes; prints "absent" where the library is not there."""

import json
import sys

try:
    from translate.storage import tbx
except ImportError:
    print("absent")
    sys.exit(0)

read = tbx.tbxfile.parsefile(sys.argv[1])
out = tbx.tbxfile()
out.setsourcelanguage("en")
out.settargetlanguage("de")
for unit in read.units:
    print(json.dumps([unit.source, unit.target, unit.getnotes()]))
    again = out.addsourceunit(unit.source)
    again.target = unit.target
    if unit.getnotes():
        again.addnote(unit.getnotes())
out.savefile(sys.argv[2])
