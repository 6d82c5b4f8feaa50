-- Since when each attempt through the channel was refused because the recipient does not exist; null: the newest one was not.
ALTER TABLE channels ADD COLUMN unknown_since INTEGER;
