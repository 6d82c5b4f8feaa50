/** Reads the objects of a project that files can describe, with UUIDs and IDs in place of keys. */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { valuesOfCheck } from '../../../core/config/check-settings.js'
import type { Json, Section } from '../../../core/config/project-config.js'
import type { PolicyRepeat } from '../../../core/incidents/policy.js'
import type { Silence } from '../../../core/silences/silence.js'
import { overAt } from '../../../core/silences/windows.js'
import { whenShape } from '../../../core/wire/silence.js'
import { appendTo } from '../../../lib/append-to.js'
import { inTurns, mapped } from '../../../lib/in-turns.js'
import { list as listChannels } from '../../channels/channels.js'
import { channelsByCheck, channelsOfChecks } from '../../channels/check-channels.js'
import { selectChecksWithPolicy, toCheckWithPolicy } from '../../checks/rows/check-rows.js'
import { leavingChecks } from '../../checks/undos.js'
import { chunks } from '../../chunks.js'
import type { Db } from '../../db.js'
import { gathered } from '../../gathered.js'
import { policiesInOrder } from '../../incidents/policies.js'
import { prepared, preparedList } from '../../prepared.js'
import { toSilence } from '../../silences/silence-rows.js'
import type { Mark } from './marks.js'

/** An object with UUIDs and IDs in place of keys. */
export interface FoundObject {
  /** The UUID of a channel or check, the ID of a policy or silence. */
  ref: string
  /** From which its key is made, if no file gave one. */
  name: string
  values: Map<string, Json>
  /** When a silence is over (ms); null: never. */
  overAt?: number | null
  /**
   * What is seen of it, if not its values: of a silence also checks that are gone. Of a check not on which it depends, since that changes when
   * one of those is deleted.
   */
  stored?: unknown
}

export interface FoundCheck extends FoundObject {
  id: number
}

/** What files describe beside checks. */
export type OtherSection = Exclude<Section, 'checks'>

/** A text that changes with everything that files can set of an object, but not with what a check depends on. */
export function seenOf({ ref, values, stored = [...values] }: FoundObject): string {
  return hash('sha256', JSON.stringify([ref, stored]), 'base64url').slice(0, 22)
}

/** All but checks. Silences that are over at `now` are read only if a file owns them. */
export async function findOthers(
  db: Db,
  projectId: number,
  now: number,
  marks: readonly Mark[],
): Promise<Record<OtherSection, FoundObject[]>> {
  const channels = await listChannels(db, projectId)
  const policies = await policiesInOrder(db, projectId)
  return {
    channels: channels.map(({ uuid, name, kind, settings, members }) => ({
      ref: uuid,
      name,
      values: new Map<string, Json>(Object.entries({ kind, name, settings, members: members.sort() })),
    })),
    policies: policies.map(({ id, name, isDefault, steps, repeat }) => ({
      ref: String(id),
      name,
      values: new Map<string, Json>(
        Object.entries({ name, default: isDefault, steps: steps as unknown as Json, repeat: shown(repeat) }),
      ),
    })),
    silences: await findSilences(db, projectId, now, marks),
  }
}

function shown(repeat: PolicyRepeat | null): Json {
  return repeat && { every: repeat.every, times: repeat.times }
}

/** The checks of a project without those that are about to be deleted, in the order of their creation. `count`: roughly how many there are. */
export async function findChecks(db: Db, projectId: number, count: number): Promise<FoundCheck[]> {
  const channels = await channelsByCheck(db, projectId, count)
  const parents = new Map<number, string[]>()
  for (const { id, uuid } of await parentsOfProject.all(db, { projectId })) appendTo(parents, id, uuid)
  const toFound = finder(await leavingChecks(db, [projectId]), { channels, parents })
  const rows = await checksOfProject.arrays(db, { projectId })
  return (await inTurns(mapped(rows, toFound))).flat()
}

/** Those of a project's checks that have these UUIDs. */
export async function findSomeChecks(
  db: Db,
  projectId: number,
  uuids: readonly string[],
): Promise<FoundCheck[]> {
  const rows = await checksWithUuids.arrays(
    db,
    { projectId },
    uuids.map(uuid => ({ uuid })),
  )
  const ids = rows.map(row => toCheckWithPolicy(row).id)
  const links = { channels: await channelsOfChecks(db, ids), parents: await parentsOfChecks(db, ids) }
  return rows.flatMap(finder(await leavingChecks(db, [projectId]), links))
}

type UuidsByCheck = ReadonlyMap<number, string[]>

/** Makes the check of a row; none of one that is about to be deleted. Equal lists of channels are one list, because most checks have the same. */
function finder(
  leaving: Awaited<ReturnType<typeof leavingChecks>>,
  { channels, parents }: { channels: UuidsByCheck; parents: UuidsByCheck },
): (row: unknown[]) => FoundCheck[] {
  const lists = new Map<string, string[]>()
  const oneList = (uuids: string[]) => {
    const text = uuids.sort().join()
    const list = lists.get(text) ?? uuids
    lists.set(text, list)
    return list
  }
  return row => {
    const check = toCheckWithPolicy(row)
    if (leaving.has(check.uuid)) return []
    const values = valuesOfCheck(check)
    values.set('channels', oneList(channels.get(check.id) ?? []))
    values.set('policy', check.policy)
    const stored = [...values]
    values.set('depends_on', (parents.get(check.id) ?? []).sort())
    return [{ id: check.id, ref: check.uuid, name: check.slug || check.name, values, stored }]
  }
}

const checksOfProject = prepared((sql, value: { projectId: number }) =>
  selectChecksWithPolicy(sql).where('c.project_id', '=', value.projectId).orderBy('c.id'),
)

const checksWithUuids = preparedList((sql, value: { projectId: number }, items: { uuid: string }[]) =>
  selectChecksWithPolicy(sql)
    .where('c.project_id', '=', value.projectId)
    .where(
      'c.uuid',
      'in',
      items.map(({ uuid }) => uuid),
    ),
)

const parentsOfProject = prepared((_sql, value: { projectId: number }, engine) =>
  gathered(engine, ['checks'], sql`(SELECT check_id FROM check_names WHERE project_id = ${value.projectId})`)
    .selectFrom('checks as c')
    .innerJoin('check_parents as cp', 'cp.check_id', 'c.id')
    .innerJoin('checks as p', 'p.id', 'cp.parent_id')
    .select(['c.id', 'p.uuid'])
    .where('c.project_id', '=', value.projectId),
)

/** The UUIDs of the checks on which each of these checks depends. */
export async function parentsOfChecks(db: Db, checkIds: readonly number[]): Promise<Map<number, string[]>> {
  const edges: { check_id: number; parent_id: number }[] = []
  for (const some of chunks(checkIds, db.dialect.maxParameters))
    edges.push(
      ...(await db.sql.selectFrom('check_parents').selectAll().where('check_id', 'in', some).execute()),
    )
  const uuids = await uuidsOf(
    db,
    'checks',
    edges.map(edge => edge.parent_id),
  )
  const parents = new Map<number, string[]>()
  for (const edge of edges) appendTo(parents, edge.check_id, uuids.get(edge.parent_id)!)
  return parents
}

async function findSilences(
  db: Db,
  projectId: number,
  now: number,
  marks: readonly Mark[],
): Promise<FoundObject[]> {
  const owned = new Map(marks.filter(({ section }) => section === 'silences').map(mark => [mark.ref, mark]))
  const rows = await db.sql
    .selectFrom('silences')
    .selectAll()
    .where('project_id', '=', projectId)
    .where(eb =>
      eb.or([
        eb('over_at', 'is', null),
        eb('over_at', '>', now),
        eb('id', 'in', [0, ...[...owned.keys()].map(Number)]),
      ]),
    )
    .orderBy('id')
    .execute()
  const silences = rows.map(toSilence)
  const named = silences.flatMap(({ scope }) => ('checks' in scope ? scope.checks : []))
  const checks = await uuidsOf(db, 'checks', named)
  const channels = await uuidsOf(
    db,
    'channels',
    silences.flatMap(silence => silence.channels ?? []),
  )
  return silences.map(silence => {
    const ref = String(silence.id)
    const beginsAt = owned.get(ref)?.beginsAt ?? null
    const values = silenceValues(silence, beginsAt, { checks, channels })
    return { ref, name: silence.reason, values, overAt: overAt(silence), stored: [silence, beginsAt] }
  })
}

type Uuids = ReadonlyMap<number, string>

/** `beginsAt`: its beginning in its file (ms), if that is another one. */
function silenceValues(
  { mode, scope, channels, reason, times }: Silence,
  beginsAt: number | null,
  uuids: { checks: Uuids; channels: Uuids },
): Map<string, Json> {
  const named = {
    mode,
    scope: 'checks' in scope ? { checks: scope.checks.flatMap(id => uuids.checks.get(id) ?? []) } : scope,
    channels: channels === null ? null : channels.flatMap(id => uuids.channels.get(id) ?? []),
    when: inUtc(whenShape({ ...times, from: beginsAt ?? times.from })),
    reason,
  }
  return new Map<string, Json>(Object.entries(named))
}

/** Times with their instants as files have them: with `Z`. */
function inUtc(when: object): Json {
  const shown = (value: unknown) => (typeof value === 'string' ? value.replace(/\+00:00$/, 'Z') : value)
  return Object.fromEntries(Object.entries(when).map(([name, value]) => [name, shown(value)])) as Json
}

/** Those that are there. */
async function uuidsOf(
  db: Db,
  table: 'checks' | 'channels',
  ids: readonly number[],
): Promise<Map<number, string>> {
  const uuids = new Map<number, string>()
  for (const some of chunks([...new Set(ids)], db.dialect.maxParameters)) {
    const rows = await db.sql.selectFrom(table).select(['id', 'uuid']).where('id', 'in', some).execute()
    for (const { id, uuid } of rows) uuids.set(id, uuid)
  }
  return uuids
}
