-- One action may concern several projects, each with a row of its own; they are undone together.
ALTER TABLE undos ADD COLUMN batch TEXT NOT NULL DEFAULT '';
UPDATE undos SET batch = uuid;
CREATE INDEX undos_batch ON undos (batch);
