-- What an e-mail says about a channel, as JSON (ChannelTrouble); it is not sent if that is not true any more.
ALTER TABLE mails ADD COLUMN about TEXT;
