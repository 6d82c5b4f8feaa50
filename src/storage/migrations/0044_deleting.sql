-- 1: the project is being deleted, slice by slice. It keeps its owner.
ALTER TABLE projects ADD COLUMN deleting SMALLINT NOT NULL DEFAULT 0;
