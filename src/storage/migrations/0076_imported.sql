-- What imports from Healthchecks brought, or found here. A later one does not bring it back when it is gone. Decision 0161.
CREATE TABLE imported (
  -- Of what names the object in the source; see storage/import/brought.ts.
  digest  TEXT PRIMARY KEY,
  -- Of a person: the ID of the account, which may be deleted by now.
  user_id INTEGER
) WITHOUT ROWID;
