-- When the last claim of the message ends; null: nobody is sending it. It is not given back before that.
ALTER TABLE counted_messages ADD COLUMN claimed_until INTEGER;
