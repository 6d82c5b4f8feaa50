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
