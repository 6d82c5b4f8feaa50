/**
 * Why a check fails. `failed`: a failure signal, an exit status, a keyword. `missed`: no ping in time, or not started in
 * time. `overrun`: a run took too long. `too_short`: one ended too soon.
 */
export const CAUSES = ['failed', 'missed', 'overrun', 'too_short'] as const

export type Cause = (typeof CAUSES)[number]

/** The causes in a list separated by commas, each once and in the order of {@link CAUSES}; null if a word is none. */
export function parseCauses(list: string): Cause[] | null {
  const words = list.split(',').map(word => word.trim())
  const named = words.filter(word => word !== '')
  if (named.some(word => !CAUSES.some(cause => cause === word))) return null
  return CAUSES.filter(cause => named.includes(cause))
}

/** Whether a list of causes, as a check has it, names `cause`. */
export function namesCause(list: string, cause: Cause): boolean {
  return list === cause || list.split(',').includes(cause)
}
