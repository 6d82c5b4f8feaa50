import { sql } from 'kysely'

/** A condition: something about incident `i` was sent to the channel with this UUID. */
export function wasSentTo(channel: string) {
  return sql<boolean>`EXISTS (
    SELECT 1 FROM notifications n WHERE n.incident_id = i.id AND n.error = ''
      AND n.channel_id = (SELECT ch.id FROM channels ch WHERE ch.uuid = ${channel})
  )`
}
