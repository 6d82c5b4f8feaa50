/** An incident: the time from going down to coming up. Decision 0115. */

/** Why an incident closed. `person`: the check was moved to another project, or its log was cleared. */
export type ClosedBy = 'recovery' | 'paused' | 'deleted' | 'person'

/** A check that goes down again within this time (ms) of the end of its incident reopens it. */
export const REOPEN_MS = 15 * 60_000
