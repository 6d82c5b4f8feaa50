-- The part of the checks that an outage concerns, as storage/postgres/citus/parts.ts writes it; empty: all.
ALTER TABLE outages ADD COLUMN part TEXT NOT NULL DEFAULT '';

-- The parts whose pings a process cannot record; see storage/instance/behind.ts.
ALTER TABLE beats ADD COLUMN behind TEXT NOT NULL DEFAULT '';
