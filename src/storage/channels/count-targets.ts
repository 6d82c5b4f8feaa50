/** To how many channels the alerts of checks go, so that no transaction adds too many deliveries. Decision 0158. */
import { concernsIncident } from '../../core/checks/flip.js'
import { MOST_CHANNELS } from '../../core/projects/most-channels.js'
import type { NewFlip } from '../checks/flips.js'
import type { Db } from '../db.js'
import { preparedList } from '../prepared.js'
import type { AlertedCheck } from './lock-targets.js'

/** The most deliveries that a transaction adds: others wait for it, on SQLite everybody. They take 55 ms on SQLite, and 140 ms on PostgreSQL. */
export const MOST_DELIVERIES = 4_000
/** The most that pings add together, or acknowledgements write, since a project may cause either all the time. */
export const MOST_TARGETS_AT_ONCE = 1_000
/** The most that one ping adds to a transaction in which there are pings of others. */
const MOST_BESIDE_OTHERS = 100
/** The most links that are counted for pings. */
const MOST_LINKS = 4 * MOST_TARGETS_AT_ONCE

/** The number of channels that alerts of checks may go to, by the checks' IDs. What policies add is never estimated too low. */
export async function countTargets(db: Db, checks: readonly AlertedCheck[]): Promise<Map<number, number>> {
  const links = await linkCounts(
    db,
    {},
    checks.map(({ id }) => ({ id })),
  )
  const counts = new Map(links.map(({ checkId, count }) => [checkId, Number(count)]))
  const channels = await channelsOf(db, projectsOf(checks))
  for (const { id, projectId } of checks)
    counts.set(id, (counts.get(id) ?? 0) + (channels.get(projectId)?.named ?? 0))
  return counts
}

/**
 * How many pings of a check may be recorded in this transaction, by the check's ID, if the flips would add more than
 * {@link MOST_TARGETS_AT_ONCE} together; absent: all of them. If others share the transaction, none is recorded that alerts many channels, and
 * those that alert few come first; else it goes by their order, and at least one is. `flips`: of these checks.
 */
export async function roomForFlips(
  db: Db,
  checks: readonly AlertedCheck[],
  flips: readonly NewFlip[],
  isShared: boolean,
): Promise<ReadonlyMap<number, number>> {
  const room = new Map<number, number>()
  const flipsOf = new Map<number, number>()
  for (const { checkId, flip } of flips)
    if (concernsIncident(flip)) flipsOf.set(checkId, (flipsOf.get(checkId) ?? 0) + 1)
  const mostOfOne = isShared ? MOST_BESIDE_OTHERS : Number.POSITIVE_INFINITY
  if (sum([...flipsOf.values()]) * 2 * MOST_CHANNELS <= Math.min(mostOfOne, MOST_TARGETS_AT_ONCE)) return room
  const channels = await channelsOf(db, projectsOf(checks))
  let alerting = checks.flatMap(({ id, projectId }) => {
    const { all = 0, named = 0 } = channels.get(projectId) ?? {}
    return all === 0 ? [] : [{ id, named, each: all + named, flips: flipsOf.get(id) ?? 0 }]
  })
  const isRoomForAll =
    sum(alerting.map(({ each, flips }) => each * flips)) <= MOST_TARGETS_AT_ONCE &&
    alerting.every(({ each }) => each <= mostOfOne)
  if (isRoomForAll) return room
  // Most checks are linked to few of the channels of their projects.
  const links = await countLinks(db, checks, MOST_LINKS + 1)
  if (sum([...links.values()]) <= MOST_LINKS)
    alerting = alerting.map(one => ({ ...one, each: (links.get(one.id) ?? 0) + one.named }))
  let left = MOST_TARGETS_AT_ONCE
  if (isShared) alerting.sort((one, other) => one.each - other.each)
  for (const { id, each, flips } of alerting.filter(one => one.each > 0)) {
    const least = left === MOST_TARGETS_AT_ONCE && !isShared ? 1 : 0
    const free = each > mostOfOne ? 0 : Math.max(least, Math.floor(left / each))
    if (free < flips) room.set(id, free)
    left -= Math.min(free, flips) * each
  }
  return room
}

/** The number of channels that checks are linked to, by their IDs; no more than `most` of 256 checks together. */
async function countLinks(db: Db, checks: readonly { id: number }[], most: number) {
  const links = await linksOfChecks(
    db,
    { most },
    checks.map(({ id }) => ({ id })),
  )
  const counts = new Map<number, number>()
  for (const { checkId } of links) counts.set(checkId, (counts.get(checkId) ?? 0) + 1)
  return counts
}

const linksOfChecks = preparedList((sql, { most }: { most: number }, items: { id: number }[]) =>
  sql
    .selectFrom('check_channels as cc')
    .leftJoin('group_members as gm', 'gm.group_id', 'cc.channel_id')
    .select('cc.check_id as checkId')
    .where(
      'cc.check_id',
      'in',
      items.map(({ id }) => id),
    )
    .limit(most),
)

/** The number of links of checks, those through groups too: all of them, so they are not fetched. */
const linkCounts = preparedList((sql, _: Record<never, never>, items: { id: number }[]) =>
  sql
    .selectFrom('check_channels as cc')
    .leftJoin('group_members as gm', 'gm.group_id', 'cc.channel_id')
    .select(eb => ['cc.check_id as checkId', eb.fn.countAll<number | string>().as('count')])
    .where(
      'cc.check_id',
      'in',
      items.map(({ id }) => id),
    )
    .groupBy('cc.check_id'),
)

/** The number of channels of projects, by their IDs. */
export async function channelCounts(db: Db, projectIds: ReadonlySet<number>): Promise<Map<number, number>> {
  const channels = await channelsOf(db, projectIds)
  return new Map([...channels].map(([projectId, { all }]) => [projectId, all]))
}

const projectsOf = (checks: readonly AlertedCheck[]) => new Set(checks.map(({ projectId }) => projectId))

/** The number of channels of projects, by their IDs, and how many of them policies may name. */
async function channelsOf(db: Db, projectIds: ReadonlySet<number>) {
  const items = [...projectIds].map(projectId => ({ projectId }))
  const rows = await channelsOfProjects(db, {}, items)
  return new Map(
    rows.map(({ projectId, channels, policies }) => {
      const all = Number(channels)
      return [projectId, { all, named: Number(policies) > 0 ? all : 0 }]
    }),
  )
}

const channelsOfProjects = preparedList((sql, _: Record<never, never>, items: { projectId: number }[]) =>
  sql
    .selectFrom('projects as p')
    .select(eb => [
      'p.id as projectId',
      eb
        .selectFrom('channels as ch')
        .whereRef('ch.project_id', '=', 'p.id')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .as('channels'),
      eb
        .selectFrom('policies as pol')
        .whereRef('pol.project_id', '=', 'p.id')
        .select(({ fn }) => fn.countAll<number | string>().as('count'))
        .as('policies'),
    ])
    .where(
      'p.id',
      'in',
      items.map(({ projectId }) => projectId),
    ),
)

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
