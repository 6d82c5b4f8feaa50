-- The rows of an account name it no longer when it is deleted: its ID could be another's in a copy. What was noted before named
-- people by microseconds, which copies of the source do not keep, so none of it is kept. Decision 0161.
DROP TABLE imported;
CREATE TABLE imported (
  -- Of what names the object in the source; see storage/import/brought.ts.
  digest  TEXT PRIMARY KEY,
  -- Of a person: the account. Null: it was deleted, or is another person's now.
  user_id INTEGER REFERENCES users (id) ON DELETE SET NULL
) WITHOUT ROWID;
CREATE INDEX imported_accounts ON imported (user_id) WHERE user_id IS NOT NULL;
-- Imports made owners members of their own projects.
DELETE FROM members WHERE EXISTS (
  SELECT 1 FROM projects WHERE projects.id = members.project_id AND projects.owner_id = members.user_id
);
