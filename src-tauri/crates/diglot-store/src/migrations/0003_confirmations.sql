-- How often a pair was confirmed, so that taking one confirmation back leaves the others.
ALTER TABLE tm_target ADD COLUMN n INTEGER NOT NULL DEFAULT 1;
