/** An incident: the time from going down to coming up. Decision 0115. */
import { concernsIncident, type Flip } from '../checks/flip.js'

/** Why an incident closed. `person`: the check was moved to another project, or its log was cleared. */
export type ClosedBy = 'recovery' | 'paused' | 'deleted' | 'person'

/** A check that goes down again within this time (ms) of the end of its incident reopens it. */
export const REOPEN_MS = 15 * 60_000

/** An incident as flips open and close it. Instants in ms. */
export interface Incident {
  openedAt: number
  /** The first failure that was counted, and its cause. */
  sinceAt: number
  cause: string
  /**
   * When the check last went down, and that flip: later than `openedAt` if the incident was reopened. "Down since" is this instant
   * everywhere, as it is that of the check's status, of its uptime and of its alerts; see `downSince` in check-state.ts.
   */
  downAt: number
  flipId: number
  closedAt: number | null
  closedBy: ClosedBy | null
}

/** What a flip does to the incidents of its check; `none`: nothing. */
export type IncidentStep = 'opened' | 'reopened' | 'closed' | 'none'

/** The latest incident of a check (null: it had none) after a flip, and what the flip did. */
export function incidentAfter<T extends Incident>(
  latest: T | null,
  flip: Flip,
  flipId: number,
): { step: IncidentStep; incident: T | Incident | null } {
  if (!concernsIncident(flip)) return { step: 'none', incident: latest }
  if (flip.newStatus !== 'down') {
    if (latest === null || latest.closedAt !== null) return { step: 'none', incident: latest }
    const closedBy = flip.newStatus === 'paused' ? 'paused' : 'recovery'
    return { step: 'closed', incident: { ...latest, closedAt: flip.createdAt, closedBy } }
  }
  const down = { downAt: flip.createdAt, flipId, closedAt: null, closedBy: null }
  // An open one: the check was down already, whatever the flip says.
  if (latest?.closedAt === null) return { step: 'none', incident: { ...latest, ...down } }
  if (latest?.closedBy === 'recovery' && flip.createdAt - latest.closedAt <= REOPEN_MS)
    return { step: 'reopened', incident: { ...latest, ...down } }
  const { createdAt, reason: cause } = flip
  return {
    step: 'opened',
    incident: { openedAt: createdAt, sinceAt: flip.since ?? createdAt, cause, ...down },
  }
}
