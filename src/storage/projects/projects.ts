import { randomUUID } from 'node:crypto'
import type { Settings } from '../../core/checks/check-fields.js'
import { Refusal } from '../../core/errors.js'
import { MOST_PROJECTS } from '../../core/projects/most-projects.js'
import { insertCheck } from '../checks/create/insert-checks.js'
import type { Db } from '../db.js'
import { recordEvent } from '../events/record-events.js'
import { read, write } from '../method.js'
import { newId } from '../new-id.js'
import { addApiKey, type NewApiKey } from './api-keys.js'
import { type Author, lockAuthor } from './lock-author.js'
import { recordProject } from './record-members.js'

export interface Project {
  id: number
  uuid: string
  name: string
  ownerId: number | null
  pingKey: string | null
  badgeKey: string
}

export interface NewProject {
  name: string
  ownerId: number | null
  pingKey: string | null
  /** The first API keys of the project. */
  apiKeys?: readonly NewApiKey[]
  now: number
}

/** A project in a list. */
export interface ProjectSummary {
  id: number
  uuid: string
  name: string
  /** The owner's address; null for a project without an owner. */
  owner: string | null
  checks: number
  createdAt: number
}

/** Creates a project with the given keys. Throws `Refusal('limit')` if its owner has {@link MOST_PROJECTS}. */
export const create = write(async (db: Db, project: NewProject): Promise<Project> => {
  if (project.ownerId !== null) await requireRoomFor(db, project.ownerId)
  const row = {
    uuid: randomUUID(),
    name: project.name,
    owner_id: project.ownerId,
    ping_key: project.pingKey,
    badge_key: randomUUID(),
  }
  const { id } = await db.sql
    .insertInto('projects')
    .values({ ...(await newId(db, 'projects')), ...row, created_at: project.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const object = { id: row.uuid, name: row.name }
  const after = { name: row.name }
  await recordEvent(db, { projectId: id, type: 'project.created', object, after }, project.now)
  for (const key of project.apiKeys ?? []) await addApiKey(db, { ...key, projectId: id, now: project.now })
  return {
    id,
    uuid: row.uuid,
    name: row.name,
    ownerId: row.owner_id,
    pingKey: row.ping_key,
    badgeKey: row.badge_key,
  }
})

async function requireRoomFor(db: Db, ownerId: number): Promise<void> {
  const { count } = await db.sql
    .selectFrom('projects')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('deleting', '=', 0)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_PROJECTS)
    throw new Refusal('limit', `a person can own ${MOST_PROJECTS.toLocaleString('en')} projects`)
}

/** Every project, oldest first. */
export const list = read(async (db: Db): Promise<ProjectSummary[]> => {
  return await db.sql
    .selectFrom('projects as p')
    .leftJoin('users as u', 'u.id', 'p.owner_id')
    .select([
      'p.id',
      'p.uuid',
      'p.name',
      'u.email as owner',
      'p.n_checks as checks',
      'p.created_at as createdAt',
    ])
    .where('p.deleting', '=', 0)
    .orderBy('p.id')
    .execute()
})

/** The project with this UUID, or null. */
export const find = read(async (db: Db, uuid: string): Promise<Project | null> => {
  return (await projectRow(db).where('uuid', '=', uuid).executeTakeFirst()) ?? null
})

/** The project with this ID, or null. */
export const findById = read(async (db: Db, id: number): Promise<Project | null> => {
  return (await projectRow(db).where('id', '=', id).executeTakeFirst()) ?? null
})

function projectRow(db: Db) {
  return db.sql
    .selectFrom('projects')
    .select(['id', 'uuid', 'name', 'owner_id as ownerId', 'ping_key as pingKey', 'badge_key as badgeKey'])
}

/** Renames a project. */
export const rename = write(async (db: Db, projectId: number, name: string, now: number): Promise<void> => {
  const before = await db.sql
    .selectFrom('projects')
    .select('name')
    .where('id', '=', projectId)
    .executeTakeFirst()
  await db.sql.updateTable('projects').set({ name }).where('id', '=', projectId).execute()
  if (before) await recordProject(db, projectId, { before, after: { name } }, now)
})

/** A change of a project's ping key. */
interface PingKeyChange {
  projectId: number
  by?: Author
  now: number
}

/**
 * Gives a project a ping key. Throws a `Refusal` if it has one, because jobs may be using it, or if its author may not do so any
 * more.
 */
export const addPingKey = write(
  async (db: Db, { projectId, by, now, pingKey }: PingKeyChange & { pingKey: string }): Promise<void> => {
    await lockAuthor(db, projectId, by, 'write')
    const { numUpdatedRows } = await db.sql
      .updateTable('projects')
      .set({ ping_key: pingKey })
      .where('id', '=', projectId)
      .where('ping_key', 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0) {
      throw new Refusal('conflict', 'the project has a ping key already: revoke it first')
    }
    const object = { id: 'ping', name: 'ping key' }
    await recordEvent(db, { projectId, type: 'key.created', object, after: { kind: 'ping' } }, now)
  },
)

/** Removes a project's ping key. Returns whether there was one. Throws a `Refusal` if its author may not do so any more. */
export const revokePingKey = write(
  async (db: Db, { projectId, by, now }: PingKeyChange): Promise<boolean> => {
    await lockAuthor(db, projectId, by, 'write')
    const { numUpdatedRows } = await db.sql
      .updateTable('projects')
      .set({ ping_key: null })
      .where('id', '=', projectId)
      .where('ping_key', 'is not', null)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0) return false
    const object = { id: 'ping', name: 'ping key' }
    await recordEvent(db, { projectId, type: 'key.revoked', object, before: { kind: 'ping' } }, now)
    return true
  },
)

/**
 * Creates a project with one check, if this is called for the first time and there is no project. Otherwise changes
 * nothing and returns null.
 */
export const createFirst = write(
  async (
    db: Db,
    project: NewProject,
    check: Pick<Settings, 'name' | 'slug'>,
  ): Promise<{ project: Project; check: { uuid: string } } | null> => {
    const claim = await db.sql
      .insertInto('meta')
      .values({ key: 'first_run', value: String(project.now) })
      .onConflict(oc => oc.column('key').doNothing())
      .returning('key')
      .executeTakeFirst()
    if (!claim) return null
    const existing = await db.sql.selectFrom('projects').select('id').limit(1).executeTakeFirst()
    if (existing) return null
    // An existing user gets it, because nobody else could claim it.
    const owner = await db.sql.selectFrom('users').select('id').orderBy('id').limit(1).executeTakeFirst()
    const made = await create(db, { ...project, ownerId: owner?.id ?? project.ownerId })
    const { uuid } = await insertCheck(db, { ...check, projectId: made.id, now: project.now })
    return { project: made, check: { uuid } }
  },
)
