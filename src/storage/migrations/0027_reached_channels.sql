-- 1: the policy of the incident has alerted the channel, or asked to.
ALTER TABLE incident_channels ADD COLUMN reached SMALLINT NOT NULL DEFAULT 0;
