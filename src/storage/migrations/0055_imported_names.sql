-- The name that Healthchecks had for a person, which the unsubscribe links of its reports contain; null: not imported.
ALTER TABLE users ADD COLUMN imported_name TEXT;
CREATE UNIQUE INDEX users_imported_name ON users (imported_name) WHERE imported_name IS NOT NULL;
