-- API tokens of a person (user_id) or of a project (project_id). Only a digest is kept; hint is the first characters.
CREATE TABLE api_tokens (
  id         INTEGER PRIMARY KEY,
  uuid       TEXT NOT NULL UNIQUE,
  user_id    INTEGER REFERENCES users (id) ON DELETE CASCADE,
  project_id INTEGER REFERENCES projects (id) ON DELETE CASCADE,
  -- With which role a project's token acts, at most that of its author then. Null: as the person.
  role       TEXT,
  name       TEXT NOT NULL,
  digest     TEXT NOT NULL UNIQUE,
  hint       TEXT NOT NULL,
  -- Words separated by spaces; see core/people/scopes.ts.
  scopes     TEXT NOT NULL,
  -- Who made it; null: the command line, or an account that was closed.
  author_id  INTEGER REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  -- Written at most once an hour.
  used_at    INTEGER
);
CREATE INDEX api_tokens_user ON api_tokens (user_id);
CREATE INDEX api_tokens_project ON api_tokens (project_id);
CREATE INDEX api_tokens_author ON api_tokens (author_id);

-- Requests with an Idempotency-Key, for a day.
CREATE TABLE api_requests (
  -- The digest of the token or key, and the Idempotency-Key.
  caller     TEXT NOT NULL,
  key        TEXT NOT NULL,
  -- The digest of the method, the address and the body.
  request    TEXT NOT NULL,
  -- The answer, encrypted with the caller's token; null while the request is under way.
  answer     TEXT,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (caller, key)
);
CREATE INDEX api_requests_created ON api_requests (created_at);
