-- 1: the account is being closed, after its projects are deleted.
ALTER TABLE users ADD COLUMN closing SMALLINT NOT NULL DEFAULT 0;
