-- One text for both engines. SQLite runs it as it is; for PostgreSQL see storage/postgres/translate-migration.ts. There
-- INTEGER has 8 bytes, INT 4 and SMALLINT 2. Texts compare by their bytes.
-- Instants and durations are integers in milliseconds unless a name ends in _s (seconds). Booleans are 0/1.

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE users (
  id             INTEGER PRIMARY KEY,
  uuid           TEXT NOT NULL UNIQUE,
  email          TEXT NOT NULL UNIQUE,
  password_hash  TEXT,
  created_at     INTEGER NOT NULL,
  timezone       TEXT NOT NULL DEFAULT 'UTC',
  theme          TEXT NOT NULL DEFAULT 'auto',
  totp_secret    TEXT,
  -- The 30-second step of the last code accepted: no code is accepted twice.
  totp_step      INT,
  -- The reports that the user wants, and when each is due next; null: not planned yet, or nothing to plan.
  reports        TEXT NOT NULL DEFAULT 'monthly',
  nag_s          INTEGER NOT NULL DEFAULT 0,
  next_report_at INTEGER,
  next_nag_at    INTEGER,
  list_sort      TEXT NOT NULL DEFAULT 'created'
);
CREATE INDEX users_report ON users (next_report_at) WHERE reports <> 'off';
CREATE INDEX users_nag ON users (next_nag_at) WHERE nag_s > 0;

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

-- What every ping reads and writes, in a narrow row. On PostgreSQL a page has free space for the row's next version (a
-- HOT update). wake_at is a lower bound of alert_after (see docs/architecture.md).
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
  manual_resume       SMALLINT NOT NULL DEFAULT 0,
  filter_http_body    SMALLINT NOT NULL DEFAULT 0,
  filter_default_fail SMALLINT NOT NULL DEFAULT 0,
  n_pings             INTEGER NOT NULL DEFAULT 0,
  last_ping           INTEGER,
  last_start          INTEGER,
  last_start_rid      TEXT,
  last_duration       INTEGER,
  due_at              INTEGER,
  alert_after         INTEGER,
  wake_at             INTEGER,
  confirmation_link   SMALLINT NOT NULL DEFAULT 0
);
-- postgres: ALTER TABLE checks SET (fillfactor = 70);
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
  filter_subject SMALLINT NOT NULL DEFAULT 0,
  filter_body    SMALLINT NOT NULL DEFAULT 0,
  subject_rules  SMALLINT NOT NULL DEFAULT 0,
  created_at     INTEGER NOT NULL
);
CREATE INDEX check_details_slug ON check_details (project_id, slug);

-- The log; append-only. created_us keeps the order of pings that arrived in the same millisecond (0-999).
CREATE TABLE pings (
  id          INTEGER PRIMARY KEY,
  check_id    INTEGER NOT NULL,
  n           INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  created_us  SMALLINT NOT NULL,
  kind        TEXT NOT NULL,
  scheme      TEXT NOT NULL,
  remote_addr TEXT,
  method      TEXT NOT NULL,
  ua          TEXT NOT NULL,
  rid         TEXT,
  exit_status SMALLINT,
  body        BLOB,
  object_size INT
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
  id               INTEGER PRIMARY KEY,
  uuid             TEXT NOT NULL UNIQUE,
  project_id       INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name             TEXT NOT NULL DEFAULT '',
  kind             TEXT NOT NULL,
  settings         TEXT NOT NULL,
  disabled         SMALLINT NOT NULL DEFAULT 0,
  last_notify      INTEGER,
  last_duration    INTEGER,
  last_error       TEXT NOT NULL DEFAULT '',
  created_at       INTEGER NOT NULL,
  -- Messages sent within the minute and the hour that began at *_from: down alerts ("falls") and others.
  minute_from      INTEGER,
  minute_falls     INT NOT NULL DEFAULT 0,
  hour_from        INTEGER,
  hour_falls       INT NOT NULL DEFAULT 0,
  -- The hour (its hour_from) for which the recipients were notified that the limit for this class was reached.
  others_announced INTEGER,
  -- Whether the owner of the e-mail address agreed to receive alerts; 1 for channels that need no confirmation.
  confirmed        SMALLINT NOT NULL DEFAULT 1,
  minute_others    INT NOT NULL DEFAULT 0,
  hour_others      INT NOT NULL DEFAULT 0,
  falls_announced  INTEGER
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

-- Messages still to be sent. A row is deleted when it was sent, given up or superseded. uuid is the idempotency key.
-- A delivery without a flip carries a notice: a message about a channel rather than a check.
CREATE TABLE deliveries (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL UNIQUE,
  channel_id    INTEGER NOT NULL,
  check_id      INTEGER,
  flip_id       INTEGER,
  group_id      INTEGER,
  notice        TEXT,
  superseded    INT NOT NULL DEFAULT 0,
  attempts      INT NOT NULL DEFAULT 0,
  due_at        INTEGER NOT NULL,
  claimed_by    TEXT,
  claimed_until INTEGER,
  created_at    INTEGER NOT NULL,
  -- Held back by its channel's limits, to be combined with what waits beside it.
  held          SMALLINT NOT NULL DEFAULT 0
);
CREATE INDEX deliveries_due ON deliveries (due_at);
CREATE INDEX deliveries_check ON deliveries (check_id);
CREATE INDEX deliveries_order ON deliveries (channel_id, check_id, id);

-- One row an attempt, shown to users. error is empty after a success, `Sending` while under way.
CREATE TABLE notifications (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL UNIQUE,
  delivery_uuid TEXT,
  channel_id    INTEGER NOT NULL,
  check_id      INTEGER,
  flip_id       INTEGER,
  check_status  TEXT NOT NULL,
  attempt       INT NOT NULL,
  created_at    INTEGER NOT NULL,
  duration      INTEGER,
  error         TEXT NOT NULL DEFAULT ''
);
CREATE INDEX notifications_check ON notifications (check_id, id);
CREATE INDEX notifications_channel ON notifications (channel_id, id);

-- The processes that accept pings, and when each last said so.
CREATE TABLE beats (
  process TEXT PRIMARY KEY,
  beat_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE outages (
  id         INTEGER PRIMARY KEY,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER NOT NULL,
  hold_until INTEGER NOT NULL
);
CREATE INDEX outages_hold ON outages (hold_until);

-- Only the digest of a session's cookie is kept. proved_at: when its user last proved who they are.
CREATE TABLE sessions (
  id         INTEGER PRIMARY KEY,
  uuid       TEXT NOT NULL UNIQUE,
  digest     TEXT NOT NULL UNIQUE,
  user_id    INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  method     TEXT NOT NULL,
  ua         TEXT NOT NULL,
  address    TEXT,
  created_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,
  proved_at  INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Secrets that work once: links sent by e-mail, the first account's link, challenges.
CREATE TABLE tokens (
  digest     TEXT PRIMARY KEY,
  purpose    TEXT NOT NULL,
  user_id    INTEGER REFERENCES users (id) ON DELETE CASCADE,
  email      TEXT,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX tokens_user ON tokens (user_id);
CREATE INDEX tokens_expiry ON tokens (expires_at);

CREATE TABLE members (
  project_id            INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  user_id               INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role                  TEXT NOT NULL CHECK (role IN ('manager', 'member', 'readonly')),
  -- When the owner offered this member the project; null while there is no offer.
  transfer_requested_at INTEGER,
  created_at            INTEGER NOT NULL,
  PRIMARY KEY (project_id, user_id)
) WITHOUT ROWID;
CREATE INDEX members_user ON members (user_id);

CREATE TABLE invitations (
  id         INTEGER PRIMARY KEY,
  uuid       TEXT NOT NULL UNIQUE,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  digest     TEXT NOT NULL UNIQUE,
  role       TEXT NOT NULL CHECK (role IN ('manager', 'member', 'readonly')),
  email      TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
);
CREATE INDEX invitations_project ON invitations (project_id);

CREATE TABLE passkeys (
  id            INTEGER PRIMARY KEY,
  uuid          TEXT NOT NULL UNIQUE,
  user_id       INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL UNIQUE,
  public_key    BLOB NOT NULL,
  counter       INTEGER NOT NULL,
  transports    TEXT NOT NULL,
  name          TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  used_at       INTEGER
);
CREATE INDEX passkeys_user ON passkeys (user_id);

-- Users' accounts at OpenID Connect providers.
CREATE TABLE identities (
  issuer  TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (issuer, subject)
) WITHOUT ROWID;
CREATE INDEX identities_user ON identities (user_id);

-- full_at: when the bucket of this key is full again.
CREATE TABLE rate_limits (
  key     TEXT PRIMARY KEY,
  full_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX rate_limits_full ON rate_limits (full_at);

-- The checks that were reported to a channel as flapping. changed_at: the last change that was held back.
CREATE TABLE flapping (
  check_id   INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  told_at    INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (check_id, channel_id)
) WITHOUT ROWID;

-- Messages that cost money, counted by account and calendar month (UTC; year * 12 + month).
CREATE TABLE quotas (
  account TEXT NOT NULL,
  name    TEXT NOT NULL,
  month   INT NOT NULL,
  used    INT NOT NULL,
  PRIMARY KEY (account, name)
) WITHOUT ROWID;

-- E-mails to users that are still to be sent. A row is deleted when its e-mail was sent or given up. uuid becomes the
-- Message-ID. kind: report, nag or notice.
CREATE TABLE mails (
  id              INTEGER PRIMARY KEY,
  uuid            TEXT NOT NULL UNIQUE,
  user_id         INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind            TEXT NOT NULL,
  subject         TEXT NOT NULL,
  text            TEXT NOT NULL,
  html            TEXT NOT NULL,
  unsubscribe_url TEXT NOT NULL,
  attempts        INT NOT NULL DEFAULT 0,
  due_at          INTEGER NOT NULL,
  claimed_by      TEXT,
  claimed_until   INTEGER,
  created_at      INTEGER NOT NULL
);
CREATE INDEX mails_due ON mails (due_at);
CREATE INDEX mails_user ON mails (user_id);

-- Codes that replace a lost second step. Each row is one that was not used yet; only its digest is kept.
CREATE TABLE recovery_codes (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest  TEXT NOT NULL,
  PRIMARY KEY (user_id, digest)
) WITHOUT ROWID;

-- Bodies on their way to object storage. The log's row of such a ping holds object_size and no body; the body is
-- read from here until it is there. due_at: when it may be tried, moved ahead by each try.
CREATE TABLE uploads (
  key      TEXT PRIMARY KEY,
  check_id INTEGER NOT NULL,
  n        INTEGER NOT NULL,
  body     BLOB NOT NULL,
  due_at   INTEGER NOT NULL,
  tries    INT NOT NULL DEFAULT 0
);
CREATE INDEX uploads_due ON uploads (due_at);

-- Objects to be deleted from object storage, because their pings are gone. due_at as above.
CREATE TABLE removals (
  id         INTEGER PRIMARY KEY,
  check_uuid TEXT NOT NULL,
  n          INTEGER NOT NULL,
  due_at     INTEGER NOT NULL
);
CREATE INDEX removals_due ON removals (due_at);
