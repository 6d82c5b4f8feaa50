-- A page of runs looks up the deadlines and flips of its own time alone.
CREATE INDEX passed_deadlines_since ON passed_deadlines (check_id, since_at);
CREATE INDEX flips_silent ON flips (check_id, created_at) WHERE reason IN ('missed', 'overrun');
