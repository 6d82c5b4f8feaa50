-- What is in flight through a channel.
CREATE INDEX deliveries_sending ON deliveries (channel_id, check_id, claimed_until) WHERE claimed_until IS NOT NULL;
