/** A hold keeps down alerts of a check back from a channel. It never changes the check. Decision 0115. */

export type CheckHoldReason = 'silence' | 'dependency'

/** A hold that is active now. */
export interface CheckHold {
  reason: CheckHoldReason
  /** When to look again (ms): when it is known to end, or earlier. */
  until: number
  /** Its name as people know it: of the silence, or of the check that is depended on. May be empty. */
  name: string
}

/** How long (ms) a held change waits at most before it is planned again. */
export const RECHECK_MS = 15 * 60_000

/** The holds in words: `silence “Backup window”, dependency: Router`. */
export function holdWords(holds: readonly CheckHold[]): string {
  return holds.map(words).join(', ')
}

function words({ reason, name }: CheckHold): string {
  if (reason === 'dependency') return `dependency: ${name}`
  return name === '' ? 'silence' : `silence “${name}”`
}
