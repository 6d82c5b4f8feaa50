/** Facts about the recipients of a channel's e-mails. Source: docs/behaviour.md, section 8.7. */

import { sql } from 'kysely'
import type { ProjectSummary } from '../../core/alerts/alert.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { downCount, projectIdsOf } from '../people/access.js'
import { MAY_GET_MAIL } from '../people/may-get-mail.js'

export interface RecipientFacts {
  /**
   * The time zone of the account with this address, else of the owner of the channel's project;
   * null if there is neither.
   */
  timeZone: string | null
  /** The projects of the account with this address, those with trouble first; null if there is no account. */
  projects: ProjectSummary[] | null
}

const MAX_PROJECTS = 50

/** The facts for an e-mail of a channel to an address. An account whose address is not proven does not count. */
export const recipientFacts = read(
  async (db: Db, channelUuid: string, address: string): Promise<RecipientFacts> => {
    const user = await db.sql
      .selectFrom('users')
      .select(['id', 'timezone'])
      .where('email', '=', address.toLowerCase())
      .where(MAY_GET_MAIL)
      .executeTakeFirst()
    if (user) return { timeZone: user.timezone, projects: await projectsOf(db, user.id) }
    const owner = await db.sql
      .selectFrom('channels as c')
      .innerJoin('projects as p', 'p.id', 'c.project_id')
      .innerJoin('users as u', 'u.id', 'p.owner_id')
      .select('u.timezone')
      .where('c.uuid', '=', channelUuid)
      .executeTakeFirst()
    return { timeZone: owner?.timezone ?? null, projects: null }
  },
)

async function projectsOf(db: Db, userId: number): Promise<ProjectSummary[]> {
  const rows = await db.sql
    .selectFrom('projects as p')
    .select('p.name')
    .select(downCount)
    .where('p.id', 'in', projectIdsOf(db, userId))
    .orderBy(sql`down`, 'desc')
    .orderBy('p.name')
    .limit(MAX_PROJECTS)
    .execute()
  return rows.map(({ name, down }) => ({ name, down: Number(down) }))
}
