-- What was changed, by whom, and what happened to checks. Rows are added, and deleted after 400 days or with their
-- project; none is ever changed. Decision 0121.
CREATE TABLE events (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Not a reference: the row of the project must not be locked for each flip.
  project_id  INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  type        TEXT NOT NULL,
  object_id   TEXT NOT NULL,
  object_name TEXT NOT NULL,
  -- JSON; see core/events/actor.ts. Null: Punctual itself.
  actor       TEXT,
  -- Its kind and ID, such as person:UUID, to search for.
  actor_key   TEXT,
  -- JSON of the fields that changed.
  before      TEXT,
  after       TEXT
);
CREATE INDEX events_project ON events (project_id, id);
CREATE INDEX events_object ON events (object_id, id);
-- What people and programs changed, without what happened to checks.
CREATE INDEX events_changes ON events (project_id, id) WHERE actor IS NOT NULL;
-- Who planned it: JSON as in events.
ALTER TABLE undos ADD COLUMN actor TEXT;

-- Addresses to which the events of a project are sent, one after the other.
CREATE TABLE event_webhooks (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL UNIQUE,
  project_id    INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  url           TEXT NOT NULL,
  -- Types of events, separated by spaces; empty: all.
  types         TEXT NOT NULL,
  -- Signs requests; encrypted with SECRET_KEY.
  secret        TEXT NOT NULL,
  enabled       SMALLINT NOT NULL DEFAULT 1,
  -- The ID of the event up to which everything was delivered or is of another type.
  delivered_id  INTEGER NOT NULL,
  -- When the next event may be sent.
  due_at        INTEGER NOT NULL,
  claimed_by    TEXT,
  claimed_until INTEGER,
  -- The failures in a row, since when, and the last error; empty: the last one arrived.
  failures      INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  last_error    TEXT NOT NULL DEFAULT '',
  last_sent     INTEGER,
  created_at    INTEGER NOT NULL
);
CREATE INDEX event_webhooks_project ON event_webhooks (project_id);
CREATE INDEX event_webhooks_due ON event_webhooks (due_at) WHERE enabled = 1;
