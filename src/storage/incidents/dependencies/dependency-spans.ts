/** When dependencies held the down alerts of checks. Decision 0115. */
import { sql } from 'kysely'
import type { StoredStatus } from '../../../core/checks/check.js'
import {
  type Dependant,
  type Down,
  RECOVERY_MS,
  spansOfDependant,
  waitEnd,
} from '../../../core/incidents/dependency.js'
import { inherited, parentsOf } from '../../../core/incidents/dependency-graph.js'
import type { ClosedBy } from '../../../core/incidents/incident.js'
import { type Span, within } from '../../../core/time/spans.js'
import { appendTo } from '../../../lib/append-to.js'
import { selectSettings } from '../../checks/rows/check-columns.js'
import type { Db } from '../../db.js'
import { preparedList } from '../../prepared.js'
import { edgesAbove } from './edges.js'

/** The settings of a check that decide how long it is held. */
export const TIMING = ['kind', 'periodSeconds', 'schedule', 'tz', 'dependsWaitSeconds'] as const

/** A check that went down at `downAt`, and since when (ms) it is asked when it was held. */
export interface DownCheck {
  checkId: number
  downAt: number
  since: number
}

/** When dependencies held each of these checks up to an instant (ms), not in order. */
export async function dependencySpans(db: Db, asked: readonly DownCheck[], now: number): Promise<Span[][]> {
  if (asked.length === 0) return []
  const ids = items([...new Set(asked.map(({ checkId }) => checkId))])
  const settings = new Map((await timingOf(db, {}, ids)).map(row => [row.id, row]))
  const parents = parentsOf(await edgesAbove(db, {}, ids))
  const since = Math.min(...asked.map(one => one.since))
  const downs = await downsSince(db, new Set([...parents.values()].flat()), since)
  const above = inherited(parents, [...downs.keys()], Number.POSITIVE_INFINITY)
  const checks = asked.map(({ checkId, downAt, since }) => {
    const check: Dependant = { ...settings.get(checkId)!, downAt }
    return { checkId, since, check, mayWait: waitEnd(check) > since }
  })
  const waiting = checks.filter(({ mayWait }) => mayWait)
  const direct = new Set(waiting.flatMap(({ checkId }) => parents.get(checkId) ?? []))
  const successes = await successesOf(db, direct, {
    from: Math.min(...waiting.map(({ check }) => check.downAt)),
    to: Math.max(...waiting.map(({ check }) => waitEnd(check))),
  })
  return checks.map(({ checkId, since, check, mayWait }) => {
    const found = {
      downs: (above.get(checkId) ?? []).map(id => downs.get(id)!),
      wait: mayWait ? waitOf(check, parents.get(checkId) ?? [], successes) : null,
    }
    return spansOfDependant(check, found, now).flatMap(span => within(span, { from: since, to: now }) ?? [])
  })
}

const items = (ids: Iterable<number>) => Array.from(ids, checkId => ({ checkId }))

const timingOf = preparedList((kysely, _: Record<string, never>, items: { checkId: number }[]) =>
  kysely
    .selectFrom('checks as c')
    .innerJoin('check_details as d', 'd.check_id', 'c.id')
    .select(['c.id', ...selectSettings(TIMING)])
    .where(
      'c.id',
      'in',
      items.map(({ checkId }) => checkId),
    ),
)

/** When these checks were down, in order for each of them, if that may have held others at `since` (ms) or later. */
async function downsSince(
  db: Db,
  checkIds: ReadonlySet<number>,
  since: number,
): Promise<Map<number, Down[]>> {
  const incidents = await incidentsSince(db, { since: since - RECOVERY_MS }, items(checkIds))
  const events = new Map<number, Event[]>()
  for (const event of await eventsOf(db, {}, incidents)) appendTo(events, event.incident_id, event)
  const downs = new Map<number, Down[]>()
  for (const incident of incidents) {
    for (const down of downsOf(incident, events.get(incident.id) ?? [])) {
      appendTo(downs, incident.check_id, down)
    }
  }
  return downs
}

const incidentsSince = preparedList((kysely, value: { since: number }, items: { checkId: number }[]) =>
  kysely
    .selectFrom('incidents as i')
    .innerJoin('checks as c', 'c.id', 'i.check_id')
    .select(['i.id', 'i.check_id', 'i.opened_at', 'i.closed_at', 'i.closed_by', 'i.release_at', 'c.status'])
    .where(
      'i.check_id',
      'in',
      items.map(({ checkId }) => checkId),
    )
    .where(eb => eb.or([eb('i.closed_at', 'is', null), eb('i.closed_at', '>=', value.since)]))
    .orderBy('i.id'),
)

const eventsOf = preparedList((kysely, _: Record<string, never>, items: { id: number }[]) =>
  kysely
    .selectFrom('incident_events')
    .select(['incident_id', 'kind', 'created_at as at'])
    .where(
      'incident_id',
      'in',
      items.map(({ id }) => id),
    )
    .where('kind', 'in', ['closed', 'reopened'])
    .orderBy('id'),
)

interface Event {
  kind: string
  at: number
}

interface DownRow {
  opened_at: number
  closed_at: number | null
  closed_by: ClosedBy | null
  release_at: number | null
  status: StoredStatus
}

/** An incident that was opened again has several. */
function downsOf(incident: DownRow, events: readonly Event[]): Down[] {
  const isActive = incident.status === 'up' || incident.status === 'down'
  const downs: Down[] = []
  let from = incident.opened_at
  for (const { kind, at } of events) {
    if (kind === 'reopened') from = at
    // Only after a recovery.
    else downs.push({ from, to: at, holdsOn: isActive })
  }
  const holdsOn = isActive && incident.closed_by === 'recovery'
  return [...downs, { from, to: incident.release_at ?? incident.closed_at, holdsOn }]
}

/** The successes (ms) between two instants, in order, of those of these checks that are up or down. */
async function successesOf(
  db: Db,
  checkIds: ReadonlySet<number>,
  { from, to }: Span,
): Promise<Map<number, number[]>> {
  const successes = new Map<number, number[]>()
  for (const { id, at } of await activeWithSuccesses(db, { from, to }, items(checkIds))) {
    if (at !== null) appendTo(successes, id, at)
    else successes.set(id, [])
  }
  return successes
}

const activeWithSuccesses = preparedList(
  (kysely, value: { from: number; to: number }, items: { checkId: number }[]) =>
    kysely
      .selectFrom('checks as c')
      .leftJoin('pings as p', join =>
        join
          .onRef('p.check_id', '=', 'c.id')
          .on('p.created_at', '>=', value.from)
          .on('p.created_at', '<', value.to)
          .on('p.kind', '=', sql.lit('success')),
      )
      .select(['c.id', 'p.created_at as at'])
      .where(
        'c.id',
        'in',
        items.map(({ checkId }) => checkId),
      )
      // One that is down now was up then, or holds the check beside it since before.
      .where('c.status', 'in', ['up', 'down'])
      .orderBy('p.created_at'),
)

/** What ended the wait of a check that went down first; null if it depends on none that is up or down. */
function waitOf(
  { downAt }: Dependant,
  parents: readonly number[],
  successes: ReadonlyMap<number, readonly number[]>,
): { firstSuccessAt: number | null } | null {
  const active = parents.filter(id => successes.has(id))
  if (active.length === 0) return null
  const first = active.flatMap(id => successes.get(id)!.find(at => at >= downAt) ?? [])
  return { firstSuccessAt: first.length > 0 ? Math.min(...first) : null }
}
