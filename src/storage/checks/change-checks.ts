/** Changes of checks by people and programs, each in one transaction. */

import type { Check, State } from '../../core/checks/check.js'
import { applyChanges, type CheckChanges } from '../../core/checks/check-changes.js'
import type { Settings } from '../../core/checks/check-fields.js'
import { changeRules } from '../../core/checks/health/change-rules.js'
import { changesJudgedRules, rulesProblem } from '../../core/checks/health/rules-problem.js'
import { Refusal } from '../../core/errors.js'
import type { EventActor } from '../../core/events/actor.js'
import { checkValues } from '../../core/events/check-values.js'
import type { Hold } from '../../core/instance/outage.js'
import { ofCheck as channelsOfCheck, setChannels } from '../channels/check-channels.js'
import { resolveChannels } from '../channels/find-channels.js'
import type { Db } from '../db.js'
import { recordChange } from '../events/record-events.js'
import { parents as parentsOf, setParents } from '../incidents/check-parents.js'
import { choosePolicy, policyOf } from '../incidents/choose-policy.js'
import { withDependants } from '../incidents/dependencies/wake-dependants.js'
import { advanceClocks } from '../incidents/policies/advance-clocks.js'
import { currentHold, holdToJudge } from '../instance/outages.js'
import { announcedWrite } from '../method.js'
import { waivedFor } from '../silences/waived.js'
import { wakeRetagged } from '../silences/wake-held.js'
import { lockProject } from './checks.js'
import { findCheck } from './find-check.js'
import { insertFlips } from './flips.js'
import { insertPassedOf } from './history/passed-deadlines.js'
import { settingColumns } from './rows/check-columns.js'
import { noteNames } from './rows/name-directory.js'
import { saveStates } from './rows/states.js'

/**
 * A request for a new or existing check. `channels`: see {@link resolveChannels}; `parents`: the UUIDs of the checks on
 * which it is to depend. Absent: unchanged.
 */
export interface AskedCheck {
  changes: CheckChanges
  channels?: string | undefined
  parents?: readonly string[] | undefined
  /** The ID or the name of its policy; null: none; absent: unchanged. */
  policy?: number | string | null | undefined
  /** Whether rules that cannot be meant are refused, as the form does before it asks. */
  refusesRules?: boolean
  now: number
  /** Who creates it, if that is not who acts: several requests may be one write. */
  actor?: EventActor | null | undefined
}

/** The values by which an existing check is looked for before one is created. */
export type UniqueValues = Partial<Settings>

/** A check after a write, with what is needed to show and announce it. */
export interface WrittenCheck {
  check: Check
  /** The UUIDs of its channels. */
  channels: string[]
  hold: Hold | null
  created: boolean
  /** The deadline that moved earlier, or null. */
  wakeAt: number | null
  /** Whether a delivery was added. */
  alerts: boolean
}

/**
 * Changes a check's settings; those that are not given stay. Throws a `Refusal` as {@link
 * findCheck}, or for the channels.
 */
export const update = announcedWrite(
  async (db: Db, projectId: number, uuid: string, asked: AskedCheck): Promise<WrittenCheck> => {
    // The project is locked before its checks, here as elsewhere, to avoid deadlocks.
    if (asked.parents) await lockProject(db, projectId)
    const { check, loaded } = await loadToChange(db, projectId, uuid)
    const linkedBefore = await linksOf(db, check, asked)
    const settings = changedSettings(check, asked)
    const changed = differing(check, settings)
    if (asked.parents || changed.tags !== undefined) {
      await advanceClocks(db, await withDependants(db, [check.id]), asked.now)
    }
    await saveSettings(db, check.id, changed)
    if (asked.policy !== undefined) await choosePolicy(db, check, asked.policy, asked.now)
    const hold = (await holdToJudge(db, asked.now))(loaded)
    const waived = (await waivedFor(db, [loaded], asked.now)).get(loaded.id)
    const { check: after, flips, passed } = changeRules(loaded, settings, asked.now, hold, waived)
    const wakeAt = isStateChanged(check, after) ? await saveStates(db, [after]) : null
    await insertPassedOf(db, check.id, passed)
    const flipped = await insertFlips(
      db,
      flips.map(flip => ({ checkId: check.id, flip })),
      asked.now,
    )
    const linked =
      asked.channels === undefined
        ? { channels: await channelsOfCheck(db, check.id), alerts: false }
        : await assign(db, check, asked.channels, asked.now)
    const freed = asked.parents !== undefined && (await setParents(db, check, asked.parents, asked.now))
    const retagged = changed.tags !== undefined && (await wakeRetagged(db, projectId, [check.id], asked.now))
    const { channels, alerts } = linked
    const names = Object.keys(changed) as (keyof Settings)[]
    const pickFrom = (values: Settings) =>
      checkValues(Object.fromEntries(names.map(name => [name, values[name]])))
    await recordChange(
      db,
      {
        projectId,
        type: 'check.updated',
        object: { id: uuid, name: settings.name },
        before: { ...pickFrom(check), ...linkedBefore },
        after: { ...pickFrom(settings), ...(await linksOf(db, check, asked)) },
      },
      asked.now,
    )
    return {
      check: { ...check, ...after },
      channels,
      alerts: alerts || flipped || retagged || freed,
      hold: await currentHold(db, asked.now),
      created: false,
      wakeAt,
    }
  },
)

/** Settings with the changes that are asked for. Throws `Refusal('invalid')` for rules that cannot be meant, if asked to. */
export function changedSettings(before: Settings, { changes, refusesRules = false }: AskedCheck): Settings {
  const settings = applyChanges(before, changes)
  const wrong = refusesRules && changesJudgedRules(changes) ? rulesProblem(settings) : null
  if (wrong !== null) throw new Refusal('invalid', wrong.problem, wrong.field)
  return settings
}

/** Those of the settings that are not as before. */
export function differing(before: Settings, settings: Settings): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(settings).filter(([name, value]) => value !== before[name as keyof Settings]),
  )
}

/** Whether new settings also changed the state. */
function isStateChanged(before: State, after: State): boolean {
  return (
    after.status !== before.status ||
    after.alertAfter !== before.alertAfter ||
    after.dueAt !== before.dueAt ||
    JSON.stringify(after.tracking) !== JSON.stringify(before.tracking)
  )
}

/** A check of the project, complete and as the rules use it, locked until the transaction ends. */
export async function loadToChange(db: Db, projectId: number, uuid: string) {
  const [loaded] = await db.dialect.loadChecks([uuid])
  const check = await findCheck(db, projectId, { uuid })
  return { check, loaded: loaded! }
}

/** What a request may change besides settings: the channels, dependencies and policy of a check as they are now. */
async function linksOf(db: Db, check: { id: number; uuid: string }, asked: AskedCheck) {
  return {
    ...(asked.channels !== undefined && { channels: (await channelsOfCheck(db, check.id)).sort() }),
    ...(asked.parents && { depends_on: (await parentsOf(db, check.uuid)).map(({ uuid }) => uuid) }),
    ...(asked.policy !== undefined && { policy: await policyOf(db, check.uuid) }),
  }
}

async function saveSettings(db: Db, checkId: number, changed: Partial<Settings>): Promise<void> {
  const state = settingColumns('state', changed)
  if (Object.keys(state).length > 0)
    await db.sql.updateTable('checks').set(state).where('id', '=', checkId).execute()
  const details = settingColumns('details', changed)
  if (Object.keys(details).length === 0) return
  await db.sql.updateTable('check_details').set(details).where('check_id', '=', checkId).execute()
  if (changed.slug !== undefined) await noteNames(db, [checkId])
}

async function assign(
  db: Db,
  check: { id: number; projectId: number },
  asked: string,
  now: number,
): Promise<{ channels: string[]; alerts: boolean }> {
  const alerts = await setChannels(db, check.id, await resolveChannels(db, check.projectId, asked), now)
  return { channels: asked === '' ? [] : await channelsOfCheck(db, check.id), alerts }
}
