-- How often the links in a channel's messages ended: a link works while this is as it was when it was sent.
ALTER TABLE channels ADD COLUMN link_version INT NOT NULL DEFAULT 0;
