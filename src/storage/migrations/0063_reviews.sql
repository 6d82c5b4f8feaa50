-- 1: the account was handed over to the person who proved its address, who has not yet seen who else has access.
ALTER TABLE users ADD COLUMN to_review SMALLINT NOT NULL DEFAULT 0;
