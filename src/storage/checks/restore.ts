/** Taking back what a person did; see undos.ts. */
import type { Flip, FlipReason } from '../../core/checks/flip.js'
import { hasMark, type StateBefore, type Step } from '../../core/checks/undo.js'
import { checkValues } from '../../core/events/check-values.js'
import { appendTo } from '../../lib/append-to.js'
import { chunks } from '../chunks.js'
import type { Db } from '../db.js'
import type { LoadedCheck } from '../dialect.js'
import { recordEvents } from '../events/record-events.js'
import { advanceClocks } from '../incidents/policies/advance-clocks.js'
import { restoreIncidents } from '../incidents/restore-incidents.js'
import { announcedWrite } from '../method.js'
import { wakeRetagged } from '../silences/wake-held.js'
import { namesOf, ownChecks } from './bulk-edit/check-names.js'
import { insertFlips } from './flips.js'
import { saveStates } from './rows/states.js'

/** How many checks were restored, and what has to be announced. */
interface Restored {
  restored: number
  wakeAt: number | null
  alerts: boolean
}

type StateStep = Extract<Step, { did: 'state' }>
type TagsStep = Extract<Step, { did: 'tags' }>

/** A check to restore, locked. */
interface Restoring {
  check: LoadedCheck
  name: string
  before: StateBefore
}

/**
 * Gives checks of the project back the states that they had before a pause or a resume, but for those that were pinged or whose
 * rules were changed since: their deadlines from before would be wrong. Their logs show both changes, but for the pause of a
 * check that is down.
 */
export const restoreStates = announcedWrite(
  async (db: Db, projectId: number, steps: readonly StateStep[], now: number): Promise<Restored> => {
    const restoring = await toRestore(db, projectId, steps)
    if (restoring.length === 0) return { restored: 0, wakeAt: null, alerts: false }
    const wakeAt = await saveStates(
      db,
      restoring.map(({ check, before }) => ({ ...check, ...before })),
    )
    const down = restoring.filter(({ before }) => before.status === 'down')
    const causes = await causesOf(db, down)
    const paused = down.map(({ check, name }) => ({ ...check, name, pausedAt: check.statusSince }))
    const reopened = await restoreIncidents(db, projectId, paused, now)
    for (const some of chunks(restoring, AT_ONCE)) {
      const events = some.map(({ check, name, before }) => ({
        projectId,
        type: 'check.restored' as const,
        object: { id: check.uuid, name },
        before: { status: check.status },
        after: { status: before.status },
      }))
      await recordEvents(db, events, now)
    }
    const flips = restoring.flatMap(({ check: { id, status }, before }) => {
      if (reopened.checkIds.has(id)) return []
      const cause = before.status === 'down' ? (causes.get(id) ?? UNKNOWN) : NO_CAUSE
      return [
        { checkId: id, flip: { createdAt: now, oldStatus: status, newStatus: before.status, ...cause } },
      ]
    })
    const alerts = (await insertFlips(db, flips, now)) || reopened.alerts
    return { restored: restoring.length, wakeAt, alerts }
  },
)

/** How many checks are read, and how many events recorded, at once. */
const AT_ONCE = 500

/** Those that nothing has changed since. Deleted checks, and those moved to another project, are left out. */
async function toRestore(db: Db, projectId: number, steps: readonly StateStep[]): Promise<Restoring[]> {
  const byUuid = new Map(steps.map(step => [step.check, step]))
  const loaded = (await db.dialect.loadChecks([...byUuid.keys()])).filter(check =>
    hasMark(check, byUuid.get(check.uuid)!.after),
  )
  const names = await namesOf(db, projectId, loaded)
  return loaded.flatMap(check => {
    const name = names.get(check.id)
    return name === undefined ? [] : [{ check, name, before: byUuid.get(check.uuid)!.before }]
  })
}

const idsIn = (checks: readonly { id: number }[]) => checks.map(({ id }) => id)

const NO_CAUSE = { reason: '' as const }

/** Of a check that is down and whose flip is not kept any more. */
const UNKNOWN = { reason: 'failed' as const }

/** Why checks last went down, and since when they failed. */
async function causesOf(db: Db, down: readonly Restoring[]) {
  const causes = new Map<number, Pick<Flip, 'reason' | 'since'>>()
  for (const some of chunks(down, AT_ONCE)) {
    const rows = await db.sql
      .selectFrom('flips as f')
      .select(['f.check_id', 'f.reason', 'f.created_at', 'f.since_at'])
      .where('f.check_id', 'in', idsIn(some.map(({ check }) => check)))
      .where('f.id', '=', eb =>
        eb
          .selectFrom('flips as l')
          .select(eb => eb.fn.max('l.id').as('id'))
          .whereRef('l.check_id', '=', 'f.check_id')
          .where('l.new_status', '=', 'down'),
      )
      .execute()
    for (const { check_id, reason, created_at, since_at } of rows)
      causes.set(check_id, { reason: reason as FlipReason, since: since_at ?? created_at })
  }
  return causes
}

/** Gives checks of the project back their tags, but for those whose tags have been changed since. */
export const restoreTags = announcedWrite(
  async (
    db: Db,
    projectId: number,
    steps: readonly TagsStep[],
    now: number,
  ): Promise<{ restored: number; alerts: boolean }> => {
    const groups = new Map<string, TagsStep[]>()
    for (const step of steps) appendTo(groups, JSON.stringify([step.before, step.after]), step)
    let restored = 0
    let alerts = false
    for (const group of groups.values()) {
      for (const some of chunks(group, AT_ONCE)) {
        const rows = await restoreSameTags(db, projectId, some, now)
        restored += rows.length
        if (await wakeRetagged(db, projectId, idsIn(rows), now)) alerts = true
      }
    }
    return { restored, alerts }
  },
)

/** Of steps with the same tags before and after. */
async function restoreSameTags(db: Db, projectId: number, steps: readonly TagsStep[], now: number) {
  const { before, after } = steps[0]!
  const uuids = steps.map(({ check }) => check)
  const own = new Map((await ownChecks(db, projectId, uuids)).map(check => [check.id, check]))
  if (own.size === 0) return []
  const ids = [...own.keys()]
  await advanceClocks(db, db.sql.selectFrom('checks').select('id').where('id', 'in', ids), now)
  const rows = await db.sql
    .updateTable('check_details')
    .set({ tags: before })
    .where('tags', '=', after)
    .where('check_id', 'in', ids)
    .returning('check_id as id')
    .execute()
  const values = { before: checkValues({ tags: after }), after: checkValues({ tags: before }) }
  const events = rows.map(({ id }) => {
    const { uuid, name } = own.get(id)!
    return { projectId, type: 'check.updated' as const, object: { id: uuid, name }, ...values }
  })
  await recordEvents(db, events, now)
  return rows
}
