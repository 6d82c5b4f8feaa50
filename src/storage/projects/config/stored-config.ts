/** A project as files of configuration describe it, read from the tables. */
import { createHash, type Hash } from 'node:crypto'
import { assignKeys } from '../../../core/config/assign-keys.js'
import {
  bySection,
  type Json,
  SECTIONS,
  type Section,
  type Values,
} from '../../../core/config/project-config.js'
import { inTurns } from '../../../lib/in-turns.js'
import type { Db } from '../../db.js'
import type { OnPiece } from '../../json-bytes.js'
import { passChecks } from './check-pieces.js'
import { type FoundObject, findChecks, findOthers, seenOf } from './found-objects.js'
import { type Mark, marksOf } from './marks.js'
import type { StoredObject } from './stored-object.js'

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

/** All of it, but with the checks passed on in pieces, see check-pieces.ts. Silences that are over are read only if a file owns them. */
export async function readStored(
  db: Db,
  projectId: number,
  now: number,
  onPiece: OnPiece,
): Promise<StoredConfig> {
  const marks = await marksOf(db, projectId, SECTIONS)
  const count = await checkCount(db, projectId)
  const found = {
    ...(await findOthers(db, projectId, now, marks)),
    checks: await findChecks(db, projectId, count),
  }
  const objects = await inTurns(storedObjects(found, marks, now))
  const fingerprint = await inTurns(fingerprintOf(objects))
  // After the last query: a transaction that is tried again has passed nothing on.
  await inTurns(passChecks(objects.checks, onPiece))
  return {
    fingerprint,
    objects: { ...objects, checks: [] },
    marks,
    seen: { at: now, others: digestOf(OTHERS, objects), checks: count },
  }
}

function* storedObjects(
  found: Record<Section, readonly FoundObject[]>,
  marks: readonly Mark[],
  now: number,
): Generator<void, Record<Section, StoredObject[]>> {
  const keys = bySection(section => keysIn(section, found[section], marks))
  const keysOf = keyFinder(keys)
  const objects = bySection((): StoredObject[] => [])
  for (const section of SECTIONS) {
    for (const one of found[section]) {
      const { key, owner } = keys[section].get(one.ref)!
      const seen = seenOf(one)
      const values = withKeys(section, one.values, { keys, keysOf })
      objects[section].push({ key, owner, ref: one.ref, values, seen, isOver: isOver(one, now) })
      yield
    }
  }
  return objects
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

type KeysOf = (section: Section, refs: Json) => readonly string[]

/** Says the keys of objects, in order. The same list is looked up once. */
function keyFinder(keys: Record<Section, Keys>): KeysOf {
  const known = bySection(() => new Map<Json, readonly string[]>())
  return (section, refs) => {
    const list =
      known[section].get(refs) ??
      (refs as readonly string[]).flatMap(ref => keys[section].get(ref)?.key ?? []).sort()
    known[section].set(refs, list)
    return list
  }
}

/** The values with keys in place of UUIDs and IDs; what is not in the project is left out. */
function withKeys(
  section: Section,
  values: Map<string, Json>,
  { keys, keysOf }: { keys: Record<Section, Keys>; keysOf: KeysOf },
): Map<string, Json> {
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
  for (const section of sections) for (const one of objects[section]) hash.update(digested(section, one))
  return shortened(hash)
}

/** The same of all sections, in turns. */
function* fingerprintOf(objects: Readonly<Record<Section, Digested>>): Generator<void, string> {
  const hash = createHash('sha256')
  for (const section of SECTIONS) {
    for (const one of objects[section]) {
      hash.update(digested(section, one))
      yield
    }
  }
  return shortened(hash)
}

function digested(section: Section, { key, owner, seen, isOver, values }: Digested[number]): string {
  return JSON.stringify([section, key, owner, seen, isOver, values?.get('depends_on')])
}

function shortened(hash: Hash): string {
  return hash.digest('base64url').slice(0, 22)
}
