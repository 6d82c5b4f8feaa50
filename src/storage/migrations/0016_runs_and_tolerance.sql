-- Runs, tolerance and early pings; see docs/decisions/0114. Durations that people set are seconds.
ALTER TABLE checks ADD COLUMN start_within INTEGER;
ALTER TABLE checks ADD COLUMN max_duration INTEGER;
ALTER TABLE checks ADD COLUMN min_duration INTEGER;
ALTER TABLE checks ADD COLUMN track_runs TEXT NOT NULL DEFAULT 'latest';
ALTER TABLE checks ADD COLUMN failures_to_alert INT NOT NULL DEFAULT 1;
ALTER TABLE checks ADD COLUMN failure_window INT;
ALTER TABLE checks ADD COLUMN tolerated TEXT NOT NULL DEFAULT 'failed';
ALTER TABLE checks ADD COLUMN successes_to_recover INT NOT NULL DEFAULT 1;
ALTER TABLE checks ADD COLUMN success_exit_codes TEXT NOT NULL DEFAULT '0';
ALTER TABLE checks ADD COLUMN early INTEGER NOT NULL DEFAULT 0;
-- What is remembered beyond the other columns, as JSON; null where there is nothing. See core/checks/health/tracking.ts.
ALTER TABLE checks ADD COLUMN tracking TEXT;

-- How long (ms) the run took by the client's clock, and why a ping counts as a failure that does not say so itself.
ALTER TABLE pings ADD COLUMN duration INTEGER;
ALTER TABLE pings ADD COLUMN cause TEXT;

-- The first failure that was counted, where it came before the flip.
ALTER TABLE flips ADD COLUMN since_at INTEGER;
UPDATE flips SET reason = 'missed' WHERE reason = 'timeout';
UPDATE flips SET reason = 'failed' WHERE reason = 'fail';

-- The deadlines that passed, of checks for which flips do not say all. since_at: the due time, or the start of the run.
CREATE TABLE passed_deadlines (
  id        INTEGER PRIMARY KEY,
  check_id  INTEGER NOT NULL,
  passed_at INTEGER NOT NULL,
  cause     TEXT NOT NULL,
  since_at  INTEGER NOT NULL,
  rid       TEXT
);
CREATE INDEX passed_deadlines_check ON passed_deadlines (check_id, passed_at);
