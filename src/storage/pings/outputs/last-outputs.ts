import { sql } from 'kysely'
import { appendTo } from '../../../lib/append-to.js'
import { valuesOf } from '../../checks/lanes/pings-between.js'
import type { ListedProject } from '../../checks/list/list-items.js'
import { matchChecks } from '../../checks/list/match-checks.js'
import { leavingChecks } from '../../checks/undos.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { preparedList } from '../../prepared.js'
import type { Output } from './output-bodies.js'

/** The pings of a check among which its last output is. */
const LAST_PINGS = 5

/** An output of a ping, and when it came (ms). */
export interface LoggedOutput extends Output {
  at: number
}

/**
 * The last outputs of up to `most` checks that were pinged, and how many such checks there are: of those that are down, then late,
 * then pinged last. `tags`: folded beginnings of tags, each of which a check has. Nothing of checks that are to be deleted.
 */
export async function lastOutputs(
  db: Db,
  projects: readonly ListedProject[],
  { tags, most }: { tags: readonly string[]; most: number },
  now: number,
): Promise<{ outputs: LoggedOutput[]; asked: number; checks: number }> {
  const ids = projects.map(({ id }) => id)
  const checks = await pingedChecks(db, ids, tags, most, now)
  const asked = checks.all.slice(0, most)
  const items = asked.map(({ id, nPings }) => ({ id, past: Math.max(0, nPings - LAST_PINGS) }))
  const last = new Map<number, unknown[][]>()
  for (const row of await newest.arrays(db, {}, items)) appendTo(last, row[0] as number, row)
  const outputs = asked.flatMap(({ id, uuid }) => {
    const rows = (last.get(id) ?? []).filter(row => Number(row[3]) > 0)
    const [row] = rows.sort((a, b) => Number(b[1]) - Number(a[1]))
    return row ? [toOutput(id, uuid, row)] : []
  })
  return { outputs, asked: asked.length, checks: checks.count }
}

function toOutput(checkId: number, checkUuid: string, [, n, at, size, isObject]: unknown[]): LoggedOutput {
  return {
    ...{ checkId, checkUuid, n: n as number, at: at as number, size: Number(size) },
    isObject: isObject !== null,
  }
}

const newest = preparedList((kysely, _: Record<string, never>, items: { id: number; past: number }[]) =>
  kysely
    .with('asked(id, past)', () => valuesOf(items.map(({ id, past }) => [id, past])))
    .selectFrom('asked as a')
    .crossJoin('pings as p')
    .whereRef('p.check_id', '=', 'a.id')
    .whereRef('p.n', '>', 'a.past')
    .where('p.kind', 'in', ['success', 'fail', 'log'])
    .select(['p.check_id', 'p.n', 'p.created_at'])
    .select(sql<number>`coalesce(p.object_size, length(p.body), 0)`.as('size'))
    .select('p.object_size'),
)

interface Pinged {
  id: number
  uuid: string
  nPings: number
}

/** The first checks in the order in which they are searched, at least `most` of them if there are, and the number of all. */
async function pingedChecks(
  db: Db,
  ids: readonly number[],
  tags: readonly string[],
  most: number,
  now: number,
) {
  const tagged = tags.length > 0 ? await matchChecks(db, ids, { words: [], tags, recent: [] }) : null
  const leaving = await leavingChecks(db, ids)
  const rows: (Pinged & { rank: number; lastPing: number | null })[] = []
  let count = 0
  for (const some of chunks(ids, db.dialect.maxParameters - 4)) {
    const pinged = db.sql.selectFrom('checks').where('project_id', 'in', some).where('n_pings', '>', 0)
    let query = pinged
      .select(['id', 'uuid', 'n_pings as nPings', 'last_ping as lastPing'])
      .select(
        sql<number>`CASE
          WHEN status = 'down' OR alert_after <= ${now} THEN 0
          WHEN status = 'up' AND due_at <= ${now} THEN 1
          ELSE 2 END`.as('rank'),
      )
      .orderBy('rank')
      .orderBy(sql`coalesce(last_ping, 0)`, 'desc')
      .orderBy('id')
    if (!tagged) {
      query = query.limit(most + leaving.size)
      const all = await pinged.select(eb => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
      count += Number(all.count)
    }
    rows.push(...(await query.execute()))
  }
  rows.sort((a, b) => a.rank - b.rank || (b.lastPing ?? 0) - (a.lastPing ?? 0) || a.id - b.id)
  const all = rows.filter(({ id, uuid }) => !leaving.has(uuid) && (tagged?.has(id) ?? true))
  return { all, count: tagged ? all.length : Math.max(all.length, count - leaving.size) }
}
