/** The project as files of configuration describe it, and applying a plan to it. Decisions 0122 and 0123. */
import { bySection, type Section } from '../../core/config/project-config.js'
import { Refusal } from '../../core/errors.js'
import { lockProject } from '../checks/checks.js'
import type { Db } from '../db.js'
import { announcedWrite, longRead, readWithoutSnapshot } from '../method.js'
import { applyChecks } from './config/apply-checks.js'
import { applyChannels, applyDelete, applyPolicies, applySilences } from './config/apply-others.js'
import type { Applying, ConfigStep } from './config/config-step.js'
import { type Mark, replaceMarks } from './config/marks.js'
import { naming } from './config/naming.js'
import { readStored, type StoredConfig } from './config/stored-config.js'
import { type Author, lockAuthor } from './lock-author.js'

/** What files can set of a project. */
export const config = longRead(
  async (db: Db, projectId: number, now: number): Promise<StoredConfig> =>
    await readStored(db, projectId, now),
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

export interface AskedConfig {
  /** Of the project for which the steps were planned. */
  fingerprint: string
  /** The name of the file, which owns all that it creates or changes. */
  owner: string
  steps: readonly ConfigStep[]
  by: Author
  /** The name of who applies, as pages show it. */
  author: string
  now: number
}

/**
 * Makes all steps or none. Throws a `Refusal`: `conflict` if the project is not the one for which they were planned, `forbidden` if
 * the author may not change it any more, else as the writes of single objects; `field` is the object's section and key.
 */
export const applyConfig = announcedWrite(
  async (
    db: Db,
    projectId: number,
    { fingerprint, owner, steps, by, author, now }: AskedConfig,
  ): Promise<{ wakeAt: number | null; alerts: boolean }> => {
    db.liftTimeLimit?.()
    await lockAuthor(db, projectId, by, 'write')
    await lockProject(db, projectId)
    await lockChecks(db, projectId, steps, now)
    const stored = await readStored(db, projectId, now)
    if (stored.fingerprint !== fingerprint) {
      throw new Refusal('conflict', 'the project has changed since it was planned: plan again')
    }
    const applying = begin(db, projectId, stored, { steps, by, author, now })
    const of = (section: ConfigStep['section'], deletes = false) =>
      steps.filter(step => step.section === section && (step.action === 'delete') === deletes)
    const remove = async (section: ConfigStep['section']) => {
      for (const step of of(section, true)) await naming(step, applyDelete(applying, step))
    }
    await remove('silences')
    await remove('checks')
    await applyChannels(applying, of('channels'))
    await applyPolicies(applying, of('policies'))
    await applyChecks(applying, of('checks'))
    const begins = await applySilences(applying, of('silences'))
    await remove('policies')
    await remove('channels')
    await mark(applying, stored, { steps, owner, begins })
    return { wakeAt: applying.wakeAt, alerts: applying.alerts }
  },
)

/** Locks the checks that change, all at once and in one order, to avoid deadlocks with pings. */
async function lockChecks(
  db: Db,
  projectId: number,
  steps: readonly ConfigStep[],
  now: number,
): Promise<void> {
  if (!db.dialect.hasConcurrentWrites) return
  const keys = new Set(
    steps.flatMap(({ section, key, movedFrom }) => (section === 'checks' ? [movedFrom ?? key] : [])),
  )
  const { objects } = await readStored(db, projectId, now)
  const uuids = objects.checks.flatMap(({ key, ref }) => (keys.has(key) ? [ref] : []))
  if (uuids.length > 0) await db.dialect.loadChecks(uuids)
}

function begin(
  db: Db,
  projectId: number,
  stored: StoredConfig,
  { steps, by, author, now }: Pick<AskedConfig, 'steps' | 'by' | 'author' | 'now'>,
): Applying {
  const before = bySection(section => {
    const objects = new Map(stored.objects[section].map(one => [one.key, one]))
    const moves = steps.filter(step => step.section === section && step.movedFrom !== null)
    const moved = moves.map(({ key, movedFrom }) => [key, objects.get(movedFrom!)!] as const)
    for (const { movedFrom } of moves) objects.delete(movedFrom!)
    return new Map([...objects, ...moved])
  })
  const refs = bySection(section => new Map([...before[section]].map(([key, { ref }]) => [key, ref])))
  return { db, projectId, by, author, now, refs, before, wakeAt: null, alerts: false }
}

/** Marks what the file owns now, and removes the marks of what is gone. */
async function mark(
  { db, projectId, refs }: Applying,
  { objects, marks }: StoredConfig,
  { steps, owner, begins }: Pick<AskedConfig, 'steps' | 'owner'> & { begins: ReadonlyMap<string, number> },
): Promise<void> {
  const known = bySection(section => new Set(objects[section].map(({ key }) => key)))
  const old = new Map(marks.map(one => [`${one.section}/${one.ref}`, one]))
  const removed = [
    ...steps.map(({ section, key, movedFrom }) => ({ section, key: movedFrom ?? key })),
    ...marks.filter(({ section, key }) => !known[section].has(key)),
  ]
  const added = steps.flatMap(({ action, section, key }): Mark[] => {
    if (action === 'delete') return []
    const ref = refs[section].get(key)!
    const before = old.get(`${section}/${ref}`)?.beginsAt ?? null
    const beginsAt = section === 'silences' ? (begins.get(key) ?? before) : null
    return [{ section, key, ref, owner, beginsAt }]
  })
  await replaceMarks(db, projectId, removed, added)
}
