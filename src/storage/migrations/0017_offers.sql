-- Who offered the project, and the version of their credentials then. Offers from before this was noted have ended.
ALTER TABLE members ADD COLUMN offered_by INTEGER;
ALTER TABLE members ADD COLUMN offered_version INTEGER;
UPDATE members SET transfer_requested_at = NULL WHERE transfer_requested_at IS NOT NULL;
