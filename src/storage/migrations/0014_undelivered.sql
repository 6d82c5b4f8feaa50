-- The notification that a service knows the message by which this alert was sent with others; null where it was sent alone.
ALTER TABLE notifications ADD COLUMN message_uuid TEXT;
CREATE INDEX notifications_message ON notifications (message_uuid) WHERE message_uuid IS NOT NULL;

-- For how long (ms) the channel has been tried since anything arrived; see core/alerts/delivery/unreachable.ts.
ALTER TABLE channels ADD COLUMN failing_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels DROP COLUMN arrived_at;

-- What waits after a failed attempt. 1: it is due as soon as anything arrives through its channel; 2: it was made due so, and
-- after another failure waits for its own time; 0: it waits for that alone, or has not failed.
ALTER TABLE deliveries ADD COLUMN follows SMALLINT NOT NULL DEFAULT 0;
CREATE INDEX deliveries_follow ON deliveries (channel_id) WHERE follows = 1;
