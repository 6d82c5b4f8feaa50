-- The projects that a queued e-mail tells of. It is sent only to a person whose role in each of them allows `need`. Nothing refers to
-- projects: an e-mail about a deleted one is withdrawn.
CREATE TABLE mail_projects (
  mail_id    INTEGER NOT NULL REFERENCES mails (id) ON DELETE CASCADE,
  project_id INTEGER NOT NULL,
  need       TEXT NOT NULL,
  PRIMARY KEY (mail_id, project_id)
) WITHOUT ROWID;
