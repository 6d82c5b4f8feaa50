/** A project as files of configuration describe it, read from the tables. */
import { createHash } from 'node:crypto'
import { assignKeys } from '../../../core/config/assign-keys.js'
import {
  bySection,
  type Json,
  SECTIONS,
  type Section,
  type Values,
} from '../../../core/config/project-config.js'
import type { Db } from '../../db.js'
import { type FoundObject, findChecks, findOthers, seenOf } from './found-objects.js'
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
  /** Changes with everything that files can set of it, but not with what a check depends on. */
  seen: string
  /** Whether it is a silence that is over. */
  isOver: boolean
}

export interface StoredConfig {
  /** Changes with everything that files can set. */
  fingerprint: string
  /** In the order of their creation. */
  objects: Record<Section, StoredObject[]>
  marks: readonly Mark[]
  seen: Seen
}

/** What shows that something of a project has changed since it was read, beside `seen` of its checks. */
export interface Seen {
  /** When it was read (ms). */
  at: number
  /** Changes with everything that files can set but checks. */
  others: string
  /** The number of its checks. */
  checks: number
}

/** Silences that are over are read only if a file owns them. */
export async function readStored(db: Db, projectId: number, now: number): Promise<StoredConfig> {
  const marks = await marksOf(db, projectId, SECTIONS)
  const found = {
    ...(await findOthers(db, projectId, now, marks)),
    checks: await findChecks(db, projectId),
  }
  const keys = bySection(section => keysIn(section, found[section], marks))
  const objects = bySection(section =>
    found[section].map((one): StoredObject => {
      const { key, owner } = keys[section].get(one.ref)!
      const seen = seenOf(one)
      const values = withKeys(section, one.values, keys)
      return { key, owner, ref: one.ref, values, seen, isOver: isOver(one, now) }
    }),
  )
  return {
    fingerprint: digestOf(SECTIONS, objects),
    objects,
    marks,
    seen: { at: now, others: digestOf(OTHERS, objects), checks: await checkCount(db, projectId) },
  }
}

const OTHERS = ['channels', 'policies', 'silences'] as const

/** What `Seen.others` is now, of a project that was read at `at` (ms). */
export async function othersNow(db: Db, projectId: number, at: number): Promise<string> {
  const marks = await marksOf(db, projectId, OTHERS)
  const found = await findOthers(db, projectId, at, marks)
  const objects = (section: (typeof OTHERS)[number]) => {
    const keys = keysIn(section, found[section], marks)
    return found[section].map(one => ({ ...keys.get(one.ref)!, seen: seenOf(one), isOver: isOver(one, at) }))
  }
  return digestOf(OTHERS, {
    channels: objects('channels'),
    policies: objects('policies'),
    silences: objects('silences'),
  })
}

/** What `Seen.checks` is now. */
export async function checkCount(db: Db, projectId: number): Promise<number> {
  const { n_checks } = await db.sql
    .selectFrom('projects')
    .select('n_checks')
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return n_checks
}

type Keys = Map<string, { key: string; owner: string | null }>

function keysIn(section: Section, found: readonly FoundObject[], marks: readonly Mark[]): Keys {
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

function isOver({ overAt = null }: FoundObject, now: number): boolean {
  return overAt !== null && overAt <= now
}

type Digested = readonly (Pick<StoredObject, 'key' | 'owner' | 'seen' | 'isOver'> & { values?: Values })[]

function digestOf<S extends Section>(sections: readonly S[], objects: Readonly<Record<S, Digested>>): string {
  const hash = createHash('sha256')
  for (const section of sections) {
    for (const { key, owner, seen, isOver, values } of objects[section])
      hash.update(JSON.stringify([section, key, owner, seen, isOver, values?.get('depends_on')]))
  }
  return hash.digest('base64url').slice(0, 22)
}
