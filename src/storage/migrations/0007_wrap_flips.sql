-- Whether version 3 of the API wraps a project's flips in an object; null: as WRAP_FLIPS says.
ALTER TABLE projects ADD COLUMN wrap_flips SMALLINT;
