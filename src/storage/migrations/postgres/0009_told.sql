-- What a channel was told within a minute and an hour, a column for each kind of news: until now, 10,000 times the
-- other news and the falls were one number.
ALTER TABLE channels RENAME COLUMN minute_told TO minute_falls;
ALTER TABLE channels ADD COLUMN minute_others INTEGER NOT NULL DEFAULT 0;
ALTER TABLE channels RENAME COLUMN hour_told TO hour_falls;
ALTER TABLE channels ADD COLUMN hour_others INTEGER NOT NULL DEFAULT 0;

-- The hour (its hour_from) of which the recipients know that there is no room left, for other news and for falls:
-- until now one number, negative where falls still had room.
ALTER TABLE channels RENAME COLUMN hour_announced TO others_announced;
ALTER TABLE channels ADD COLUMN falls_announced BIGINT;

UPDATE channels SET
  minute_others = minute_falls / 10000,
  minute_falls = minute_falls % 10000,
  hour_others = hour_falls / 10000,
  hour_falls = hour_falls % 10000,
  others_announced = abs(others_announced),
  falls_announced = CASE WHEN others_announced > 0 THEN others_announced END;
