/** A project as files of configuration describe it, read from the tables. */

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { assignKeys } from '../../../core/config/assign-keys.js'
import { valuesOfCheck } from '../../../core/config/check-settings.js'
import {
  bySection,
  type Json,
  SECTIONS,
  type Section,
  type Values,
} from '../../../core/config/project-config.js'
import type { PolicyRepeat } from '../../../core/incidents/policy.js'
import { overAt } from '../../../core/silences/windows.js'
import { whenShape } from '../../../core/wire/silence.js'
import { appendTo } from '../../../lib/append-to.js'
import { list as listChannels } from '../../channels/channels.js'
import { channelsByCheck } from '../../channels/check-channels.js'
import { selectChecksWithPolicy, toCheckWithPolicy } from '../../checks/rows/check-rows.js'
import { leavingChecks } from '../../checks/undos.js'
import type { Db } from '../../db.js'
import { gathered } from '../../gathered.js'
import { policies as listPolicies } from '../../incidents/policies.js'
import { prepared } from '../../prepared.js'
import { toSilence } from '../../silences/silence-rows.js'
import { type Mark, marksOf } from './marks.js'

/** An object of the project. */
export interface StoredObject {
  key: string
  /** The name of the file that owns it; null: none does. */
  owner: string | null
  /** The UUID of a channel or check, the ID of a policy or silence. */
  ref: string
  /** As in files; a channel has `settings` as they are stored, and `members` by their keys. */
  values: Values
  /** Whether it is a silence that is over. */
  isOver?: boolean
}

export interface StoredConfig {
  /** Changes with everything that files can set. */
  fingerprint: string
  /** In the order of their creation. */
  objects: Record<Section, StoredObject[]>
  marks: readonly Mark[]
}

interface Found {
  ref: string
  /** From which its key is made, if no file gave one. */
  name: string
  values: Map<string, Json>
  isOver?: boolean
}

/** Silences that are over are read only if a file owns them. */
export async function readStored(db: Db, projectId: number, now: number): Promise<StoredConfig> {
  const marks = await marksOf(db, projectId)
  const channels = (await listChannels(db, projectId)).map(({ uuid, name, kind, settings, members }) => ({
    ref: uuid,
    name,
    values: new Map<string, Json>(Object.entries({ kind, name, settings, members })),
  }))
  const policies = (await listPolicies(db, projectId)).sort((a, b) => a.id - b.id)
  const found: Record<Section, Found[]> = {
    channels,
    policies: policies.map(({ id, name, isDefault, steps, repeat }) => ({
      ref: String(id),
      name,
      values: new Map<string, Json>(
        Object.entries({ name, default: isDefault, steps: steps as unknown as Json, repeat: shown(repeat) }),
      ),
    })),
    checks: await checksOf(db, projectId),
    silences: await silencesOf(db, projectId, now, marks),
  }
  const keys = bySection(section => keysIn(section, found[section], marks))
  const objects = bySection(section =>
    found[section].map(({ ref, values, isOver }): StoredObject => {
      const { key, owner } = keys[section].get(ref)!
      return { key, owner, ref, values: withKeys(section, values, keys), ...(isOver && { isOver }) }
    }),
  )
  return { fingerprint: fingerprintOf(objects), objects, marks }
}

function shown(repeat: PolicyRepeat | null): Json {
  return repeat && { every: repeat.every, times: repeat.times }
}

type Keys = Map<string, { key: string; owner: string | null }>

function keysIn(section: Section, found: readonly Found[], marks: readonly Mark[]): Keys {
  const owned = new Map(marks.filter(mark => mark.section === section).map(mark => [mark.ref, mark]))
  const named = found.map(({ ref, name }) => ({ key: owned.get(ref)?.key ?? null, name }))
  const keys = assignKeys(named, UNNAMED[section])
  return new Map(
    found.map(({ ref }, place) => [ref, { key: keys[place]!, owner: owned.get(ref)?.owner ?? null }]),
  )
}

const UNNAMED = { channels: 'channel', policies: 'policy', checks: 'check', silences: 'silence' }

/** The values with keys in place of UUIDs and IDs; what is not in the project is left out. */
function withKeys(
  section: Section,
  values: Map<string, Json>,
  keys: Record<Section, Keys>,
): Map<string, Json> {
  const keysOf = (of: Section, refs: Json) =>
    (refs as readonly string[]).flatMap(ref => keys[of].get(ref)?.key ?? []).sort()
  if (section === 'channels') values.set('members', keysOf('channels', values.get('members')!))
  if (section === 'policies') {
    const steps = values.get('steps') as readonly { after: number; channels: Json }[]
    const named = steps.map(({ after, channels }) => ({
      after,
      channels: channels === 'check' ? channels : keysOf('channels', channels),
    }))
    values.set('steps', named)
  }
  if (section === 'checks') {
    values.set('channels', keysOf('channels', values.get('channels')!))
    values.set('depends_on', keysOf('checks', values.get('depends_on')!))
    const policy = values.get('policy') ?? null
    values.set('policy', policy === null ? null : (keys.policies.get(String(policy))?.key ?? null))
  }
  if (section === 'silences') {
    const scope = values.get('scope') as { checks?: Json }
    if (scope.checks !== undefined) values.set('scope', { checks: keysOf('checks', scope.checks) })
    const channels = values.get('channels') ?? null
    values.set('channels', channels === null ? null : keysOf('channels', channels))
  }
  return values
}

async function checksOf(db: Db, projectId: number): Promise<Found[]> {
  const leaving = await leavingChecks(db, [projectId])
  const channels = await channelsByCheck(db, projectId)
  const parents = new Map<number, string[]>()
  for (const { id, uuid } of await parentsOfProject.all(db, { projectId })) appendTo(parents, id, uuid)
  const rows = (await checksOfProject.arrays(db, { projectId })).map(toCheckWithPolicy)
  return rows.flatMap(check => {
    if (leaving.has(check.uuid)) return []
    const values = valuesOfCheck(check)
    values.set('channels', channels.get(check.id) ?? [])
    values.set('depends_on', parents.get(check.id) ?? [])
    values.set('policy', check.policy)
    return [{ ref: check.uuid, name: check.slug || check.name, values }]
  })
}

const checksOfProject = prepared((sql, value: { projectId: number }) =>
  selectChecksWithPolicy(sql).where('c.project_id', '=', value.projectId).orderBy('c.id'),
)

const parentsOfProject = prepared((_sql, value: { projectId: number }, engine) =>
  gathered(engine, ['checks'], sql`(SELECT check_id FROM check_names WHERE project_id = ${value.projectId})`)
    .selectFrom('checks as c')
    .innerJoin('check_parents as cp', 'cp.check_id', 'c.id')
    .innerJoin('checks as p', 'p.id', 'cp.parent_id')
    .select(['c.id', 'p.uuid'])
    .where('c.project_id', '=', value.projectId),
)

async function silencesOf(db: Db, projectId: number, now: number, marks: readonly Mark[]): Promise<Found[]> {
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
  const uuids = await uuidsOf(db, projectId)
  return rows.map(row => {
    const silence = toSilence(row)
    const { mode, scope, channels, reason, times } = silence
    const over = overAt(silence)
    const from = owned.get(String(silence.id))?.beginsAt ?? times.from
    const named = {
      mode,
      scope: 'checks' in scope ? { checks: scope.checks.flatMap(id => uuids.checks.get(id) ?? []) } : scope,
      channels: channels === null ? null : channels.flatMap(id => uuids.channels.get(id) ?? []),
      when: inUtc(whenShape({ ...times, from })),
      reason,
    }
    return {
      ref: String(silence.id),
      name: reason,
      values: new Map<string, Json>(Object.entries(named)),
      isOver: over !== null && over <= now,
    }
  })
}

/** Times with their instants as files have them: with `Z`. */
function inUtc(when: object): Json {
  const shown = (value: unknown) => (typeof value === 'string' ? value.replace(/\+00:00$/, 'Z') : value)
  return Object.fromEntries(Object.entries(when).map(([name, value]) => [name, shown(value)])) as Json
}

async function uuidsOf(db: Db, projectId: number) {
  const byId = async (table: 'checks' | 'channels') => {
    const rows = await db.sql
      .selectFrom(table)
      .select(['id', 'uuid'])
      .where('project_id', '=', projectId)
      .execute()
    return new Map(rows.map(({ id, uuid }) => [id, uuid]))
  }
  return { checks: await byId('checks'), channels: await byId('channels') }
}

function fingerprintOf(objects: Record<Section, StoredObject[]>): string {
  const hash = createHash('sha256')
  for (const section of SECTIONS) {
    for (const { key, owner, ref, values, isOver } of objects[section]) {
      hash.update(JSON.stringify([section, key, owner, ref, isOver ?? false, [...values]]))
    }
  }
  return hash.digest('base64url').slice(0, 22)
}
