-- Delivery as reconciliation: see docs/decisions/0102-health-incident-and-delivery.md.

-- What a channel last learned of a check: a row while that is "down". flip_id: the change that it learned of.
CREATE TABLE reported (
  check_id    INTEGER NOT NULL,
  channel_id  INTEGER NOT NULL,
  flip_id     INTEGER NOT NULL,
  reported_at INTEGER NOT NULL,
  PRIMARY KEY (check_id, channel_id)
) WITHOUT ROWID;
CREATE INDEX reported_channel ON reported (channel_id);

-- The rule that held a delivery back last: flapping, minute, hour or receiver; null: none ever did.
ALTER TABLE deliveries ADD COLUMN held_by TEXT;
UPDATE deliveries SET held_by = 'hour' WHERE held = 1;
UPDATE deliveries SET held_by = 'flapping' WHERE held = 0 AND attempts = 0 AND EXISTS (
  SELECT 1 FROM flapping f WHERE f.check_id = deliveries.check_id AND f.channel_id = deliveries.channel_id
);
ALTER TABLE deliveries DROP COLUMN held;
-- Whether an older change that it replaces could not be delivered, or was overtaken; see superseded.
ALTER TABLE deliveries ADD COLUMN missed SMALLINT NOT NULL DEFAULT 0;
UPDATE deliveries SET missed = 1 WHERE superseded > 0 AND held_by IS NULL;
-- What the message that closes an incident says (JSON), where the check is deleted.
ALTER TABLE deliveries ADD COLUMN closing TEXT;
CREATE INDEX deliveries_channel ON deliveries (channel_id, due_at);
CREATE INDEX deliveries_notices ON deliveries (channel_id, due_at) WHERE check_id IS NULL;

-- Since when it has been known that nothing arrives through the channel; null once something did.
ALTER TABLE channels ADD COLUMN unreachable_at INTEGER;
-- When something is tried again through a channel that nothing arrives through.
ALTER TABLE channels ADD COLUMN probe_at INTEGER;
-- When something last arrived through the channel; null: nothing has.
ALTER TABLE channels ADD COLUMN arrived_at INTEGER;
UPDATE channels SET arrived_at = last_notify WHERE last_error = '';
ALTER TABLE channels RENAME COLUMN minute_falls TO minute_down;
ALTER TABLE channels RENAME COLUMN minute_others TO minute_other;
ALTER TABLE channels RENAME COLUMN hour_falls TO hour_down;
ALTER TABLE channels RENAME COLUMN hour_others TO hour_other;
-- The hour_from in which it was announced that down alerts, and that other messages, are held.
ALTER TABLE channels RENAME COLUMN falls_announced TO down_announced;
ALTER TABLE channels RENAME COLUMN others_announced TO other_announced;
ALTER TABLE flapping RENAME COLUMN told_at TO reported_at;

-- What channels learned before there was a table for it: the last notification of a check that succeeded, where the check
-- is down or something about it is still to be sent.
INSERT INTO reported (check_id, channel_id, flip_id, reported_at)
SELECT n.check_id, n.channel_id, n.flip_id, n.created_at
FROM notifications n
WHERE n.check_id IN (
    SELECT id FROM checks WHERE status = 'down'
    UNION
    SELECT check_id FROM deliveries WHERE check_id IS NOT NULL
  )
  AND n.error = '' AND n.check_status = 'down' AND n.flip_id IS NOT NULL
  AND NOT EXISTS (
    SELECT 1 FROM notifications later
    WHERE later.check_id = n.check_id AND later.channel_id = n.channel_id AND later.id > n.id
      AND later.error = '' AND later.check_status IN ('down', 'up')
  );
-- Notifications are deleted with old pings. Where nothing waits for an enabled channel of a check that is down, the channel
-- counts as having learned that: the recovery is then sent, as it would have been before.
INSERT INTO reported (check_id, channel_id, flip_id, reported_at)
SELECT DISTINCT c.id, ch.id, f.id, f.created_at
FROM checks c
JOIN check_channels cc ON cc.check_id = c.id
LEFT JOIN group_members gm ON gm.group_id = cc.channel_id
JOIN channels ch ON ch.id = coalesce(gm.member_id, cc.channel_id)
JOIN flips f ON f.id = (SELECT max(id) FROM flips WHERE flips.check_id = c.id AND flips.new_status = 'down')
WHERE c.status = 'down' AND ch.disabled = 0
  AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.check_id = c.id AND d.channel_id = ch.id)
ON CONFLICT (check_id, channel_id) DO NOTHING;
