import { setTimeout as sleep } from 'node:timers/promises'
import { explanationOf, isExplainable } from '../../core/checks/findings/index.js'
import type { Flip } from '../../core/checks/flip.js'
import { Refusal } from '../../core/errors.js'
import type { Clock } from '../../lib/clock.js'
import type { AlertFacts } from '../../storage/alerts/alerts.js'
import type { StoreWith } from '../../storage/store.js'

export interface ExplainDeps {
  store: StoreWith<'checks.findingFacts'>
  clock: Clock
  onError(error: unknown): void
}

/** The longest that an alert waits for its explanation (ms). */
const MOST_WAIT_MS = 1_000

/**
 * The finding that explains why a check went down, as a sentence, or null. It never throws and takes at most a
 * second: without an explanation, the alert is sent without one.
 */
export async function explainAlert(
  { store, clock, onError }: ExplainDeps,
  { check, project }: Pick<AlertFacts, 'check' | 'project'>,
  { newStatus, reason }: Pick<Flip, 'newStatus' | 'reason'>,
): Promise<string | null> {
  if (newStatus !== 'down' || !isExplainable(reason)) return null
  const stop = new AbortController()
  try {
    const facts = await Promise.race([
      store.checks.findingFacts(project.id, { uuid: check.uuid }, clock.now()),
      sleep(MOST_WAIT_MS, null, { signal: stop.signal }),
    ])
    return facts && (explanationOf(reason, facts)?.evidence ?? null)
  } catch (error) {
    // The check may have been deleted.
    if (!(error instanceof Refusal)) onError(error)
    return null
  } finally {
    stop.abort()
  }
}
