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
