import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Refusal } from '../../core/errors.js'
import { type MemberRole, type Need, type Role, tokenRole } from '../../core/people/role.js'
import { type ScopeName, scopesIn } from '../../core/people/scopes.js'
import { isoSeconds } from '../../core/wire/timestamp.js'
import type { Db } from '../db.js'
import { recordEvent, recordEvents } from '../events/record-events.js'
import { read, readWithoutSnapshot, write } from '../method.js'
import { newId } from '../new-id.js'
import { lockAccountInSession } from '../people/lock-account.js'
import { prepared } from '../prepared.js'
import { type Author, lockAuthor } from './lock-author.js'

/** Whose token it is: a person's, or a project's with the role with which it acts there. */
export type TokenOwner = { userId: number } | { projectId: number; role: MemberRole }

/** A token as it is stored: its digest, and its first characters so that people can tell tokens apart. */
export interface NewApiToken {
  owner: TokenOwner
  name: string
  digest: string
  hint: string
  scopes: readonly ScopeName[]
  by?: Author
  expiresAt: number | null
  now: number
}

/** What people see of a token. */
export interface ApiToken {
  uuid: string
  name: string
  hint: string
  scopes: ScopeName[]
  /** The address of who made it; null: the operator, or an account that was closed. */
  author: string | null
  createdAt: number
  expiresAt: number | null
  /** To the hour; null: never. */
  usedAt: number | null
}

/** A token that authenticates a request. */
export interface KnownToken {
  id: number
  uuid: string
  name: string
  /** The person, for a token of a person. */
  person: { id: number; uuid: string; email: string } | null
  /** The project, for a token of a project. */
  project: { id: number; uuid: string; role: MemberRole } | null
  scopes: ScopeName[]
  authorId: number | null
  expiresAt: number | null
  usedAt: number | null
}

/** Stores a new token and returns its UUID. Throws a `Refusal` if its author may not make it any more. */
export const addApiToken = write(async (db: Db, token: NewApiToken): Promise<{ uuid: string }> => {
  const { owner, name, scopes, by, expiresAt, now } = token
  await lockTokenAuthor(db, owner, by, 'role' in owner && owner.role === 'manager' ? 'manage' : 'write')
  const added = await db.sql
    .insertInto('api_tokens')
    .values({
      ...(await newId(db, 'api_tokens')),
      uuid: randomUUID(),
      user_id: 'userId' in owner ? owner.userId : null,
      project_id: 'projectId' in owner ? owner.projectId : null,
      role: 'projectId' in owner ? owner.role : null,
      name: token.name,
      digest: token.digest,
      hint: token.hint,
      scopes: token.scopes.join(' '),
      author_id: token.by?.userId ?? null,
      created_at: token.now,
      expires_at: token.expiresAt,
    })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  if ('projectId' in owner) {
    const { projectId, role } = owner
    const expires_at = expiresAt === null ? null : isoSeconds(expiresAt)
    const object = { id: added.uuid, name }
    await recordEvent(
      db,
      { projectId, type: 'token.created', object, after: { scopes, role, expires_at } },
      now,
    )
  }
  return added
})

/** The token with this digest; null if it is unknown or its person is disabled. The caller looks at its expiry. */
export const findApiToken = readWithoutSnapshot(
  async (db: Db, digest: string): Promise<KnownToken | null> => {
    const [row] = await byDigest.all(db, { digest })
    if (!row || row.disabledAt !== null) return null
    const { id, uuid, name, userId, userUuid, email, projectId, projectUuid } = row
    return {
      id,
      uuid,
      name,
      person: userId === null ? null : { id: userId, uuid: userUuid!, email: email! },
      project: projectId === null ? null : { id: projectId, uuid: projectUuid!, role: roleOf(row) },
      scopes: scopesIn(row.scopes.split(' ')),
      authorId: row.authorId,
      expiresAt: row.expiresAt,
      usedAt: row.usedAt,
    }
  },
)

/** The role with which a token of a project acts now. */
function roleOf({ role, authorId, authorDisabledAt, ownerId, authorRole }: TokenRow): MemberRole {
  if (authorId === null) return role!
  const isOwner = ownerId === authorId
  const author: Role | null = authorDisabledAt !== null ? null : isOwner ? 'owner' : authorRole
  return tokenRole(role!, author)
}

interface TokenRow {
  role: MemberRole | null
  authorId: number | null
  authorDisabledAt: number | null
  ownerId: number | null
  authorRole: MemberRole | null
}

const byDigest = prepared((db, value: { digest: string }) =>
  db
    .selectFrom('api_tokens as t')
    .leftJoin('users as u', 'u.id', 't.user_id')
    .leftJoin('projects as p', 'p.id', 't.project_id')
    .leftJoin('users as a', 'a.id', 't.author_id')
    .leftJoin('members as m', join =>
      join.onRef('m.project_id', '=', 't.project_id').onRef('m.user_id', '=', 't.author_id'),
    )
    .select(['t.id', 't.uuid', 't.name', 't.scopes', 't.role', 't.author_id as authorId'])
    .select(['a.disabled_at as authorDisabledAt', 'p.owner_id as ownerId', 'm.role as authorRole'])
    .select(['t.expires_at as expiresAt', 't.used_at as usedAt'])
    .select(['u.id as userId', 'u.uuid as userUuid', 'u.email', 'u.disabled_at as disabledAt'])
    .select(['p.id as projectId', 'p.uuid as projectUuid'])
    .where('t.digest', '=', value.digest),
)

/** Records that a token was used. */
export const noteTokenUse = write(async (db: Db, id: number, now: number): Promise<void> => {
  await db.sql.updateTable('api_tokens').set({ used_at: now }).where('id', '=', id).execute()
})

/** The tokens of a person or of a project, oldest first. */
export const listApiTokens = read(async (db: Db, owner: OwnerRef): Promise<ApiToken[]> => {
  const rows = await db.sql
    .selectFrom('api_tokens as t')
    .leftJoin('users as u', 'u.id', 't.author_id')
    .select(['t.uuid', 't.name', 't.hint', 't.scopes', 'u.email as author', 't.created_at as createdAt'])
    .select(['t.expires_at as expiresAt', 't.used_at as usedAt'])
    .where(ownedBy(owner))
    .orderBy('t.id')
    .execute()
  return rows.map(({ scopes, ...row }) => ({ ...row, scopes: scopesIn(scopes.split(' ')) }))
})

/**
 * Deletes a token of a person or of a project. Returns whether there was one. Throws a `Refusal` if `by` may not revoke
 * it any more.
 */
export const revokeApiToken = write(
  async (db: Db, owner: OwnerRef, uuid: string, now: number, by?: Author): Promise<boolean> => {
    await lockTokenAuthor(db, owner, by, 'write')
    const revoked = await db.sql
      .deleteFrom('api_tokens as t')
      .where(ownedBy(owner))
      .where('t.uuid', '=', uuid)
      .returning(REVOKED_TOKEN)
      .execute()
    await recordRevokedTokens(db, revoked, now)
    return revoked.length > 0
  },
)

/** Whose tokens are meant. */
export type OwnerRef = { userId: number } | { projectId: number }

/** Locks who makes or revokes a token, as {@link lockAuthor} does. `need`: in the project whose token it is. */
async function lockTokenAuthor(db: Db, owner: OwnerRef, by: Author, need: Need): Promise<void> {
  if ('projectId' in owner) return await lockAuthor(db, owner.projectId, by, need)
  if (!by) return
  if ('projectToken' in by) throw new Refusal('forbidden', 'only a person may change their own tokens')
  await lockAccountInSession(db, by)
}

function ownedBy(owner: OwnerRef) {
  const [column, id] =
    'userId' in owner ? (['t.user_id', owner.userId] as const) : (['t.project_id', owner.projectId] as const)
  return sql<boolean>`${sql.ref(column)} = ${id}`
}

/** What to return of deleted tokens. */
export const REVOKED_TOKEN = ['uuid', 'name', 'scopes', 'project_id'] as const

/** Records that tokens of projects were revoked; those of persons are not about a project. */
export async function recordRevokedTokens(
  db: Db,
  revoked: readonly { uuid: string; name: string; scopes: string; project_id: number | null }[],
  now: number,
): Promise<void> {
  const events = revoked.flatMap(({ uuid: id, name, scopes, project_id: projectId }) =>
    projectId === null
      ? []
      : [
          {
            projectId,
            type: 'token.revoked' as const,
            object: { id, name },
            before: { scopes: scopesIn(scopes.split(' ')) },
          },
        ],
  )
  await recordEvents(db, events, now)
}
