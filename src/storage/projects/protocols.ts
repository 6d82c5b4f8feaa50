/** The protocols of other monitors that projects accept, and what requests by them are about. Decision 0132. */
import type { Settings } from '../../core/checks/check-fields.js'
import { type Protocol, protocolsIn } from '../../core/projects/protocols.js'
import { findCheck } from '../checks/find-check.js'
import type { Db } from '../db.js'
import { read, write } from '../method.js'
import { recordProject } from './record-members.js'

/** The protocols that a project accepts. */
export const protocols = read(async (db: Db, projectId: number): Promise<Protocol[]> => {
  return await protocolsOf(db, projectId)
})

/** Sets the protocols that a project accepts. */
export const setProtocols = write(
  async (db: Db, projectId: number, accepted: readonly Protocol[], now: number): Promise<void> => {
    const before = { protocols: await protocolsOf(db, projectId) }
    const after = { protocols: protocolsIn(accepted.join(',')) }
    await db.sql
      .updateTable('projects')
      .set({ protocols: after.protocols.join(',') || null })
      .where('id', '=', projectId)
      .execute()
    await recordProject(db, projectId, { before, after }, now)
  },
)

/** A project by its ping key, and the settings of its check with a slug. */
export interface ProtocolTarget {
  projectId: number
  /** Null: there is none. `ambiguous`: there are several. */
  check: { uuid: string; settings: Settings } | 'ambiguous' | null
}

/** Whether a project that accepts the protocol has the ping key. */
export const acceptsProtocol = read(
  async (db: Db, asked: { protocol: Protocol; pingKey: string }): Promise<boolean> =>
    (await acceptingProject(db, asked)) !== null,
)

/** What a request by a protocol is about; null if no project that accepts it has the key. */
export const findByProtocol = read(
  async (
    db: Db,
    asked: { protocol: Protocol; pingKey: string; slug: string },
  ): Promise<ProtocolTarget | null> => {
    const project = await acceptingProject(db, asked)
    if (!project) return null
    const found = await db.sql
      .selectFrom('check_details as d')
      .innerJoin('checks as c', 'c.id', 'd.check_id')
      .select('c.uuid')
      .where('d.project_id', '=', project.id)
      .where('d.slug', '=', asked.slug)
      .limit(2)
      .execute()
    if (found.length > 1) return { projectId: project.id, check: 'ambiguous' }
    if (!found[0]) return { projectId: project.id, check: null }
    const check = await findCheck(db, project.id, found[0])
    return { projectId: project.id, check: { uuid: check.uuid, settings: check } }
  },
)

async function acceptingProject(
  db: Db,
  { protocol, pingKey }: { protocol: Protocol; pingKey: string },
): Promise<{ id: number } | null> {
  const project = await db.sql
    .selectFrom('projects')
    .select(['id', 'protocols'])
    .where('ping_key', '=', pingKey)
    .where('deleting', '=', 0)
    .executeTakeFirst()
  return project && protocolsIn(project.protocols).includes(protocol) ? project : null
}

async function protocolsOf(db: Db, projectId: number): Promise<Protocol[]> {
  const row = await db.sql
    .selectFrom('projects')
    .select('protocols')
    .where('id', '=', projectId)
    .executeTakeFirst()
  return protocolsIn(row?.protocols ?? null)
}
