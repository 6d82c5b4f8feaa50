-- When the newest bounce of a message of the channel came, and for how long (ms) all that was sent through it has bounced.
ALTER TABLE channels ADD COLUMN bounced_at INTEGER;
ALTER TABLE channels ADD COLUMN bounced_ms INTEGER NOT NULL DEFAULT 0;
-- When an e-mail that may still bounce was sent; null: it waits to be sent.
ALTER TABLE mails ADD COLUMN sent_at INTEGER;
-- E-mails about trouble that lasts are not given up any more.
ALTER TABLE mails DROP COLUMN unknown_since;
