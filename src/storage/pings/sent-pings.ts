/** Finds what was logged of pings that may have been sent before. */
import type { Cause } from '../../core/checks/health/cause.js'
import type { ArrivedPing } from '../../core/pings/arrived-ping.js'
import type { Action } from '../../core/pings/ping-event.js'
import type { Sent } from '../../core/pings/repeated.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'
import type { Found } from './recording/ping-plan.js'

/** Among this many of a check's newest pings one is looked for that arrived in time. */
const LOOKED_AT = 1_000

/** By the checks' IDs: the logged pings that back-dated ones of this batch may repeat. Call while the checks are locked. */
export async function sentPings(
  db: Db,
  found: readonly (Found | string)[],
  pings: readonly ArrivedPing[],
): Promise<Map<number, Sent[]>> {
  const byCheck = new Map<number, { after: number; pings: ArrivedPing[] }>()
  for (const [index, match] of found.entries()) {
    const ping = pings[index]!
    if (typeof match === 'string' || ping.ranAt === null) continue
    const { id, nPings } = match.check
    const known = byCheck.get(id)
    if (known) known.pings.push(ping)
    else byCheck.set(id, { after: nPings - LOOKED_AT, pings: [ping] })
  }
  const sent = new Map<number, Sent[]>()
  for (const [checkId, { after, pings: some }] of byCheck) {
    const times = some.map(({ ranAt }) => ({ ranAt }))
    const rids = some.flatMap(({ rid }) => (rid === null ? [] : [{ rid }]))
    const rows = await datedPings(db, { checkId }, times)
    if (rids.length > 0) rows.push(...(await pingsInTime(db, { checkId, after }, rids)))
    sent.set(
      checkId,
      rows.map(({ kind, cause, ...row }) => ({
        ...row,
        action: kind as Action,
        cause: cause as Cause | null,
      })),
    )
  }
  return sent
}

const COLUMNS = [
  'created_at as at',
  'ran_at as ranAt',
  'kind',
  'rid',
  'exit_status as exitStatus',
  'cause',
] as const

const datedPings = preparedList((sql, value: { checkId: number }, items: { ranAt: number | null }[]) =>
  sql
    .selectFrom('pings')
    .select(COLUMNS)
    .where('check_id', '=', value.checkId)
    .where(
      'ran_at',
      'in',
      items.map(({ ranAt }) => ranAt),
    ),
)

const pingsInTime = preparedList((sql, value: { checkId: number; after: number }, items: { rid: string }[]) =>
  sql
    .selectFrom('pings')
    .select(COLUMNS)
    .where('check_id', '=', value.checkId)
    .where('n', '>', value.after)
    .where('ran_at', 'is', null)
    .where(
      'rid',
      'in',
      items.map(({ rid }) => rid),
    ),
)
