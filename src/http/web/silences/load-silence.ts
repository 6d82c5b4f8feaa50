import { Refusal } from '../../../core/errors.js'
import type { Need } from '../../../core/people/role.js'
import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'

/** The silence in the address and its project. Throws a `Refusal` as `projectOf`, or `not-found`. */
export async function loadSilence(
  c: WebContext,
  need: Need,
): Promise<{ project: ProjectAccess; silence: ShownSilence; now: number; home: string }> {
  const project = await projectOf(c, c.req.param('uuid')!, need)
  const { store, clock } = c.var.deps
  const text = c.req.param('silence')!
  if (!/^\d{1,9}$/.test(text)) throw new Refusal('not-found', 'there is no such silence')
  const now = clock.now()
  const silence = await store.silences.find(project.id, Number(text), now)
  return { project, silence, now, home: `/projects/${project.uuid}/silences/` }
}
