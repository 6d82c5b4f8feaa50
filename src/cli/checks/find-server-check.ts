import type { Api } from '../../client/index.js'
import { ApiError } from '../../client/index.js'
import { Refusal } from '../../core/errors.js'
import { isUuid } from '../../core/text/uuid.js'
import type { Server, ServerProject } from '../server/connection.js'

/** A check of a server, in its project. A read-only key is not told the UUID. */
export interface ServerCheck {
  check: Api.Check | Api.ReadOnlyCheck
  project: ServerProject
}

/**
 * The check with this UUID, slug or name in the projects of the server. Throws a `Refusal` when there is none, or more
 * than one.
 */
export async function findServerCheck(server: Server, named: string): Promise<ServerCheck> {
  const projects = await server.projects()
  const found = (await Promise.all(projects.map(project => findIn(project, named)))).flat()
  if (found.length === 1) return found[0]!
  if (found.length === 0)
    throw new Refusal('not-found', `there is no check ${named}${await similar(projects, named)}`)
  const lines = found.map(
    ({ check, project }) => `  ${refOf(check)}  ${check.name}  (project ${project.name})`,
  )
  throw new Refusal('invalid', [`several checks are called ${named}; give the UUID:`, ...lines].join('\n'))
}

/** What names the check in the API: its UUID, or its unique key for a read-only key. */
export function refOf(check: Api.Check | Api.ReadOnlyCheck): string {
  return 'uuid' in check ? check.uuid : check.unique_key
}

async function findIn(project: ServerProject, named: string): Promise<ServerCheck[]> {
  if (isUuid(named)) {
    try {
      return [{ check: await project.api.getCheck(named), project }]
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return []
      throw error
    }
  }
  const found = new Map<string, ServerCheck>()
  for (const filter of [{ slug: named }, { name: named }])
    for await (const check of project.api.listChecks(filter)) found.set(refOf(check), { check, project })
  return [...found.values()]
}

/** The names of up to three checks that contain what was given, for the error. */
async function similar(projects: readonly ServerProject[], named: string): Promise<string> {
  const names: string[] = []
  for (const { api } of projects) {
    for await (const { name, slug } of api.listChecks({ search: named, limit: 3 })) {
      names.push(name || slug)
      if (names.length === 3) break
    }
    if (names.length === 3) break
  }
  return names.length === 0 ? '' : `; there is ${names.join(', ')}`
}
