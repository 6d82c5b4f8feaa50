-- How many beats a process has written: shows that it beats, whatever the clock does.
ALTER TABLE beats ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
