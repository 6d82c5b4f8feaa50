-- Until when each process that takes pings has recorded them, and whether it has ended in order.
ALTER TABLE beats ADD COLUMN heard_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE beats ADD COLUMN stopped INTEGER NOT NULL DEFAULT 0;
UPDATE beats SET heard_at = beat_at;
