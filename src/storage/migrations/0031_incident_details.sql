-- JSON: what was known about the failure that opened it; see core/incidents/cause-detail.ts.
ALTER TABLE incidents ADD COLUMN detail TEXT NOT NULL DEFAULT '{}';
-- A drop that the log does not say is recorded once for an incident and a channel.
CREATE UNIQUE INDEX incident_events_dropped ON incident_events (incident_id, channel_id, reason, text)
  WHERE kind = 'dropped' AND text IN ('down', 'up');
-- The list of incidents, and whether it has changed.
CREATE INDEX incidents_project_open ON incidents (project_id) WHERE closed_at IS NULL;
CREATE INDEX incidents_project_closed ON incidents (project_id, closed_at) WHERE closed_at IS NOT NULL;
