import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import { silencesOf } from '../../../core/silences/silenced.js'
import type { WebContext } from '../context.js'

/** The silences that concern a check and are not over. */
export async function silencesOfCheck(
  c: WebContext,
  projectId: number,
  check: { uuid: string; tags: string },
): Promise<ShownSilence[]> {
  const { store, clock } = c.var.deps
  return silencesOf(await store.silences.list(projectId, clock.now()), check)
}
