-- The objects of a project that files of configuration own. Decision 0123.
CREATE TABLE config_objects (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  section    TEXT NOT NULL,
  key        TEXT NOT NULL,
  -- The UUID of a channel or check, the ID of a policy or silence.
  object     TEXT NOT NULL,
  -- The name of the file.
  owner      TEXT NOT NULL,
  -- The beginning of a silence in the file, if the silence itself began later: at the earliest when it was made.
  begins_at  INTEGER,
  PRIMARY KEY (project_id, section, key)
);
