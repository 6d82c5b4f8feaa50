import type { CheckOfProject } from '../../core/pings/arrived-ping.js'
import { MAIL_RULES, type MailRules, readsMail } from '../../core/pings/classify.js'
import { selectSettings, toSettings } from '../checks/rows/check-columns.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import { read } from '../method.js'

/** The keyword rules of checks, by check; they are outside the row that every ping reads. */
export async function textRulesOf(db: Db, checkIds: readonly number[]): Promise<Map<number, MailRules>> {
  const found = new Map<number, MailRules>()
  for (const some of chunks(checkIds, db.dialect.maxParameters)) {
    const rows = await db.sql
      .selectFrom('check_details as d')
      .select(['d.check_id as id', ...selectSettings(MAIL_RULES)])
      .where('d.check_id', 'in', some)
      .execute()
    for (const row of rows) found.set(row.id, toSettings(MAIL_RULES, row))
  }
  return found
}

/** A check that an e-mail names, and whether it looks for keywords in e-mails. */
export interface NamedByMail extends CheckOfProject {
  isReader: boolean
}

/** The checks that an e-mail with these recipients names; unknown ones are left out. */
export const namedByMail = read(
  async (
    db: Db,
    targets: readonly ({ uuid: string } | { pingKey: string; slug: string })[],
  ): Promise<NamedByMail[]> => {
    const bySlug = targets.flatMap(target => ('slug' in target ? [target] : []))
    const matches = bySlug.length > 0 ? await db.dialect.findBySlug(bySlug) : []
    const uuids = targets.flatMap(target => ('uuid' in target ? [target.uuid] : []))
    // A slug that several checks have pings none of them.
    uuids.push(...matches.flatMap(match => (match.uuids.length === 1 ? match.uuids : [])))
    if (uuids.length === 0) return []
    const checks = await db.sql
      .selectFrom('checks')
      .select(['id', 'project_id as projectId'])
      .where('uuid', 'in', uuids)
      .execute()
    const rules = await textRulesOf(
      db,
      checks.map(({ id }) => id),
    )
    return checks.map(({ id, projectId }) => {
      const own = rules.get(id)
      return { checkId: id, projectId, isReader: own !== undefined && readsMail(own) }
    })
  },
)
