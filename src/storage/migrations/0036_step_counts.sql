-- steps counts the steps that have alerted the channel, not those of the policy that are over.
UPDATE incident_channels SET steps = reached;
