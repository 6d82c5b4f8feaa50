-- When a ping that arrived late would have been sent (ms), by its sender; null for pings that came in time.
ALTER TABLE pings ADD COLUMN ran_at INTEGER;
CREATE INDEX pings_ran_at ON pings (check_id, ran_at) WHERE ran_at IS NOT NULL;
