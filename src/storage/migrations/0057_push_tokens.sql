-- Tokens of other monitors' push addresses that are about a check. Decision 0136.
CREATE TABLE push_tokens (
  token    TEXT PRIMARY KEY,
  check_id INTEGER NOT NULL REFERENCES checks (id) ON DELETE CASCADE
);
CREATE INDEX push_tokens_check ON push_tokens (check_id);
