/** One check and one channel: what brings the channel from what it last learned to what is true. Decision 0102. */
import { type Change, type ChangeStatus, type DropReason, isHold } from './change.js'
import type { ChannelRules } from './channel-rules.js'
import { TRY_FOR_MS } from './retry.js'

/** What the channel last learned: the flip to down, or null where it learned "up" or nothing. */
export type Reported = { flipId: number } | null

/** What the channel knows of once the message is sent, or at once where there is no message. */
export type Learns = 'down' | 'up'

/** A change that is to be sent, subject to limits. */
export interface Due {
  change: Change
  learns: Learns
  /** How many older changes it replaces. */
  superseded: number
  /** Since when there has been something to send. */
  createdAt: number
  /** Whether one of those was not held alone. */
  missed: boolean
  /** A closing change whose down alert could not be delivered: one message gives both. */
  missedDown: boolean
  /** Whether it is tried for as long as it takes: it is true, and the channel has not learned it, or may not have. */
  lasting: boolean
}

/** The changes of one check that wait for a channel, oldest first, what it last learned, and whether the check is down. */
export interface Reconcilable {
  changes: readonly Change[]
  reported: Reported
  isDown: boolean
}

export interface Reconciled {
  due: Due | null
  dropped: { change: Change; reason: DropReason }[]
  /** Set where the channel counts as having learned it without a message. */
  learns: Learns | null
}

/**
 * Decides on the changes of one check that wait for a channel. `flapping`: the channel was sent that the check is
 * flapping, and was promised another message.
 */
export function reconcile(
  { changes, reported, isDown }: Reconcilable,
  rules: ChannelRules,
  flapping: boolean,
  now: number,
): Reconciled {
  const dropped: Reconciled['dropped'] = []
  const wanted: Change[] = []
  for (const change of changes) {
    if (wants(rules, change.status)) wanted.push(change)
    else dropped.push({ change, reason: 'unwanted' })
  }
  const newest = changes.at(-1)!
  const over = newest.status !== 'down' || !isDown
  const last = wanted.pop()
  for (const change of wanted) dropped.push({ change, reason: 'superseded' })
  const silently = over ? 'up' : null
  if (!last) return { due: null, dropped, learns: silently }

  const replaced = wanted.some(isMissed)
  const missed = last.missed || replaced
  const due: Due = {
    change: last,
    learns: over ? 'up' : 'down',
    superseded: last.superseded + wanted.reduce((sum, { superseded }) => sum + superseded + 1, 0),
    createdAt: Math.min(last.createdAt, ...wanted.filter(one => one.attempts > 0).map(one => one.createdAt)),
    missed,
    missedDown: last.status !== 'down' && reported === null && missed,
    lasting: last.status === 'down' ? !over : reported !== null || missed || last.attempts > 0,
  }
  const reason =
    last.status === 'down'
      ? noDownAlert(last, newest, { reported, isDown }, flapping)
      : noClosing(due, wanted, reported, rules, flapping)
  const late = !due.lasting && last.attempts > 0 && now - Math.max(last.at, last.createdAt) >= TRY_FOR_MS
  if (reason === null && !late) return { due, dropped, learns: null }
  return {
    due: null,
    dropped: [...dropped, { change: last, reason: reason ?? 'too-late' }],
    learns: silently,
  }
}

/** Whether the channel wants changes to `status`. What is closed by people is only of interest where it is still open. */
export function wants({ down, up, keepsOpen }: ChannelRules, status: ChangeStatus): boolean {
  if (status === 'down') return down
  return status === 'up' ? up : up && keepsOpen
}

/** Why a down alert is not sent; null where it is. */
function noDownAlert(
  last: Change,
  newest: Change,
  { reported, isDown }: Pick<Reconcilable, 'reported' | 'isDown'>,
  flapping: boolean,
): DropReason | null {
  if (newest.status === 'down') {
    if (!isDown) return 'over'
    return reported?.flipId === last.flipId && !flapping && last.attempts === 0 ? 'reported' : null
  }
  if (newest.status !== 'up') return 'closed'
  return isHold(last.heldBy) && last.attempts === 0 ? 'held' : null
}

/** Why the end of an incident is not sent, with `older` changes before it; null where it is. */
function noClosing(
  { change, missed }: Due,
  older: readonly Change[],
  reported: Reported,
  rules: ChannelRules,
  flapping: boolean,
): DropReason | null {
  if (reported !== null) return null
  const tried = missed || [change, ...older].some(({ attempts }) => attempts > 0)
  if (change.status !== 'up') return tried ? null : 'closed'
  if (!rules.down || flapping || missed) return null
  return older.length > 0 || change.superseded > 0 ? 'held' : 'unreported'
}

/** Whether what a change says was missed: it is about a check that is down, and was not held alone. */
export function isMissed({ status, heldBy, attempts, missed }: Change): boolean {
  return missed || (status === 'down' && (!isHold(heldBy) || attempts > 0))
}
