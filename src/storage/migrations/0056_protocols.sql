-- The protocols of other monitors that a project accepts, with commas between them; null: none. Decision 0132.
ALTER TABLE projects ADD COLUMN protocols TEXT;
