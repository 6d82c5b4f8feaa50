-- The last id given in each of these tables, so that SQLite gives none twice: a row's id may be known to a request that is
-- under way after the row was deleted. PostgreSQL has its sequences for that and leaves this alone.
CREATE TABLE last_ids (
  name TEXT PRIMARY KEY,
  id   INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO last_ids (name, id) SELECT 'users', coalesce(max(id), 0) FROM users;
INSERT INTO last_ids (name, id) SELECT 'sessions', coalesce(max(id), 0) FROM sessions;
INSERT INTO last_ids (name, id) SELECT 'projects', coalesce(max(id), 0) FROM projects;
INSERT INTO last_ids (name, id) SELECT 'api_keys', coalesce(max(id), 0) FROM api_keys;
INSERT INTO last_ids (name, id) SELECT 'channels', coalesce(max(id), 0) FROM channels;
INSERT INTO last_ids (name, id) SELECT 'checks', coalesce(max(id), 0) FROM checks;
