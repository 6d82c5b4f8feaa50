import { sql as raw } from 'kysely'
import type { Links } from '../../../core/wire/native-check.js'
import { appendTo } from '../../../lib/append-to.js'
import type { Db } from '../../db.js'
import { gathered } from '../../gathered.js'
import { withParents } from '../../incidents/dependencies/edges.js'
import { prepared } from '../../prepared.js'
import type { ListedCheck } from '../rows/check-rows.js'

/** The checks of a project after one ID and before another; `before` null: all that follow. */
export interface Range {
  projectId: number
  after: number
  before: number | null
}

/** The range as the parameters of a query. */
export function valuesOf({ projectId, after, before }: Range) {
  return { projectId, after, before: before ?? Number.MAX_SAFE_INTEGER }
}

type Values = ReturnType<typeof valuesOf>

/** The channels and parents of checks that have any, by the IDs of the checks. */
export interface LinksById {
  channels: Map<number, string[]>
  parents: Map<number, { uuid: string; uniqueKey: string }[]>
}

/** What the checks of a range are linked to. Channels only for those who see them. */
export async function linksBetween(db: Db, range: Range, withChannels: boolean): Promise<LinksById> {
  const values = valuesOf(range)
  const [channelRows, parentRows] = await Promise.all([
    withChannels ? channelsOf.arrays(db, values) : [],
    parentsOf.arrays(db, values),
  ])
  const channels: LinksById['channels'] = new Map()
  for (const [id, uuid] of channelRows as [number, string][]) appendTo(channels, id, uuid)
  const parents: LinksById['parents'] = new Map()
  for (const [id, uuid, uniqueKey] of parentRows as [number, string, string][]) {
    appendTo(parents, id, { uuid, uniqueKey })
  }
  return { channels, parents }
}

/** What one check is linked to. */
export function linksOf({ id, policy, incident }: ListedCheck, { channels, parents }: LinksById): Links {
  return {
    channels: channels.get(id) ?? NONE,
    parents: parents.get(id) ?? NONE,
    incident,
    policy,
  }
}

const NONE: never[] = []

const channelsOf = prepared((sql, value: Values) =>
  sql
    .selectFrom('channels as ch')
    .innerJoin('check_channels as cc', 'cc.channel_id', 'ch.id')
    .select(['cc.check_id', 'ch.uuid'])
    .where('ch.project_id', '=', value.projectId)
    .where('cc.check_id', '>', value.after)
    .where('cc.check_id', '<', value.before),
)

const parentsOf = prepared((_sql, value: Values, engine) =>
  gathered(engine, ['checks', 'check_details'], withParents(inRange(value)))
    .selectFrom('checks as c')
    // Not from the parents, which may be all checks of the project.
    .innerJoin('check_parents as cp', 'cp.check_id', 'c.id')
    .innerJoin('checks as p', 'p.id', 'cp.parent_id')
    .innerJoin('check_details as d', 'd.check_id', 'p.id')
    .select(['cp.check_id', 'p.uuid', 'd.unique_key'])
    .where('c.project_id', '=', value.projectId)
    .where('c.id', '>', value.after)
    .where('c.id', '<', value.before)
    .$if(!engine.dialect.isDistributed, query =>
      query.where(({ exists }) => exists(anyParents(engine, value))),
    )
    .orderBy('p.id'),
)

/** Asked once for the whole query: most ranges have none, and it would look for those of each check. */
function anyParents({ sql }: Pick<Db, 'sql'>, { after, before }: Values) {
  return sql
    .selectFrom('check_parents')
    .select('check_id')
    .where('check_id', '>', after)
    .where('check_id', '<', before)
}

const inRange = ({ projectId, after, before }: Values) =>
  raw`n.project_id = ${projectId} AND n.check_id > ${after} AND n.check_id < ${before}`
