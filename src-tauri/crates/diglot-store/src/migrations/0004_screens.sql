-- What a session shows when it is opened: a cache of what its log says at an entry, never the truth. `maker` names the
-- program and settings that made it.
CREATE TABLE screen (
    session INTEGER PRIMARY KEY REFERENCES session ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    maker TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
