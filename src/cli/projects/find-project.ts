import { Refusal } from '../../core/errors.js'
import { isUuid } from '../../core/text/uuid.js'
import type { Project } from '../../storage/projects/projects.js'
import type { StoreWith } from '../../storage/store.js'

/** The project with this UUID or name. Throws a `Refusal` when there is none, or more than one. */
export async function findProject(
  store: StoreWith<'projects.find' | 'projects.list'>,
  named: string,
): Promise<Project> {
  const text = named.trim()
  const uuids = isUuid(text.toLowerCase())
    ? [text.toLowerCase()]
    : (await store.projects.list()).filter(({ name }) => name === text).map(({ uuid }) => uuid)
  if (uuids.length > 1) {
    const lines = uuids.map(uuid => `  ${uuid}`)
    throw new Refusal(
      'invalid',
      [`several projects are called ${named}; give the UUID:`, ...lines].join('\n'),
    )
  }
  const project = uuids[0] === undefined ? null : await store.projects.find(uuids[0])
  if (!project) throw new Refusal('not-found', `there is no project ${named}: see \`punctual project list\``)
  return project
}
