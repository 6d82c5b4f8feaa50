/**
 * Why a check fails. `failed`: a failure signal, an exit status, a keyword. `missed`: no ping, or no start, in time.
 * `overrun`: a run took too long. `too_short`: a run ended too soon.
 */
export const CAUSES = ['failed', 'missed', 'overrun', 'too_short'] as const

export type Cause = (typeof CAUSES)[number]

/**
 * The causes in a comma-separated list, each once and in the order of {@link CAUSES}; null if a word is not a cause.
 */
export function parseCauses(list: string): Cause[] | null {
  const words = list.split(',').map(word => word.trim())
  const named = words.filter(word => word !== '')
  if (named.some(word => !CAUSES.some(cause => cause === word))) return null
  return CAUSES.filter(cause => named.includes(cause))
}

/** Whether a check's list of causes contains `cause`. */
export function includesCause(list: string, cause: Cause): boolean {
  return list === cause || list.split(',').includes(cause)
}
