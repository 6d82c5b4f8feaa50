import { failsForADay } from '../../core/alerts/delivery/unreachable.js'
import type { Db } from '../db.js'
import { readWithoutSnapshot } from '../method.js'
import { failingMsOf } from './bounced-channel.js'

/** That the channel with this UUID was disabled, or that nothing has arrived through it for a day. */
export interface ChannelTrouble {
  channel: string
  trouble: 'disabled' | 'unreachable'
  /** How often it had been enabled, confirmed or changed by then; absent: not known. */
  enablings?: number
}

/**
 * Whether what a notice or an e-mail says about a channel is still true and news. If the channel was enabled since, that is over:
 * a person who disabled it then knows, and failures since have a notice of their own. So it is where nothing had arrived through
 * a channel that is disabled now.
 */
export const isInTrouble = readWithoutSnapshot(
  async (db: Db, { channel, trouble, enablings }: ChannelTrouble, now: number): Promise<boolean> => {
    const row = await db.sql
      .selectFrom('channels')
      .select(['id', 'disabled', 'failing_ms', 'bounced_at', 'bounced_ms', 'enablings'])
      .where('uuid', '=', channel)
      .executeTakeFirst()
    if (row === undefined || row.enablings !== (enablings ?? row.enablings)) return false
    const isDisabled = row.disabled === 1
    if (trouble === 'disabled') return isDisabled
    return !isDisabled && failsForADay(await failingMsOf(db, row, now))
  },
)
