-- What is done in several transactions has rows of each, its part, and when that was made (ms).
ALTER TABLE undos ADD COLUMN part INTEGER NOT NULL DEFAULT 0;
ALTER TABLE undos ADD COLUMN made_at BIGINT NOT NULL DEFAULT 0;
UPDATE undos SET made_at = until_at - 15000;
