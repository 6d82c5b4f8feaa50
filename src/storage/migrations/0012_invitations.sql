-- Who made an invitation; null: made before this was noted. It ends with the account.
ALTER TABLE invitations ADD COLUMN inviter_id INTEGER REFERENCES users (id) ON DELETE CASCADE;

-- The invitation that a token which proves an address is for; it ends with the invitation.
ALTER TABLE tokens ADD COLUMN invitation_id INTEGER REFERENCES invitations (id) ON DELETE CASCADE;
CREATE INDEX tokens_invitation ON tokens (invitation_id) WHERE invitation_id IS NOT NULL;
DELETE FROM tokens WHERE purpose = 'invited';

-- Since when a channel has its recipient (ms UTC); null: from the start. What is said of earlier messages concerns another.
ALTER TABLE channels ADD COLUMN recipient_since INTEGER;
