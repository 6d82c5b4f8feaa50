import { Refusal } from '../../../core/errors.js'
import type { Need } from '../../../core/people/role.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import { projectOf } from '../access.js'
import type { WebContext } from '../context.js'

/** The project and the incident that the address names. Throws as `projectOf` does. */
export async function incidentInPath(
  c: WebContext,
  need: Need,
): Promise<{ project: ProjectAccess; id: number }> {
  const project = await projectOf(c, c.req.param('uuid')!, need)
  const id = Number(c.req.param('id'))
  if (!Number.isSafeInteger(id) || id < 1) throw new Refusal('not-found', 'there is no such incident')
  return { project, id }
}

/** The result of a store method; an incident of another project counts as missing. */
export async function ownOnly<T>(result: Promise<T>): Promise<T> {
  return await result.catch(error => {
    if (error instanceof Refusal && error.code === 'forbidden') {
      throw new Refusal('not-found', 'there is no such incident')
    }
    throw error
  })
}
