/** Push tokens of checks, which clients of another monitor go on using here. Decision 0136. */
import { assertPushTokens } from '../../core/checks/push-token.js'
import { Refusal } from '../../core/errors.js'
import { type Protocol, protocolsIn } from '../../core/projects/protocols.js'
import { isUuid } from '../../core/text/uuid.js'
import { lockProject } from '../checks/checks.js'
import { findCheck } from '../checks/find-check.js'
import type { Db } from '../db.js'
import { recordChange } from '../events/record-events.js'
import { read, write } from '../method.js'

/** The push tokens of a check, sorted. Throws a `Refusal` as {@link findCheck}. */
export const pushTokens = read(async (db: Db, projectId: number, uuid: string): Promise<string[]> => {
  return await tokensOf(db, (await findCheck(db, projectId, { uuid })).id)
})

/**
 * Gives a check these push tokens in place of those that it has; the same again changes nothing. An import writes the tokens of
 * another monitor with this method. Throws a `Refusal`: `invalid` if one is no token, `conflict` if another check has one, else as
 * {@link findCheck}.
 */
export const setPushTokens = write(
  async (db: Db, projectId: number, uuid: string, tokens: readonly string[], now: number): Promise<void> => {
    assertPushTokens(tokens)
    await lockProject(db, projectId)
    const check = await findCheck(db, projectId, { uuid })
    const before = await tokensOf(db, check.id)
    const after = [...new Set(tokens)].sort()
    const gone = before.filter(token => !after.includes(token))
    if (gone.length > 0) await db.sql.deleteFrom('push_tokens').where('token', 'in', gone).execute()
    for (const token of after.filter(one => !before.includes(one))) {
      const made = await db.sql
        .insertInto('push_tokens')
        .values({ token, check_id: check.id })
        .onConflict(on => on.column('token').doNothing())
        .returning('token')
        .executeTakeFirst()
      if (!made) throw new Refusal('conflict', 'another check has one of these push tokens', 'tokens')
    }
    const changed = { before: { push_tokens: before.map(hintOf) }, after: { push_tokens: after.map(hintOf) } }
    await recordChange(
      db,
      { projectId, type: 'check.updated', object: { id: uuid, name: check.name }, ...changed },
      now,
    )
  },
)

/** The UUID of the check that a push token, or a UUID in its place, is about; null if there is none in a project that accepts the protocol. */
export const findByPushToken = read(
  async (db: Db, asked: { protocol: Protocol; token: string }): Promise<string | null> => {
    const accepting = db.sql
      .selectFrom('checks as c')
      .innerJoin('projects as p', 'p.id', 'c.project_id')
      .select(['c.uuid', 'p.protocols'])
      .where('p.deleting', '=', 0)
    const row = isUuid(asked.token)
      ? await accepting.where('c.uuid', '=', asked.token).executeTakeFirst()
      : await accepting
          .innerJoin('push_tokens as t', 't.check_id', 'c.id')
          .where('t.token', '=', asked.token)
          .executeTakeFirst()
    return row && protocolsIn(row.protocols).includes(asked.protocol) ? row.uuid : null
  },
)

async function tokensOf(db: Db, checkId: number): Promise<string[]> {
  const rows = await db.sql
    .selectFrom('push_tokens')
    .select('token')
    .where('check_id', '=', checkId)
    .execute()
  return rows.map(({ token }) => token).sort()
}

/** What the log says of a token, with which anyone can ping. */
function hintOf(token: string): string {
  return `${token.slice(0, 4)}…`
}
