import { Refusal } from '../../../../core/errors.js'
import type { ShownPolicy } from '../../../../storage/incidents/policies.js'
import type { ProjectAccess } from '../../../../storage/people/access.js'
import { projectOf } from '../../access.js'
import type { WebContext } from '../../context.js'

/** The policy in the address and its project, to be changed. Throws a `Refusal` as `projectOf`, or `not-found`. */
export async function loadPolicy(
  c: WebContext,
): Promise<{ project: ProjectAccess; policy: ShownPolicy; home: string }> {
  const project = await projectOf(c, c.req.param('uuid')!, 'write')
  const text = c.req.param('policy')!
  if (!/^\d{1,9}$/.test(text)) throw new Refusal('not-found', 'there is no such policy')
  const policy = await c.var.deps.store.incidents.policy(project.id, Number(text))
  return { project, policy, home: `/projects/${project.uuid}/policies/` }
}

/** The number of checks that a policy applies to. `unnamed`: of those that name none. */
export function usesOf({ checks, isDefault }: ShownPolicy, unnamed: number): number {
  return checks + (isDefault ? unnamed : 0)
}
