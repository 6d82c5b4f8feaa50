-- When the person proved that they read the mail of the address; null: not yet.
ALTER TABLE users ADD COLUMN email_proven_at INTEGER;
-- Rises when credentials end, so that sign-ins that are under way with them end too.
ALTER TABLE users ADD COLUMN credentials_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN disabled_at INTEGER;

-- The digest of the cookie of the browser that asked for a link; null: it is good in any browser.
ALTER TABLE tokens ADD COLUMN browser TEXT;

ALTER TABLE identities ADD COLUMN email TEXT;
ALTER TABLE identities ADD COLUMN created_at INTEGER;
ALTER TABLE identities ADD COLUMN used_at INTEGER;

-- Of the accounts that exist, these count as proven: the first, which the operator made, and those that were entered by
-- nothing but a link or the proxy. Who knows a password or has an identity may have made the account before its owner.
UPDATE users SET email_proven_at = created_at
WHERE id = (SELECT min(id) FROM users)
   OR (password_hash IS NULL
       AND id IN (SELECT user_id FROM sessions)
       AND id NOT IN (SELECT user_id FROM sessions WHERE method NOT IN ('link', 'proxy'))
       AND id NOT IN (SELECT user_id FROM identities));
