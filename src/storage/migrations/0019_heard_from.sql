-- When a process started that does not know yet whether anyone took pings before it; 0 once it does.
ALTER TABLE beats ADD COLUMN heard_from INTEGER NOT NULL DEFAULT 0;
