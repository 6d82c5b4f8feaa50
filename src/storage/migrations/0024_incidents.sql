-- Incidents, silences, policies and dependencies; see docs/decisions/0115.

-- From going down to coming up. A row outlives its check: label is then the check's name.
CREATE TABLE incidents (
  id          INTEGER PRIMARY KEY,
  project_id  INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  check_id    INTEGER NOT NULL,
  label       TEXT NOT NULL DEFAULT '',
  opened_at   INTEGER NOT NULL,
  -- The first failure that was counted.
  since_at    INTEGER NOT NULL,
  cause       TEXT NOT NULL,
  -- When the check went down last, and that flip: later than opened_at where the incident was reopened.
  down_at     INTEGER NOT NULL,
  flip_id     INTEGER NOT NULL,
  closed_at   INTEGER,
  closed_by   TEXT CHECK (closed_by IN ('recovery', 'paused', 'deleted', 'person')),
  -- The latest acknowledgement. ack_until: null where it has no end.
  ack_by      TEXT,
  ack_at      INTEGER,
  ack_note    TEXT NOT NULL DEFAULT '',
  ack_until   INTEGER,
  -- Closed, and checks that depend on this one may have alerts that are held because of it.
  releases    SMALLINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX incidents_open ON incidents (check_id) WHERE closed_at IS NULL;
CREATE INDEX incidents_check ON incidents (check_id, id);
CREATE INDEX incidents_project ON incidents (project_id, opened_at);
CREATE INDEX incidents_release ON incidents (id) WHERE releases = 1;
CREATE INDEX incidents_closed ON incidents (closed_at) WHERE closed_at IS NOT NULL;

-- What happened to an incident beside its messages. kind: held, dropped, acknowledged, unacknowledged, note, reopened.
CREATE TABLE incident_events (
  id          INTEGER PRIMARY KEY,
  incident_id INTEGER NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  created_at  INTEGER NOT NULL,
  kind        TEXT NOT NULL,
  -- The channel of a hold or a drop, and the reason's code.
  channel_id  INTEGER,
  reason      TEXT NOT NULL DEFAULT '',
  text        TEXT NOT NULL DEFAULT '',
  -- Who did it.
  author      TEXT NOT NULL DEFAULT ''
);
CREATE INDEX incident_events_incident ON incident_events (incident_id, id);

-- The policy of an incident for each of its channels: how many steps and repeats were carried out, when it is looked at next,
-- and what its clock (ms) showed at clock_at. is_target: a step has reached the channel, which counts as linked to the check.
CREATE TABLE incident_channels (
  incident_id INTEGER NOT NULL REFERENCES incidents (id) ON DELETE CASCADE,
  check_id    INTEGER NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  channel_id  INTEGER NOT NULL REFERENCES channels (id) ON DELETE CASCADE,
  is_target   SMALLINT NOT NULL DEFAULT 0,
  steps       INT NOT NULL DEFAULT 0,
  repeats     INT NOT NULL DEFAULT 0,
  look_at     INTEGER,
  clock_ms    INTEGER NOT NULL DEFAULT 0,
  clock_at    INTEGER NOT NULL,
  PRIMARY KEY (incident_id, channel_id)
) WITHOUT ROWID;
CREATE INDEX incident_channels_look ON incident_channels (look_at) WHERE look_at IS NOT NULL;
CREATE INDEX incident_channels_check ON incident_channels (check_id, channel_id);
CREATE INDEX incident_channels_channel ON incident_channels (channel_id);

-- Times in which alerts are held, or nothing is expected. A silence that has ended is kept: clocks of incidents, and the page of what was, need it.
CREATE TABLE silences (
  id          INTEGER PRIMARY KEY,
  project_id  INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  mode        TEXT NOT NULL CHECK (mode IN ('hold', 'expect_nothing')),
  -- JSON: {"checks": [ids]}, {"tags": [...]} or {"project": true}; channels: null (all) or [ids].
  scope       TEXT NOT NULL,
  channels    TEXT,
  -- Once: from_at and to_at. Recurring: kind, schedule, tz and duration_s, from from_at on.
  from_at     INTEGER NOT NULL,
  to_at       INTEGER,
  kind        TEXT CHECK (kind IN ('cron', 'oncalendar')),
  schedule    TEXT,
  tz          TEXT,
  duration_s  INTEGER,
  reason      TEXT NOT NULL DEFAULT '',
  created_by  TEXT NOT NULL DEFAULT '',
  created_at  INTEGER NOT NULL,
  -- When it was ended or shortened to; null: it was not. over_at: when nothing of it is active any more; null: never.
  ended_at    INTEGER,
  over_at     INTEGER
);
CREATE INDEX silences_project ON silences (project_id, over_at);
CREATE INDEX silences_over ON silences (over_at) WHERE over_at IS NOT NULL;

-- Who depends on whom.
CREATE TABLE check_parents (
  check_id  INTEGER NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  parent_id INTEGER NOT NULL REFERENCES checks (id) ON DELETE CASCADE,
  PRIMARY KEY (check_id, parent_id)
) WITHOUT ROWID;
CREATE INDEX check_parents_parent ON check_parents (parent_id);
ALTER TABLE check_details ADD COLUMN depends_wait INTEGER NOT NULL DEFAULT 300;

-- Who is alerted when. steps: JSON, [{"after": seconds, "channels": "check" or [ids]}].
CREATE TABLE policies (
  id           INTEGER PRIMARY KEY,
  project_id   INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name         TEXT NOT NULL,
  steps        TEXT NOT NULL,
  repeat_every INTEGER,
  repeat_times INT,
  created_at   INTEGER NOT NULL
);
CREATE INDEX policies_project ON policies (project_id);
ALTER TABLE projects ADD COLUMN policy_id INTEGER;
ALTER TABLE check_details ADD COLUMN policy_id INTEGER;

-- Asks that an open incident is sent once more: 'step' or 'repeat'; null: it is about a change.
ALTER TABLE deliveries ADD COLUMN again TEXT;
ALTER TABLE deliveries ADD COLUMN incident_id INTEGER;
-- Whether a limit ever delayed it: then its recovery reports it even after a hold.
ALTER TABLE deliveries ADD COLUMN delayed SMALLINT NOT NULL DEFAULT 0;
UPDATE deliveries SET delayed = 1 WHERE held_by IS NOT NULL AND held_by <> 'flapping';
CREATE INDEX deliveries_held ON deliveries (check_id) WHERE held_by IN ('silence', 'dependency');
-- The log of an incident is kept as long as the incident.
ALTER TABLE notifications ADD COLUMN incident_id INTEGER;
CREATE INDEX notifications_incident ON notifications (incident_id, id) WHERE incident_id IS NOT NULL;

-- The checks that are down now.
INSERT INTO incidents (project_id, check_id, opened_at, since_at, cause, down_at, flip_id)
SELECT c.project_id, c.id, f.created_at, coalesce(f.since_at, f.created_at), f.reason, f.created_at, f.id
FROM checks c
JOIN flips f ON f.id = (SELECT max(id) FROM flips WHERE flips.check_id = c.id AND flips.new_status = 'down')
WHERE c.status = 'down';
UPDATE deliveries SET incident_id = (SELECT i.id FROM incidents i WHERE i.check_id = deliveries.check_id)
WHERE check_id IS NOT NULL;
