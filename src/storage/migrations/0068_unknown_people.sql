-- Since when each attempt was refused because the recipient does not exist; null: the newest one was not.
ALTER TABLE mails ADD COLUMN unknown_since INTEGER;
