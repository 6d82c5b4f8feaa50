import type { ApiKeyKind } from '../lib/secrets.js'
import type { Db } from './db.js'

/** Whose key it is and what it may do. */
export interface Authenticated {
  projectId: number
  kind: ApiKeyKind
}

/** Stores the digest of a new API key, and its first characters to tell keys apart. */
export async function addApiKey(
  db: Db,
  key: { projectId: number; kind: ApiKeyKind; digest: string; hint: string; now: number },
): Promise<{ id: number }> {
  return await db.sql
    .insertInto('api_keys')
    .values({
      project_id: key.projectId,
      kind: key.kind,
      digest: key.digest,
      hint: key.hint,
      created_at: key.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** The project and the rights of the key with this digest, or null. */
export async function authenticate(db: Db, digest: string): Promise<Authenticated | null> {
  const row = await db.sql
    .selectFrom('api_keys')
    .select(['project_id as projectId', 'kind'])
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row ?? null
}
