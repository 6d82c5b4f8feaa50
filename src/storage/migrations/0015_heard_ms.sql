-- For how long pings were recorded within an outage that was joined of several moments.
ALTER TABLE outages ADD COLUMN heard_ms INTEGER NOT NULL DEFAULT 0;
