import { Refusal } from '../../core/errors.js'
import { addressOrNull } from '../../core/people/email-address.js'
import { projectName } from '../../core/projects/project-name.js'
import type { Clock } from '../../lib/clock.js'
import { newPingKey } from '../../lib/secrets/secrets.js'
import type { Project } from '../../storage/projects/projects.js'
import type { StoreWith } from '../../storage/store.js'
import { newStoredKey } from './create-api-key.js'

/** A project and its keys. The API keys cannot be shown again. */
export interface CreatedProject {
  project: Project
  apiKey: string
  readOnlyApiKey: string
  pingKey: string
}

/**
 * Creates a project with a key of each kind. Without `ownerEmail` it has no owner and is an account of its own.
 * Throws a `Refusal` if the name is too long or the owner does not exist.
 */
export async function createProject(
  store: StoreWith<'projects.create' | 'people.findUser'>,
  clock: Clock,
  { name, ownerEmail }: { name: string; ownerEmail: string | null },
): Promise<CreatedProject> {
  const named = projectName(name)
  const email = ownerEmail === null ? null : addressOrNull(ownerEmail)
  const owner = email === null ? null : await store.people.findUser(email)
  if (ownerEmail !== null && !owner) throw new Refusal('not-found', `there is no user ${ownerEmail}`)
  const [readWrite, readOnly, pingKey] = [newStoredKey('rw'), newStoredKey('ro'), newPingKey()]
  const project = await store.projects.create({
    name: named,
    ownerId: owner?.id ?? null,
    pingKey,
    apiKeys: [readWrite.stored, readOnly.stored],
    now: clock.now(),
  })
  return { project, apiKey: readWrite.key, readOnlyApiKey: readOnly.key, pingKey }
}
