import { failsForADay } from '../../core/alerts/delivery/unreachable.js'
import type { Db } from '../db.js'
import { readWithoutSnapshot } from '../method.js'

/** Whether the channel with this UUID is disabled, or nothing has arrived through it for a day. */
export interface ChannelTrouble {
  channel: string
  trouble: 'disabled' | 'unreachable'
}

/** Whether what a notice or an e-mail says about a channel is still true. */
export const isInTrouble = readWithoutSnapshot(
  async (db: Db, { channel, trouble }: ChannelTrouble): Promise<boolean> => {
    const row = await db.sql
      .selectFrom('channels')
      .select(['disabled', 'failing_ms'])
      .where('uuid', '=', channel)
      .executeTakeFirst()
    if (row === undefined) return false
    return trouble === 'disabled' ? row.disabled === 1 : failsForADay(row.failing_ms)
  },
)
