-- Whether a message of the delivery was counted against the monthly quota. It is written with the count, so it is counted once, however
-- often it is tried.
ALTER TABLE deliveries ADD COLUMN charged INTEGER NOT NULL DEFAULT 0;
-- What was tried before was counted then.
UPDATE deliveries SET charged = 1 WHERE attempts > 0;
