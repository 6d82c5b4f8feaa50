import { sql } from 'kysely'

/**
 * A condition: the channel is linked to the check, directly or through an enabled group, or a step of a policy that
 * names it has reached it. A disabled channel counts, because its deliveries wait until it is enabled. The arguments
 * name columns.
 */
export function isTarget(checkId: string, channelId: string) {
  const [check, channel] = [sql.ref(checkId), sql.ref(channelId)]
  return sql<boolean>`(
    EXISTS (SELECT 1 FROM check_channels cc WHERE cc.check_id = ${check} AND cc.channel_id = ${channel})
    OR EXISTS (
      SELECT 1 FROM group_members gm
      JOIN channels grp ON grp.id = gm.group_id
      JOIN check_channels gc ON gc.channel_id = gm.group_id
      WHERE gm.member_id = ${channel} AND gc.check_id = ${check} AND grp.disabled = 0
    )
    OR EXISTS (
      SELECT 1 FROM incident_channels ic
      WHERE ic.check_id = ${check} AND ic.channel_id = ${channel} AND ic.is_target = 1
    )
  )`
}

/** A condition on a delivery: its channel is linked to its check, and no newer change of that waits for the channel. */
export function isNewestForTarget() {
  return sql<boolean>`(
    ${isTarget('deliveries.check_id', 'deliveries.channel_id')} AND NOT EXISTS (
      SELECT 1 FROM deliveries later
      WHERE later.channel_id = deliveries.channel_id AND later.check_id = deliveries.check_id AND later.id > deliveries.id
        AND later.again IS NULL
    )
  )`
}
