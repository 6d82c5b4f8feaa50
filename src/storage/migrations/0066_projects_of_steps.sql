-- The project of the incident, so that projects take turns where many rows are to be looked at.
ALTER TABLE incident_channels ADD COLUMN project_id INTEGER NOT NULL DEFAULT 0;
UPDATE incident_channels SET project_id = (
  SELECT i.project_id FROM incidents i WHERE i.id = incident_channels.incident_id
);
CREATE INDEX incident_channels_turns ON incident_channels (project_id, look_at) WHERE look_at IS NOT NULL;
