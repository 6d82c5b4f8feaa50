/** The texts of the log about deliveries that were dropped. */
import type { DropReason } from './change.js'

export type NotedReason = Exclude<DropReason, 'unusable'>

/** The error of the attempt that records a drop; empty: there is none, or its incident records it. */
export const DROP_NOTES: Record<NotedReason, string> = {
  unwanted: '',
  superseded: 'Superseded by a newer status change',
  held: 'Not sent: the check was up again before the hold ended',
  closed: 'Not sent: the check was paused before',
  over: 'Not sent: the check is not down any more',
  unlinked: '',
  acknowledged: '',
  unreported: 'Not sent: this integration was not sent the down alert either',
  reported: '',
  'too-late': 'Given up after a day',
}

/**
 * The number of the attempt that a row of the log records; null if nobody made one, because the row records why a delivery
 * was dropped.
 */
export function madeAttempt({ attempt, error }: { attempt: number; error: string }): number | null {
  return error !== '' && Object.values(DROP_NOTES).includes(error) ? null : attempt
}

/** The reasons by which nothing was to be sent any more, rather than that it could not be sent. */
const NEEDLESS = ['superseded', 'held', 'closed', 'over', 'unreported'] as const

/** The errors of attempts that nobody made, because there was nothing to send any more. */
export const NEEDLESS_NOTES: readonly string[] = NEEDLESS.map(reason => DROP_NOTES[reason])

/** The reason of a drop that this error records; null if it is the error of an attempt. */
export function needlessReason(error: string): DropReason | null {
  return NEEDLESS.find(reason => DROP_NOTES[reason] === error) ?? null
}
