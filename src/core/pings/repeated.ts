/** Pings that were sent again, because the sender did not see the answer. */
import type { Cause } from '../checks/health/cause.js'
import { SKEW_MS, timeOf } from './back-dated.js'
import type { Action } from './ping-event.js'

/** The parts of a logged ping by which one that is sent again is recognised. */
export interface Sent {
  at: number
  ranAt: number | null
  action: Action
  rid: string | null
  exitStatus: number | null
  cause: Cause | null
}

/** A ping that says when it was to be sent. */
export type Resent = Pick<Sent, 'rid' | 'exitStatus'> & { ranAt: number; action: Action }

/** How long (ms) after it was sent a ping may arrive in time: longer than any client waits for an answer. */
const LONGEST_SENDING_MS = 3_600_000

/** Whether `ping` is the logged one: the same run ID, action and time; or one of that run that came in time. */
export function isRepeated(logged: Sent, ping: Resent): boolean {
  if (logged.rid !== ping.rid || logged.exitStatus !== ping.exitStatus) return false
  if (logged.action !== 'ign' && sentAs(logged) !== ping.action) return false
  if (logged.ranAt !== null) return logged.ranAt === ping.ranAt
  if (ping.rid === null || ping.action === 'log') return false
  const afterMs = timeOf(logged) - ping.ranAt
  return afterMs >= -SKEW_MS && afterMs <= LONGEST_SENDING_MS
}

/** The action that a ping had before it was judged. */
function sentAs({ action, cause }: Sent): Action {
  return action === 'fail' && cause !== null && cause !== 'failed' ? 'success' : action
}
