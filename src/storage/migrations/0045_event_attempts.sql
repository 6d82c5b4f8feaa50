-- The name of an event webhook, and what became of its newest requests. Decision 0121.
ALTER TABLE event_webhooks ADD COLUMN name TEXT NOT NULL DEFAULT '';

CREATE TABLE event_attempts (
  id          INTEGER PRIMARY KEY,
  webhook_id  INTEGER NOT NULL REFERENCES event_webhooks (id) ON DELETE CASCADE,
  -- Null: a test.
  event_id    INTEGER,
  type        TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  -- Null: there was no answer.
  status      INTEGER,
  -- Empty: it arrived.
  error       TEXT NOT NULL
);
CREATE INDEX event_attempts_webhook ON event_attempts (webhook_id, id);
