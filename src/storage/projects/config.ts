/** The project as files of configuration describe it, and applying a plan to it. Decisions 0122 and 0123. */
import { bySection, type Section } from '../../core/config/project-config.js'
import { lockProject } from '../checks/checks.js'
import { refuseTooMany } from '../checks/create-checks.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import type { OnPiece } from '../json-bytes.js'
import { announcedWrite, longRead, readWithoutSnapshot } from '../method.js'
import { addDependencies, changeChecks, createChecks, deleteSomeChecks } from './config/apply-checks.js'
import { applyChannel, applyDelete, applyPolicy, applySilence } from './config/apply-others.js'
import {
  type Applying,
  byPhase,
  type ConfigStep,
  inPhases,
  type MadeObject,
  type Phase,
} from './config/config-step.js'
import { type Mark, type MarkKey, replaceMarks } from './config/marks.js'
import { naming } from './config/naming.js'
import { checkCount, othersNow, readStored, type StoredConfig } from './config/stored-config.js'
import { type Expected, keysOf, refuseChanged } from './config/unchanged.js'
import { type Author, lockAuthor } from './lock-author.js'

/** What files can set of a project. Its checks are passed on in pieces, see config/check-pieces.ts. */
export const config = longRead(
  async (db: Db, projectId: number, now: number, onPiece: OnPiece): Promise<StoredConfig> =>
    await readStored(db, projectId, now, onPiece),
)

/** The name of the file that owns an object, or null. `ref`: the UUID of a channel or check, the ID of a policy or silence. */
export const configOwner = readWithoutSnapshot(
  async (db: Db, projectId: number, section: Section, ref: string): Promise<string | null> => {
    const row = await db.sql
      .selectFrom('config_objects')
      .select('owner')
      .where('project_id', '=', projectId)
      .where('section', '=', section)
      .where('object', '=', ref)
      .executeTakeFirst()
    return row?.owner ?? null
  },
)

/** Steps of a plan, with everything that they name. */
export interface AskedConfig extends Expected {
  /** The UUIDs or IDs of objects by their keys. */
  refs: Readonly<Record<Section, ReadonlyMap<string, string>>>
  steps: readonly ConfigStep[]
  /** By how many checks the project grows with these steps and those that follow them. */
  growth: number
  /** How long the transaction may take (ms): then the steps that are left are not made. Null: all or none are. */
  limitMs: number | null
  /** Marks of objects that are gone. */
  stale: readonly MarkKey[]
  /** The name of the file, which owns all that it creates or changes. */
  owner: string
  by: Author
  /** The name of who applies, as pages show it. */
  author: string
  now: number
}

export interface AppliedConfig {
  /** The number of steps that were made, the first ones in the order of their phases. */
  done: number
  made: MadeObject[]
  /** What steps that follow expect. */
  seen: Expected['seen']
  wakeAt: number | null
  alerts: boolean
}

/**
 * Makes these steps, at least one, in one transaction. Throws a `Refusal`: `conflict` if the project is not as they expect it, `forbidden` if
 * the author may not change it any more, else as the writes of single objects; `field` is the object's section and key.
 */
export const applyConfig = announcedWrite(
  async (db: Db, projectId: number, asked: AskedConfig): Promise<AppliedConfig> => {
    const { seen, steps, growth, limitMs, by, author, now } = asked
    const begunAt = performance.now()
    db.liftTimeLimit?.()
    await lockAuthor(db, projectId, by, 'write')
    await lockProject(db, projectId)
    await lockSteps(db, asked)
    await refuseChanged(db, projectId, asked, steps)
    if (growth > 0) await refuseTooMany(db, projectId, growth)
    const applying: Applying = {
      ...{ db, projectId, by, author, now },
      isOver: () => limitMs !== null && performance.now() - begunAt > limitMs,
      refs: bySection(section => new Map(asked.refs[section])),
      begins: new Map(),
      made: [],
      wakeAt: null,
      alerts: false,
    }
    const ordered = inPhases(steps)
    const done = await make(applying, ordered)
    await mark(applying, ordered.slice(0, done), asked)
    const checks = await checkCount(db, projectId)
    const others = limitMs !== null && seen.others !== null ? await othersNow(db, projectId, seen.at) : null
    const { made, wakeAt, alerts } = applying
    return { done, made, seen: { ...seen, checks, others }, wakeAt, alerts }
  },
)

/** Makes the first of these steps, as many as there is time for. Returns how many. */
async function make(applying: Applying, steps: readonly ConfigStep[]): Promise<number> {
  let done = 0
  for (const [phase, some] of byPhase(steps)) {
    if (done > 0 && applying.isOver()) break
    const made = await MAKE[phase](applying, some)
    done += made
    if (made < some.length) break
  }
  return done
}

/** Makes the first of some steps of one phase, and returns how many. */
type Make = (applying: Applying, steps: readonly ConfigStep[]) => Promise<number>

const together =
  (makeAll: (applying: Applying, steps: readonly ConfigStep[]) => Promise<void>): Make =>
  async (applying, steps) => {
    await makeAll(applying, steps)
    return steps.length
  }

/** Makes `size` steps at a time, as long as there is time. */
const inParts =
  (size: number, makeSome: (applying: Applying, steps: readonly ConfigStep[]) => Promise<void>): Make =>
  async (applying, steps) => {
    let done = 0
    for (const some of chunks(steps, size)) {
      if (done > 0 && applying.isOver()) break
      await makeSome(applying, some)
      done += some.length
    }
    return done
  }

const oneByOne = (makeOne: (applying: Applying, step: ConfigStep) => Promise<void>): Make =>
  inParts(1, async (applying, [step]) => await naming(step!, makeOne(applying, step!)))

/** The number of checks that are deleted together with their logs. */
const DELETED_TOGETHER = 20

const MAKE: Record<Phase, Make> = {
  'write channels': oneByOne(applyChannel),
  'write groups': oneByOne(applyChannel),
  'write policies': oneByOne(applyPolicy),
  'change checks': together(changeChecks),
  'delete checks': inParts(DELETED_TOGETHER, deleteSomeChecks),
  'create checks': together(createChecks),
  'depend checks': together(addDependencies),
  'delete silences': oneByOne(applyDelete),
  'write silences': oneByOne(applySilence),
  'delete policies': oneByOne(applyDelete),
  'delete channels': oneByOne(applyDelete),
}

/** Locks the checks that change, all at once and in one order, to avoid deadlocks with pings. */
async function lockSteps(db: Db, { steps, refs }: AskedConfig): Promise<void> {
  if (!db.dialect.hasConcurrentWrites) return
  const checks = steps.filter(({ section }) => section === 'checks')
  const uuids = new Set(checks.flatMap(({ key }) => refs.checks.get(key) ?? []))
  if (uuids.size > 0) await db.dialect.loadChecks([...uuids])
}

/** Marks what the file owns now, and removes the marks of what is gone. */
async function mark(
  { db, projectId, refs, begins }: Applying,
  steps: readonly ConfigStep[],
  { marks, stale, owner }: AskedConfig,
): Promise<void> {
  const old = new Map(marks.map(one => [`${one.section}/${one.ref}`, one]))
  const added = steps.flatMap(({ action, section, key }): Mark[] => {
    if (action === 'delete' || action === 'depend') return []
    const ref = refs[section].get(key)!
    const before = old.get(`${section}/${ref}`)?.beginsAt ?? null
    const beginsAt = section === 'silences' ? (begins.get(key) ?? before) : null
    return [{ section, key, ref, owner, beginsAt }]
  })
  await replaceMarks(db, projectId, [...keysOf(steps), ...stale], added)
}
