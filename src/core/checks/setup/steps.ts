/** The three steps by which a new check is set up: its first ping, who is alerted, and a test alert. */

const HOUR_MS = 3_600_000
/** How long after its creation a check shows the steps that are left. */
const SHOWN_MS = 168 * HOUR_MS
/** How long if all are done, so that the first ping can be seen to have arrived. */
const SHOWN_DONE_MS = HOUR_MS

export interface SetupFacts {
  nPings: number
  createdAt: number
  /** Those that its alerts are sent to. `arrived`: whether the last message to it arrived. */
  receivers: readonly { disabled: boolean; arrived: boolean }[]
}

/** Whether each step is done. */
export interface SetupSteps {
  ping: boolean
  receivers: boolean
  test: boolean
}

/** Which steps are done. */
export function setupSteps({ nPings, receivers }: Pick<SetupFacts, 'nPings' | 'receivers'>): SetupSteps {
  const enabled = receivers.filter(({ disabled }) => !disabled)
  return {
    ping: nPings > 0,
    receivers: enabled.length > 0,
    test: enabled.some(({ arrived }) => arrived),
  }
}

/** Whether a check may still show its steps at `now` (ms), as far as its row says. */
export function mayShowSetup({ nPings, createdAt }: Omit<SetupFacts, 'receivers'>, now: number): boolean {
  return nPings === 0 || now - createdAt < SHOWN_MS
}

/** Whether its page shows the steps at `now` (ms), unless they were closed. */
export function showsSetup(facts: SetupFacts, now: number): boolean {
  if (!mayShowSetup(facts, now)) return false
  const { ping, receivers, test } = setupSteps(facts)
  return !ping || !receivers || !test || now - facts.createdAt < SHOWN_DONE_MS
}
