-- When an incident that a pause closed releases what depends on its check, if the pause can be undone until then.
ALTER TABLE incidents ADD COLUMN release_at BIGINT;
-- When a delivery was due before a pause that can be undone postponed it.
ALTER TABLE deliveries ADD COLUMN due_before BIGINT;
