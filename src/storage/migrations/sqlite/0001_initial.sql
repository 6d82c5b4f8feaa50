-- Instants and durations are integers in milliseconds unless a name ends in _s (seconds). Booleans are 0/1.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE users (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL UNIQUE,
  email         TEXT NOT NULL UNIQUE,
  password_hash TEXT,
  created_at    INTEGER NOT NULL
);

CREATE TABLE projects (
  id         INTEGER PRIMARY KEY,
  uuid       TEXT NOT NULL UNIQUE,
  owner_id   INTEGER REFERENCES users (id),
  name       TEXT NOT NULL,
  ping_key   TEXT UNIQUE,
  badge_key  TEXT NOT NULL UNIQUE,
  n_checks   INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
);
CREATE INDEX projects_owner ON projects (owner_id);

-- Only a digest of each key is kept; hint is its first characters, to tell keys apart.
CREATE TABLE api_keys (
  id         INTEGER PRIMARY KEY,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL CHECK (kind IN ('rw', 'ro')),
  digest     TEXT NOT NULL UNIQUE,
  hint       TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX api_keys_project ON api_keys (project_id);

-- What every ping reads and writes; a narrow row. wake_at is a lower bound of alert_after (see docs/architecture.md).
CREATE TABLE checks (
  id                  INTEGER PRIMARY KEY,
  uuid                TEXT NOT NULL UNIQUE,
  project_id          INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  status              TEXT NOT NULL DEFAULT 'new',
  status_since        INTEGER NOT NULL,
  kind                TEXT NOT NULL DEFAULT 'simple',
  period_s            INTEGER NOT NULL,
  grace_s             INTEGER NOT NULL,
  schedule            TEXT NOT NULL DEFAULT '* * * * *',
  tz                  TEXT NOT NULL DEFAULT 'UTC',
  methods             TEXT NOT NULL DEFAULT '',
  manual_resume       INTEGER NOT NULL DEFAULT 0,
  filter_http_body    INTEGER NOT NULL DEFAULT 0,
  filter_default_fail INTEGER NOT NULL DEFAULT 0,
  n_pings             INTEGER NOT NULL DEFAULT 0,
  last_ping           INTEGER,
  last_start          INTEGER,
  last_start_rid      TEXT,
  last_duration       INTEGER,
  due_at              INTEGER,
  alert_after         INTEGER,
  wake_at             INTEGER,
  confirmation_link   INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX checks_project ON checks (project_id);
CREATE INDEX checks_down ON checks (project_id) WHERE status = 'down';
CREATE INDEX checks_wake ON checks (wake_at) WHERE wake_at IS NOT NULL;

CREATE TABLE check_details (
  check_id       INTEGER PRIMARY KEY REFERENCES checks (id) ON DELETE CASCADE,
  project_id     INTEGER NOT NULL,
  unique_key     TEXT NOT NULL UNIQUE,
  badge_key      TEXT NOT NULL UNIQUE,
  name           TEXT NOT NULL DEFAULT '',
  slug           TEXT NOT NULL DEFAULT '',
  tags           TEXT NOT NULL DEFAULT '',
  "desc"         TEXT NOT NULL DEFAULT '',
  start_kw       TEXT NOT NULL DEFAULT '',
  success_kw     TEXT NOT NULL DEFAULT '',
  failure_kw     TEXT NOT NULL DEFAULT '',
  filter_subject INTEGER NOT NULL DEFAULT 0,
  filter_body    INTEGER NOT NULL DEFAULT 0,
  subject_rules  INTEGER NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL
);
CREATE INDEX check_details_slug ON check_details (project_id, slug);

-- The log; append-only. created_us keeps the order of pings that arrived in the same millisecond (0-999).
CREATE TABLE pings (
  id          INTEGER PRIMARY KEY,
  check_id    INTEGER NOT NULL,
  n           INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  created_us  INTEGER NOT NULL,
  kind        TEXT NOT NULL,
  scheme      TEXT NOT NULL,
  remote_addr TEXT,
  method      TEXT NOT NULL,
  ua          TEXT NOT NULL,
  rid         TEXT,
  exit_status INTEGER,
  body        BLOB,
  object_size INTEGER
);
CREATE INDEX pings_check ON pings (check_id, n);

CREATE TABLE flips (
  id         INTEGER PRIMARY KEY,
  check_id   INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  old_status TEXT NOT NULL,
  new_status TEXT NOT NULL,
  reason     TEXT NOT NULL
);
CREATE INDEX flips_check ON flips (check_id, id);

CREATE TABLE channels (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL UNIQUE,
  project_id    INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name          TEXT NOT NULL DEFAULT '',
  kind          TEXT NOT NULL,
  settings      TEXT NOT NULL,
  disabled      INTEGER NOT NULL DEFAULT 0,
  last_notify   INTEGER,
  last_duration INTEGER,
  last_error    TEXT NOT NULL DEFAULT '',
  created_at    INTEGER NOT NULL
);
CREATE INDEX channels_project ON channels (project_id);

CREATE TABLE check_channels (
  check_id   INTEGER NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  channel_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  PRIMARY KEY (check_id, channel_id)
) WITHOUT ROWID;
CREATE INDEX check_channels_channel ON check_channels (channel_id);

-- The channels behind a channel of kind group. A flip's deliveries go to the members, not to the group.
CREATE TABLE group_members (
  group_id  INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  member_id INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, member_id)
) WITHOUT ROWID;
CREATE INDEX group_members_member ON group_members (member_id);

-- What is still to be told; a row leaves when it was told, given up or superseded. uuid is the idempotency key.
-- A delivery without a flip carries a notice: a message about a channel rather than a check.
CREATE TABLE deliveries (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL UNIQUE,
  channel_id    INTEGER NOT NULL,
  check_id      INTEGER,
  flip_id       INTEGER,
  group_id      INTEGER,
  notice        TEXT,
  superseded    INTEGER NOT NULL DEFAULT 0,
  attempts      INTEGER NOT NULL DEFAULT 0,
  due_at        INTEGER NOT NULL,
  claimed_by    TEXT,
  claimed_until INTEGER,
  created_at    INTEGER NOT NULL
);
CREATE INDEX deliveries_due ON deliveries (due_at);
CREATE INDEX deliveries_check ON deliveries (check_id);
CREATE INDEX deliveries_order ON deliveries (channel_id, check_id, id);

-- One row an attempt, for people to see. error is empty after a success, `Sending` while under way.
CREATE TABLE notifications (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL UNIQUE,
  delivery_uuid TEXT,
  channel_id    INTEGER NOT NULL,
  check_id      INTEGER,
  flip_id       INTEGER,
  check_status  TEXT NOT NULL,
  attempt       INTEGER NOT NULL,
  created_at    INTEGER NOT NULL,
  duration      INTEGER,
  error         TEXT NOT NULL DEFAULT ''
);
CREATE INDEX notifications_check ON notifications (check_id, id);
CREATE INDEX notifications_channel ON notifications (channel_id, id);

-- Who takes pings, and when each was last heard of.
CREATE TABLE beats (process TEXT PRIMARY KEY, beat_at INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE outages (
  id         INTEGER PRIMARY KEY,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER NOT NULL,
  hold_until INTEGER NOT NULL
);
CREATE INDEX outages_hold ON outages (hold_until);
