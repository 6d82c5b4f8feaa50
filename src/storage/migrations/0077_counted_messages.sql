-- The messages that were counted against a monthly quota and have not arrived. Decision 0102.
CREATE TABLE counted_messages (
  -- The number that its deliveries have in deliveries.charged.
  charged    INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  -- Where it was counted, as in the table quotas.
  account    TEXT NOT NULL,
  name       TEXT NOT NULL,
  month      INTEGER NOT NULL,
  PRIMARY KEY (charged)
);
CREATE INDEX counted_by_account ON counted_messages (account, name);
