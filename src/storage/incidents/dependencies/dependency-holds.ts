import { checkLabel } from '../../../core/alerts/alert.js'
import { JUDGE_AGAIN_MS } from '../../../core/checks/health/judge.js'
import type { Tracking } from '../../../core/checks/health/tracking.js'
import {
  byHold,
  holdsOfDependant,
  MOST_HOLDERS,
  mayHold,
  type Parent,
} from '../../../core/incidents/dependency.js'
import { inherited, parentsOf } from '../../../core/incidents/dependency-graph.js'
import type { Span } from '../../../core/time/spans.js'
import type { Held, HoldableCheck } from '../../alerts/holds/held.js'
import { selectSettings } from '../../checks/rows/check-columns.js'
import type { Db } from '../../db.js'
import { gathered } from '../../gathered.js'
import { preparedList } from '../../prepared.js'
import { latestIncident } from '../latest-incident.js'
import { dependencySpans, TIMING } from './dependency-spans.js'
import { edgesAbove } from './edges.js'

/** For each of these checks, in their order, the dependencies that hold its down alerts now. A check may come several times. */
export async function dependencyHolds(
  db: Db,
  checks: readonly HoldableCheck[],
  now: number,
): Promise<(Held & { checkId: number })[]> {
  const edges = await edgesAbove(db, {}, items([...new Set(checks.map(({ checkId }) => checkId))]))
  const parents = parentsOf(edges)
  const ids = new Set(edges.flatMap(({ checkId, parentId }) => [checkId, parentId]))
  const rows = new Map((await factsOf(db, {}, items([...ids]))).map(row => [row.id, row]))
  const above = new Map([...rows].map(([id, row]) => [id, toParent(row, now)]))
  const named = (of: readonly number[] = []) => of.map(id => above.get(id)!)
  const holders = [...above].filter(([, parent]) => mayHold(parent, now))
  const order = holders.sort(([, a], [, b]) => byHold(a, b)).map(([id]) => id)
  const inheritedHolders = inherited(parents, order, MOST_HOLDERS)
  const unplanned = await unplannedSpans(db, checks, now)
  return checks.map(check => {
    const { checkId, downAt } = check
    const found = { holders: named(inheritedHolders.get(checkId)), parents: named(parents.get(checkId)) }
    const holds = holdsOfDependant({ ...rows.get(checkId)!, downAt }, found, now)
    const spans = unplanned.get(check) ?? []
    const heldAt = (at: number) => (spans.some(({ from, to }) => from <= at && at < to) ? 'dependency' : null)
    return { checkId, holds, heldAt }
  })
}

/** When checks were held since they went down before, if they were up again before anybody planned that: nearly never. */
async function unplannedSpans(
  db: Db,
  checks: readonly HoldableCheck[],
  now: number,
): Promise<Map<HoldableCheck, Span[]>> {
  const downs = checks.flatMap(check => (check.unplannedDowns ?? []).map(downAt => ({ check, downAt })))
  const asked = downs.map(({ check: { checkId }, downAt }) => ({ checkId, downAt, since: downAt }))
  const spans = await dependencySpans(db, asked, now + 1)
  const found = new Map<HoldableCheck, Span[]>()
  for (const [index, { check }] of downs.entries()) {
    found.set(check, [...(found.get(check) ?? []), ...spans[index]!])
  }
  return found
}

const items = (ids: readonly number[]) => ids.map(checkId => ({ checkId }))

const checkIds = (items: readonly { checkId: number }[]) => items.map(({ checkId }) => checkId)

const factsOf = preparedList((_sql, _: Record<string, never>, items: { checkId: number }[], engine) =>
  gathered(engine, ['checks', 'check_details'], checkIds(items))
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .leftJoin('incidents as i', join => join.on('i.id', '=', latestIncident('c.id')))
    .select([
      'c.id',
      'c.status',
      'c.last_ping',
      'c.wake_at',
      'c.alert_after',
      'c.tracking',
      ...selectSettings(TIMING),
    ])
    .select(['d.name', 'd.slug', 'd.unique_key as uniqueKey'])
    .select(['i.id as incident', 'i.closed_at', 'i.closed_by', 'i.release_at'])
    .where('c.id', 'in', checkIds(items)),
)

function toParent(row: Awaited<ReturnType<typeof factsOf>>[number], now: number): Parent {
  const tracking = row.tracking === null ? null : (JSON.parse(row.tracking) as Tracking)
  const failed = tracking !== null && tracking.failures.at(-1)?.place === tracking.results
  return {
    name: checkLabel(row),
    status: row.status,
    isDown: row.incident !== null && (row.closed_at === null || (row.release_at ?? 0) > now),
    isUnjudged: isUnjudged(row, now),
    recoveredAt: row.closed_by === 'recovery' ? row.closed_at : null,
    lastSuccessAt: failed ? null : row.last_ping,
  }
}

/** Not while the deadline waits for the end of an outage: the check wakes at that, and else within a second. */
function isUnjudged(row: { wake_at: number | null; alert_after: number | null }, now: number): boolean {
  const isPast = (at: number | null, by: number) => at !== null && at <= by
  return isPast(row.alert_after, now) && isPast(row.wake_at, now + JUDGE_AGAIN_MS)
}
