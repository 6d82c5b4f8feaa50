/** Settles messages: their attempts, deliveries, and what was reported, in one transaction. Decision 0102. */
import type { Announced } from '../announce.js'
import type { Db } from '../db.js'
import { LOCK_WAIT } from '../locks.js'
import { announcedWrite, write } from '../method.js'
import { noteReleased } from '../people/quotas/counted-messages.js'
import { removeNotifications } from './notifications.js'
import { attemptsOf } from './settle/attempt.js'
import { finish } from './settle/claimed-parts.js'
import { settleFailed } from './settle/failed.js'
import { settleSent } from './settle/sent.js'
import type { SentSettlement, Settlement } from './settle/settlement.js'

/** The result of settling a message. */
export interface Settled extends Announced {
  /** Whether nothing has arrived through the channel for a day now. */
  unreachable: boolean
}

/**
 * Settles a message. For deliveries whose claim was lost in the meantime, only the attempt is recorded. Fails if the channel
 * is locked for long, see `isLocked` in errors.ts.
 */
export const settleMessage = announcedWrite(async (db: Db, settlement: Settlement): Promise<Settled> => {
  const unreachable = await settle(db, settlement)
  const { outcome } = settlement
  const isDisabled = outcome.type === 'failed' && outcome.disabled !== undefined
  // The project's other channels are sent a notice.
  return { unreachable, alerts: unreachable || isDisabled, checks: false }
}, LOCK_WAIT)

async function settle(db: Db, settlement: Settlement): Promise<boolean> {
  const { outcome, counted } = settlement
  let unreachable = false
  if (outcome.type === 'sent') await settleSent(db, [{ ...settlement, outcome }])
  else {
    if (outcome.type === 'failed') unreachable = await settleFailed(db, { ...settlement, outcome })
    else {
      await removeNotifications(db, {}, attemptsOf(settlement))
      await finish(db, settlement, settlement.parts)
    }
    if (counted) await noteReleased.all(db, { charged: counted.charged })
  }
  return unreachable
}

/** Settles messages that were sent through one channel by one process, in one transaction, as {@link settleMessage} does. */
export const settleSentMessages = write(
  async (db: Db, settlements: readonly SentSettlement[]): Promise<void> => await settleSent(db, settlements),
  LOCK_WAIT,
)
