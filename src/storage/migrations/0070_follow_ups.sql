-- What follows from a change and is too much for its transaction. Decision 0155.
CREATE TABLE follow_ups (
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- 'truth': a channel is brought to the truth of its checks; 'unlinked': checks end for a channel that are no longer linked to it;
  -- 'policies': open incidents follow the project's policies.
  kind       TEXT NOT NULL,
  -- The ID of the channel or of the project. Not a reference: what is gone needs nothing any more.
  subject    INTEGER NOT NULL,
  -- The ID of the last check or incident for which it was done.
  after_id   INTEGER NOT NULL,
  -- How often it was asked for: a slice that was done for an earlier change counts for nothing.
  version    INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, kind, subject)
);
