-- The newest test notification of a channel, if it failed; null: it arrived, or there was none. It is shown if it is newer than the
-- newest attempt, but is none: it says nothing about what waits.
ALTER TABLE channels ADD COLUMN test_failed_at INTEGER;
ALTER TABLE channels ADD COLUMN test_error TEXT NOT NULL DEFAULT '';
