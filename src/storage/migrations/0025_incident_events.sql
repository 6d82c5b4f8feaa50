-- Until when a hold was known to last, or an acknowledgement holds; null: no end is known.
ALTER TABLE incident_events ADD COLUMN until_at INTEGER;
-- 1: it is only kept for its incident, because the log of its check or its channel does not hold it any more.
ALTER TABLE notifications ADD COLUMN kept SMALLINT NOT NULL DEFAULT 0;
