-- What a silence was before it was changed holds for that time still: the clocks of policies ask. Decision 0115.
-- When the scope, the channels or the times were changed last; null: never.
ALTER TABLE silences ADD COLUMN changed_at INTEGER;
-- JSON: the versions before that, the oldest first; see core/silences/versions.ts. Null: none.
ALTER TABLE silences ADD COLUMN earlier TEXT;
