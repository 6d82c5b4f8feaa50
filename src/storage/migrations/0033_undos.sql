-- What a person can still undo. A deletion or a move in it is carried out when its time is over.
CREATE TABLE undos (
  uuid        TEXT PRIMARY KEY,
  project_id  INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  -- Who may undo it. Not a reference: a plan whose author is gone is dropped by the job, which logs it.
  user_id     INTEGER NOT NULL,
  -- JSON; see core/checks/undo.ts.
  change      TEXT NOT NULL,
  until_at    INTEGER NOT NULL,
  -- 1: it is being carried out; until_at is then when to try again.
  claimed     SMALLINT NOT NULL DEFAULT 0
);
CREATE INDEX undos_until ON undos (until_at);
CREATE INDEX undos_project ON undos (project_id);
