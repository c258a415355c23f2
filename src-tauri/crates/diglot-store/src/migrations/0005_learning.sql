-- Guides: pages of instructions that a person wrote, each the text of a Markdown file. `key` is the title as titles are
-- compared, which only one guide has.
CREATE TABLE guide (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
-- Which guides hold for a folder, an absolute path.
CREATE TABLE guide_folder (
    guide INTEGER NOT NULL REFERENCES guide ON DELETE CASCADE,
    folder TEXT NOT NULL,
    PRIMARY KEY (guide, folder)
) STRICT, WITHOUT ROWID;
CREATE INDEX guide_folder_folder ON guide_folder (folder);
-- What a session has read, found without going through its log.
CREATE INDEX entry_read ON entry (session, seq) WHERE kind = 'sourceRead';
-- Terms by language pair: one row a pair of a source and a target. `concept` groups rows that came as one entry, and `key` is
-- what a text is looked through for (`diglot_document::term`, whose version of the keys stands in `term_keys`).
CREATE TABLE term (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    pair INTEGER NOT NULL REFERENCES language_pair,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    status TEXT NOT NULL,
    note TEXT NOT NULL,
    definition TEXT NOT NULL,
    subject TEXT NOT NULL,
    concept TEXT NOT NULL,
    -- Where it came from: a file's name, or nothing for a term that the person wrote.
    origin TEXT NOT NULL,
    key TEXT NOT NULL,
    -- Source, target and note in small letters: what is searched, and the order of the list.
    search TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (pair, source, target)
) STRICT;
CREATE INDEX term_key ON term (pair, key);
CREATE INDEX term_search ON term (pair, search);
CREATE TABLE term_keys (version INTEGER NOT NULL) STRICT;
INSERT INTO term_keys (version) VALUES (1);
-- Where an item of memory holds: its project, its language pair, or all of them.
ALTER TABLE memory ADD COLUMN scope TEXT NOT NULL DEFAULT 'languages';
CREATE INDEX memory_everywhere ON memory (scope) WHERE scope = 'all';
