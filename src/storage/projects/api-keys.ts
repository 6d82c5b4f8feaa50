import type { ApiKeyKind } from '../../lib/secrets/secrets.js'
import type { Db } from '../db.js'
import { recordEvent, recordEvents } from '../events/record-events.js'
import { read, readWithoutSnapshot, write } from '../method.js'
import { newId } from '../new-id.js'
import { prepared } from '../prepared.js'
import { type Author, lockAuthor } from './lock-author.js'

/** The project of an API key, and its kind. */
export interface Authenticated {
  projectId: number
  kind: ApiKeyKind
  /** Its first characters. */
  hint: string
}

/** An API key as it is stored: its digest, and its first characters so that people can tell keys apart. */
export interface NewApiKey {
  kind: ApiKeyKind
  digest: string
  hint: string
}

/** What people see of a stored key. */
export interface ApiKey {
  kind: ApiKeyKind
  hint: string
  createdAt: number
}

/** Stores a new API key. Throws a `Refusal` if its author may not make one any more. */
export const addApiKey = write(
  async (
    db: Db,
    key: NewApiKey & { projectId: number; by?: Author; now: number },
  ): Promise<{ id: number }> => {
    await lockAuthor(db, key.projectId, key.by, 'write')
    const added = await db.sql
      .insertInto('api_keys')
      .values({
        ...(await newId(db, 'api_keys')),
        project_id: key.projectId,
        kind: key.kind,
        digest: key.digest,
        hint: key.hint,
        created_at: key.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { projectId, kind, hint, now } = key
    const object = { id: hint, name: `${hint}…` }
    await recordEvent(db, { projectId, type: 'key.created', object, after: { kind } }, now)
    return added
  },
)

/** The project and the kind of the key with this digest, or null. */
export const authenticate = readWithoutSnapshot(
  async (db: Db, digest: string): Promise<Authenticated | null> => {
    const [row] = await byDigest.all(db, { digest })
    return row ?? null
  },
)

const byDigest = prepared((sql, value: { digest: string }) =>
  sql
    .selectFrom('api_keys')
    .select(['project_id as projectId', 'kind', 'hint'])
    .where('digest', '=', value.digest),
)

/** The API keys of a project, oldest first. */
export const listApiKeys = read(async (db: Db, projectId: number): Promise<ApiKey[]> => {
  return await db.sql
    .selectFrom('api_keys')
    .select(['kind', 'hint', 'created_at as createdAt'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
})

/**
 * Deletes a project's keys of one kind: all, or those with the given hint. Returns the number. Throws a `Refusal` if its author
 * may not do so any more.
 */
export const revokeApiKeys = write(
  async (
    db: Db,
    keys: { projectId: number; kind: ApiKeyKind; hint?: string | undefined; by?: Author; now: number },
  ): Promise<number> => {
    await lockAuthor(db, keys.projectId, keys.by, 'write')
    let query = db.sql
      .deleteFrom('api_keys')
      .where('project_id', '=', keys.projectId)
      .where('kind', '=', keys.kind)
    if (keys.hint !== undefined) query = query.where('hint', '=', keys.hint)
    const revoked = await query.returning(['hint', 'kind', 'project_id']).execute()
    await recordRevoked(db, revoked, keys.now)
    return revoked.length
  },
)

/** Records that keys were revoked. */
export async function recordRevoked(
  db: Db,
  revoked: readonly { hint: string; kind: ApiKeyKind; project_id: number }[],
  now: number,
): Promise<void> {
  const events = revoked.map(({ hint, kind, project_id: projectId }) => ({
    projectId,
    type: 'key.revoked' as const,
    object: { id: hint, name: `${hint}…` },
    before: { kind },
  }))
  await recordEvents(db, events, now)
}
