-- Findings that a person set aside for a text. The key is made from source, target and finding.
CREATE TABLE dismissal (
    session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,
    key TEXT NOT NULL,
    PRIMARY KEY (session, key)
) STRICT, WITHOUT ROWID;
