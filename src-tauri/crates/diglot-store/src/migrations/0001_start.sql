-- 'Digl' in ASCII: tells our files from those of other programs.
PRAGMA application_id = 1147758444;

CREATE TABLE language_pair (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    -- Distinct sources in the translation memory, so that nobody has to count them.
    n_sources INTEGER NOT NULL DEFAULT 0,
    UNIQUE (source, target)
) STRICT;

CREATE TABLE session (
    -- AUTOINCREMENT: evidence in memory names sessions that may be deleted by then.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    title TEXT NOT NULL,
    folder TEXT NOT NULL,
    target_folder TEXT NOT NULL,
    source_language TEXT NOT NULL,
    target_language TEXT NOT NULL,
    instructions TEXT NOT NULL,
    settings TEXT NOT NULL,
    attempt TEXT,
    seq INTEGER NOT NULL DEFAULT 0,
    n_units INTEGER NOT NULL DEFAULT 0,
    n_confirmed INTEGER NOT NULL DEFAULT 0,
    n_waiting INTEGER NOT NULL DEFAULT 0,
    n_tokens INTEGER NOT NULL DEFAULT 0,
    -- Lower-case text that the session list is searched in.
    search TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX session_updated ON session (updated_at DESC, id DESC);
CREATE INDEX session_folder ON session (folder, target_language);

CREATE TABLE entry (
    session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    format INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session, seq)
) STRICT;

CREATE TABLE source (
    hash TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;
-- Which sessions need a source, so that the last one to go takes it along.
CREATE TABLE session_source (
    session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    hash TEXT NOT NULL REFERENCES source,
    PRIMARY KEY (session, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_source_hash ON session_source (hash);

CREATE TABLE unit (
    session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    path TEXT NOT NULL,
    unit INTEGER NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    state TEXT NOT NULL,
    origin TEXT NOT NULL,
    mode TEXT NOT NULL,
    revised INTEGER NOT NULL,
    search TEXT NOT NULL,
    PRIMARY KEY (session, path, unit)
) STRICT;

CREATE TABLE memory (
    id INTEGER PRIMARY KEY,
    pair INTEGER NOT NULL REFERENCES language_pair,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    updated_at INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX memory_pair ON memory (pair, id);

CREATE TABLE counter (
    name TEXT PRIMARY KEY,
    next INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO counter (name, next) VALUES ('memory', 1);

CREATE TABLE setting (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tm_source (
    id INTEGER PRIMARY KEY,
    pair INTEGER NOT NULL REFERENCES language_pair,
    -- Hash of the normalised text.
    hash TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (pair, hash)
) STRICT;
CREATE TABLE tm_target (
    -- Grows with each confirmation, so the highest is the latest.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL REFERENCES tm_source ON DELETE CASCADE,
    text TEXT NOT NULL,
    previous TEXT,
    next TEXT,
    path TEXT NOT NULL,
    at INTEGER NOT NULL,
    UNIQUE (source, text)
) STRICT;
-- How many sources of a pair hold a term: asking the full-text index walks its postings.
CREATE TABLE tm_term (
    id INTEGER PRIMARY KEY,
    pair INTEGER NOT NULL REFERENCES language_pair,
    term TEXT NOT NULL,
    n INTEGER NOT NULL,
    UNIQUE (pair, term)
) STRICT;
-- Holds ids of tm_term, which carry the language pair; rowid is tm_source.id.
CREATE VIRTUAL TABLE tm_index USING fts5 (
    terms, content = '', detail = none, columnsize = 0, tokenize = 'ascii'
);
