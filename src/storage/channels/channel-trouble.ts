import { failsForADay } from '../../core/alerts/delivery/unreachable.js'
import type { Db } from '../db.js'
import { readWithoutSnapshot } from '../method.js'

/** Whether the channel with this UUID is disabled, or nothing has arrived through it for a day. */
export interface ChannelTrouble {
  channel: string
  trouble: 'disabled' | 'unreachable'
}

/**
 * Whether what a notice or an e-mail says about a channel is still true and news. Nothing is tried through a disabled channel:
 * a person who disabled it knows, and if a permanent failure did, that has a notice of its own.
 */
export const isInTrouble = readWithoutSnapshot(
  async (db: Db, { channel, trouble }: ChannelTrouble): Promise<boolean> => {
    const row = await db.sql
      .selectFrom('channels')
      .select(['disabled', 'failing_ms'])
      .where('uuid', '=', channel)
      .executeTakeFirst()
    if (row === undefined) return false
    const isDisabled = row.disabled === 1
    return trouble === 'disabled' ? isDisabled : !isDisabled && failsForADay(row.failing_ms)
  },
)
