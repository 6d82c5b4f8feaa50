-- Until when each process that takes pings has recorded them, and whether it has ended in order.
ALTER TABLE beats ADD COLUMN heard_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE beats ADD COLUMN stopped SMALLINT NOT NULL DEFAULT 0;
-- Until now beats of processes that had ended were kept for an hour.
DELETE FROM beats WHERE beat_at < (SELECT max(beat_at) FROM beats) - 15000;
UPDATE beats SET heard_at = beat_at;

-- Whether other processes took pings in that time.
ALTER TABLE outages ADD COLUMN partial SMALLINT NOT NULL DEFAULT 0;
