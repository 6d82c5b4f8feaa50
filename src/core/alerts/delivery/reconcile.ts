/**
 * For one check and one channel: the change to send, from what was last reported to what is true now. Decision 0102.
 */
import { type Change, type ChangeStatus, type DropReason, isHold } from './change.js'
import type { ChannelRules } from './channel-rules.js'
import { type Flapping, noticedAmong } from './flapping.js'
import { isTooLate } from './retry.js'

/** What was last reported to the channel: the flip to down, or null for "up" or nothing. */
export type Reported = { flipId: number } | null

/** The reported status once the message is sent, or at once if there is no message. */
export type ReportedStatus = 'down' | 'up'

/** A change that is to be sent, subject to limits. */
export interface Due {
  change: Change
  reports: ReportedStatus
  /** How many older changes it replaces. */
  superseded: number
  /** The number of the counted message that it, or one of those, was in; see `Change`. */
  charged: number
  /** Since when there has been something to send. */
  createdAt: number
  /** Since when (ms) it is tried; {@link isTooLate} counts from here. */
  since: number
  /** Whether one of those was missed: see {@link isMissed}. */
  missed: boolean
  /** Whether a limit delayed it, or one of those. */
  delayed: boolean
  /** Set on a closing whose down alert could not be delivered, so that one message reports both. */
  missedDown: boolean
  /** Whether to retry until it succeeds: it is true, and it was not, or may not have been, reported. */
  lasting: boolean
}

/**
 * The changes of one check that wait for a channel, oldest first; the number of the counted message that one of them was in, or 0; what was
 * last reported; whether the check is down; when (ms) its incident ended, null if it is open or that is not known; and since when the channel
 * was sent that the check is flapping.
 */
export interface Reconcilable {
  changes: readonly Change[]
  charged: number
  reported: Reported
  isDown: boolean
  overAt: number | null
  flapping: Flapping | null
}

export interface Reconciled {
  due: Due | null
  dropped: { change: Change; reason: DropReason }[]
  /** Set if the status counts as reported without a message. */
  reported: ReportedStatus | null
}

/**
 * Decides which of one check's waiting changes to send. `isPromised`: the channel was sent that the check is flapping,
 * and that another message would follow.
 */
export function reconcile(
  { changes, charged, reported, isDown, overAt, flapping }: Reconcilable,
  rules: ChannelRules,
  isPromised: boolean,
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
  const noticed = noticedAmong(changes, flapping)
  for (const change of wanted) {
    dropped.push({ change, reason: change === noticed ? 'reported' : 'superseded' })
  }
  const reportedSilently = over ? 'up' : null
  if (!last) return { due: null, dropped, reported: reportedSilently }

  // An end that waited for its link, of which the channel is not sent, was of an incident that it may know.
  const replaced =
    wanted.some(isMissed) || changes.some(({ status, missed }) => status === 'deleted' && missed)
  const missed = last.missed || replaced
  const createdAt = Math.min(
    last.createdAt,
    ...wanted.filter(one => one.attempts > 0).map(one => one.createdAt),
  )
  const due: Due = {
    change: last,
    reports: over ? 'up' : 'down',
    superseded: wanted.reduce(
      (sum, one) => sum + one.superseded + (one === noticed ? 0 : 1),
      last.superseded,
    ),
    charged,
    createdAt,
    since: Math.max(createdAt, last.at, over ? (overAt ?? 0) : 0),
    missed,
    delayed: last.delayed || wanted.some(({ delayed }) => delayed),
    missedDown: last.status !== 'down' && reported === null && missed,
    lasting:
      last.status === 'down'
        ? !over && (last.again === null || reported === null)
        : reported !== null || missed || last.attempts > 0,
  }
  // A channel that wants recoveries only is not sent one of a check that is down again.
  const isEndedAgain = last.status !== 'down' && !over
  const reason = isEndedAgain
    ? 'superseded'
    : last.status === 'down'
      ? noDownAlert(last, newest, { reported, isDown }, rules, isPromised)
      : noClosing(due, wanted, reported, rules, isPromised)
  const late = !due.lasting && last.attempts > 0 && isTooLate(due.since, now)
  if (reason === null && !late) return { due, dropped, reported: null }
  return {
    due: null,
    dropped: [...dropped, { change: last, reason: last === noticed ? 'reported' : (reason ?? 'too-late') }],
    reported: reportedSilently,
  }
}

/**
 * Whether the channel wants changes to `status`. A pause or a deletion matters only if it closes
 * something at the receiver.
 */
export function wants({ down, up, keepsOpen }: ChannelRules, status: ChangeStatus): boolean {
  if (status === 'down') return down
  return status === 'up' ? up : up && keepsOpen
}

/** Why a down alert is not sent; null if it is sent. */
function noDownAlert(
  last: Change,
  newest: Change,
  { reported, isDown }: Pick<Reconcilable, 'reported' | 'isDown'>,
  { up }: ChannelRules,
  isPromised: boolean,
): DropReason | null {
  if (newest.status === 'down') {
    if (isDown) {
      const isReported = reported?.flipId === last.flipId && last.again === null
      return isReported && !isPromised && last.attempts === 0 ? 'reported' : null
    }
    // A channel that wants no recoveries: this one was dropped when the alert was planned before.
    const wasPlanned = last.attempts > 0 || last.delayed || last.heldBy !== null
    if (up || !wasPlanned) return 'over'
  } else if (newest.status !== 'up') return 'closed'
  return isOnlyHeld(last) ? 'held' : null
}

/** Why the end of an incident is not sent, with `older` changes before it; null if it is sent. */
function noClosing(
  { change, missed }: Due,
  older: readonly Change[],
  reported: Reported,
  rules: ChannelRules,
  isPromised: boolean,
): DropReason | null {
  if (reported !== null) return null
  const tried = missed || [change, ...older].some(({ attempts }) => attempts > 0)
  if (change.status !== 'up') return tried ? null : 'closed'
  if (!rules.down || isPromised || missed) return null
  return older.length > 0 || change.superseded > 0 ? 'held' : 'unreported'
}

/** Whether a change was missed: the check went down, and the alert was tried or delayed rather than only held. */
export function isMissed(change: Change): boolean {
  return change.missed || (change.status === 'down' && !isOnlyHeld(change))
}

/** Whether nothing but a hold kept the change back until now. */
function isOnlyHeld({ heldBy, delayed, attempts }: Change): boolean {
  return isHold(heldBy) && !delayed && attempts === 0
}
