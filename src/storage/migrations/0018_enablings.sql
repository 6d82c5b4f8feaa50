-- How often the channel was enabled, confirmed or changed: an attempt that began before says nothing about the channel now.
ALTER TABLE channels ADD COLUMN enablings INT NOT NULL DEFAULT 0;
