-- When the first attempt at the e-mail failed since any e-mail was sent; null: none was made since.
ALTER TABLE mails ADD COLUMN failing_since INTEGER;
CREATE INDEX mails_failing ON mails (failing_since) WHERE failing_since IS NOT NULL;
