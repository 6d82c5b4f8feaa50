import type { Links } from '../../../core/wire/native-check.js'
import { appendTo } from '../../../lib/append-to.js'
import type { Db } from '../../db.js'
import { prepared } from '../../prepared.js'
import type { CheckWithIds } from '../rows/check-rows.js'

/** A check with the policy that it names. */
export type ListedNativeCheck = CheckWithIds & { policy: number | null }

type LinksOf = (check: ListedNativeCheck) => Links

/**
 * What checks of a project, given in the order of their IDs, are linked to: read between the first and the last of them.
 * Channels only for those who see them.
 */
export async function linksBetween(
  db: Db,
  projectId: number,
  checks: readonly ListedNativeCheck[],
  withChannels: boolean,
): Promise<LinksOf> {
  const range = { projectId, from: checks[0]?.id ?? 0, to: checks.at(-1)?.id ?? 0 }
  const hasDown = checks.some(({ status }) => status === 'down')
  const [channelRows, parentRows, incidentRows] = await Promise.all([
    checks.length > 0 && withChannels ? channelsOf.arrays(db, range) : [],
    checks.length > 0 ? parentsOf.arrays(db, range) : [],
    hasDown ? incidentsOf.arrays(db, range) : [],
  ])
  const channels = new Map<number, string[]>()
  for (const [id, uuid] of channelRows as [number, string][]) appendTo(channels, id, uuid)
  const parents = new Map<number, { uuid: string; uniqueKey: string }[]>()
  for (const [id, uuid, uniqueKey] of parentRows as [number, string, string][]) {
    appendTo(parents, id, { uuid, uniqueKey })
  }
  const incidents = new Map(incidentRows as [number, number][])
  return ({ id, policy, status }) => ({
    channels: channels.get(id) ?? NONE,
    parents: parents.get(id) ?? NONE,
    incident: status === 'down' ? (incidents.get(id) ?? null) : null,
    policy,
  })
}

const NONE: never[] = []

type Range = { projectId: number; from: number; to: number }

const channelsOf = prepared((sql, value: Range) =>
  sql
    .selectFrom('channels as ch')
    .innerJoin('check_channels as cc', 'cc.channel_id', 'ch.id')
    .select(['cc.check_id', 'ch.uuid'])
    .where('ch.project_id', '=', value.projectId)
    .where('cc.check_id', '>=', value.from)
    .where('cc.check_id', '<=', value.to),
)

const parentsOf = prepared((sql, value: Range) =>
  sql
    .selectFrom('checks as c')
    // Not from the parents, which may be all checks of the project.
    .innerJoin('check_parents as cp', 'cp.check_id', 'c.id')
    .innerJoin('checks as p', 'p.id', 'cp.parent_id')
    .innerJoin('check_details as d', 'd.check_id', 'p.id')
    .select(['cp.check_id', 'p.uuid', 'd.unique_key'])
    .where('c.project_id', '=', value.projectId)
    .where('c.id', '>=', value.from)
    .where('c.id', '<=', value.to)
    .orderBy('p.id'),
)

const incidentsOf = prepared((sql, value: Range) =>
  sql
    .selectFrom('incidents as i')
    .innerJoin('checks as c', 'c.id', 'i.check_id')
    .select(['i.check_id', 'i.id'])
    .where('c.project_id', '=', value.projectId)
    .where('c.id', '>=', value.from)
    .where('c.id', '<=', value.to)
    .where('i.closed_at', 'is', null),
)
