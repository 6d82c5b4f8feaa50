-- A database of the last Punctual that recorded its schema as a number: tables as its migrations made them, and rows.
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
-- People: how they sign in, where they are signed in, and which projects they share.

ALTER TABLE users ADD COLUMN timezone TEXT NOT NULL DEFAULT 'UTC';
ALTER TABLE users ADD COLUMN theme TEXT NOT NULL DEFAULT 'auto';
ALTER TABLE users ADD COLUMN totp_secret TEXT;
-- The 30-second step of the last code taken: no code is taken twice.
ALTER TABLE users ADD COLUMN totp_step INTEGER;

-- Only the digest of a session's cookie is kept. proved_at: when its holder last showed a password or the like.
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

-- Who a person is at an OpenID Connect provider.
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
-- What keeps people from being told too much, and what must not be forgotten in a crash because of it.

-- Messages sent through a channel since an instant: within a minute, and within an hour.
ALTER TABLE channels ADD COLUMN minute_from INTEGER;
ALTER TABLE channels ADD COLUMN minute_told INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels ADD COLUMN hour_from INTEGER;
ALTER TABLE channels ADD COLUMN hour_told INTEGER NOT NULL DEFAULT 0;
-- The hour (its hour_from) of which the recipients know that its limit was reached.
ALTER TABLE channels ADD COLUMN hour_announced INTEGER;

-- Held back for its channel's sake, so that it is told together with what waits beside it.
ALTER TABLE deliveries ADD COLUMN held INTEGER NOT NULL DEFAULT 0;

-- The checks that a channel was told are flapping. changed_at: the last change that was held back.
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
  month   INTEGER NOT NULL,
  used    INTEGER NOT NULL,
  PRIMARY KEY (account, name)
) WITHOUT ROWID;
-- What a person wishes to be sent, and when it is due next; null: not planned yet, or nothing to plan.
ALTER TABLE users ADD COLUMN reports TEXT NOT NULL DEFAULT 'monthly';
ALTER TABLE users ADD COLUMN nag_s INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN next_report_at INTEGER;
ALTER TABLE users ADD COLUMN next_nag_at INTEGER;
CREATE INDEX users_report ON users (next_report_at) WHERE reports <> 'off';
CREATE INDEX users_nag ON users (next_nag_at) WHERE nag_s > 0;

-- E-mails to people that are still to be sent; a row leaves when its mail was sent or given up. uuid becomes the
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
  attempts        INTEGER NOT NULL DEFAULT 0,
  due_at          INTEGER NOT NULL,
  claimed_by      TEXT,
  claimed_until   INTEGER,
  created_at      INTEGER NOT NULL
);
CREATE INDEX mails_due ON mails (due_at);
CREATE INDEX mails_user ON mails (user_id);
-- Whether the owner of a channel's e-mail address agreed to be told; 1 for channels that need no such word.
ALTER TABLE channels ADD COLUMN confirmed INTEGER NOT NULL DEFAULT 1;
-- What pages remember of a person, and the way in for who has lost the second step.

ALTER TABLE users ADD COLUMN list_sort TEXT NOT NULL DEFAULT 'created';

-- Each row is a code that was not used yet; only its digest is kept.
CREATE TABLE recovery_codes (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  digest  TEXT NOT NULL,
  PRIMARY KEY (user_id, digest)
) WITHOUT ROWID;
-- Bodies on their way to object storage. The log's row of such a ping holds object_size and no body; the body is
-- read from here until it has arrived there. due_at: when it may be tried, moved ahead by whoever tries.
CREATE TABLE uploads (
  key      TEXT PRIMARY KEY,
  check_id INTEGER NOT NULL,
  n        INTEGER NOT NULL,
  body     BLOB NOT NULL,
  due_at   INTEGER NOT NULL,
  tries    INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX uploads_due ON uploads (due_at);

-- Objects to be deleted from there, because their pings are gone. due_at as above.
CREATE TABLE removals (
  id         INTEGER PRIMARY KEY,
  check_uuid TEXT NOT NULL,
  n          INTEGER NOT NULL,
  due_at     INTEGER NOT NULL
);
CREATE INDEX removals_due ON removals (due_at);
-- What a channel was told within a minute and an hour, a column for each kind of news: until now, 10,000 times the
-- other news and the falls were one number.
ALTER TABLE channels RENAME COLUMN minute_told TO minute_falls;
ALTER TABLE channels ADD COLUMN minute_others INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels RENAME COLUMN hour_told TO hour_falls;
ALTER TABLE channels ADD COLUMN hour_others INTEGER NOT NULL DEFAULT 0;

-- The hour (its hour_from) of which the recipients know that there is no room left, for other news and for falls:
-- until now one number, negative where falls still had room.
ALTER TABLE channels RENAME COLUMN hour_announced TO others_announced;
ALTER TABLE channels ADD COLUMN falls_announced INTEGER;

UPDATE channels SET
  minute_others = minute_falls / 10000,
  minute_falls = minute_falls % 10000,
  hour_others = hour_falls / 10000,
  hour_falls = hour_falls % 10000,
  others_announced = abs(others_announced),
  falls_announced = CASE WHEN others_announced > 0 THEN others_announced END;

-- Rows.
INSERT INTO meta VALUES('first_run','1795308057782');
INSERT INTO meta VALUES('zone_data','2025c/1');
INSERT INTO users VALUES(1,'443d25f8-0c33-4609-a800-3ded51da264c','alice@example.org',NULL,1795308056860,'UTC','auto',NULL,NULL,'monthly',0,NULL,NULL,'created');
INSERT INTO projects VALUES(1,'1540a2ac-585b-4f02-8e7d-5895d6171c88',1,'Backups','o93lsrzcazcs2cxpemnbjq','52b62bee-01c6-4aa6-a0fe-2d123248b15e',2,1795308056071);
INSERT INTO api_keys VALUES(1,1,'rw','3f3c9daf2b85fff451a747e53bd763b4c2fce934e701e560e1bb6b609b919899','hcw_VE6G',1795308056071);
INSERT INTO api_keys VALUES(2,1,'ro','621975204880ea89701c69a4f395f3c7a635d1c33ee464c4d743f7b93526e37d','hcr_cwCF',1795308056071);
INSERT INTO checks VALUES(1,'5524e5f9-bf81-4210-8bb3-573121f96e83',1,'down',1795308062640,'simple',3600,600,'* * * * *','UTC','',0,0,0,3,1795308062746,NULL,NULL,NULL,NULL,NULL,1795312262535,0);
INSERT INTO checks VALUES(2,'9f7232ee-b125-46ae-9568-b5e9869454df',1,'up',1795308062912,'simple',86400,3600,'* * * * *','UTC','',0,0,0,1,1795308062912,NULL,NULL,NULL,1795394462912,1795398062912,1795398062912,0);
INSERT INTO check_details VALUES(1,1,'7622f27d6a0271f4ab9fdce2a061a02079ee26e9','bfb843fd-bad9-493e-82db-862adc2be7b8','Nightly backup','nightly','db prod','','','','',0,0,0,1795308062424);
INSERT INTO check_details VALUES(2,1,'a286c09ef254d1e6a43304d88535abcc415c9490','e1ad27f1-8fbd-4e94-8ca0-988612981b85','other','other','','','','','',0,0,0,1795308062912);
INSERT INTO pings VALUES(1,1,1,1795308062535,0,'success','http','127.0.0.1','POST','curl/7.88.1',NULL,NULL,X'6120626f6479206f66203132302062797465733a2061616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161',NULL);
INSERT INTO pings VALUES(2,1,2,1795308062640,0,'fail','http','127.0.0.1','GET','curl/7.88.1',NULL,NULL,NULL,NULL);
INSERT INTO pings VALUES(3,1,3,1795308062746,0,'fail','http','127.0.0.1','GET','curl/7.88.1',NULL,1,NULL,NULL);
INSERT INTO pings VALUES(4,2,1,1795308062912,0,'success','http','127.0.0.1','GET','curl/7.88.1',NULL,NULL,NULL,NULL);
INSERT INTO flips VALUES(1,1,1795308062535,'new','up','');
INSERT INTO flips VALUES(2,1,1795308062640,'up','down','fail');
INSERT INTO flips VALUES(3,2,1795308062912,'new','up','');
INSERT INTO channels VALUES(1,'6d196017-e3db-44cc-a82e-95cd269c14f7',1,'Chat','webhook','{"url_down":"http://127.0.0.1:1/","method_down":"GET","body_down":"","headers_down":"","url_up":"","method_up":"GET","body_up":"","headers_up":""}',0,1795308063916,15,'Connections to private IP addresses are not allowed',1795308062154,1795308062911,0,1795308062911,0,NULL,1,0,0,NULL);
INSERT INTO check_channels VALUES(1,1);
INSERT INTO check_channels VALUES(2,1);
INSERT INTO deliveries VALUES(1,'e1edbaa2-222f-42ad-8040-e8ae37ffcf55',1,1,2,NULL,NULL,0,2,1795308066931,NULL,NULL,1795308062640,0);
INSERT INTO notifications VALUES(1,'fa9abf40-cced-4c97-8f33-d0f5438030b7','e1edbaa2-222f-42ad-8040-e8ae37ffcf55',1,1,2,'down',1,1795308062652,248,'Connections to private IP addresses are not allowed');
INSERT INTO notifications VALUES(2,'6070c26e-4ffe-4d69-b752-31cfb628680e','e1edbaa2-222f-42ad-8040-e8ae37ffcf55',1,1,2,'down',2,1795308063912,15,'Connections to private IP addresses are not allowed');
INSERT INTO tokens VALUES('f73c13d7548b83c568d5852d8a058d66b57652a6b0d35955fbfbe0377143c152','sign-in',1,NULL,1795394456873);

PRAGMA user_version = 9;
