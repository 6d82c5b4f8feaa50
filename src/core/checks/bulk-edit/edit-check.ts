/** A change that many checks get together, and what it makes of each of them. Decision 0116. */
import { type Check, type Rules, tagList } from '../check.js'
import { applyChanges, type CheckChanges } from '../check-changes.js'
import { CHECK_FIELDS, FIELD_LIST, type FieldName, type Settings } from '../check-fields.js'

/** What is added, taken away, or to be the whole. */
export const EDIT_WAYS = ['add', 'remove', 'only'] as const

export type EditWay = (typeof EDIT_WAYS)[number]

/** What is to be changed; what is absent stays. */
export interface BulkEdit {
  /** The schedule, the grace time and the time zone. */
  timing: CheckChanges
  tags?: { way: EditWay; tags: string[] }
  /** By UUID, of any projects: each check gets those of its own. */
  channels?: { way: EditWay; uuids: string[] }
  /** The ID of a policy; null: the default of the project, or none. */
  policy?: number | null
  /** The ID of the project to which they move. */
  target?: number
}

/** Those parts of a check that can be changed together. */
export interface Values {
  settings: Partial<Settings>
  /** UUIDs, sorted. */
  channels?: string[]
  policy?: number | null
}

/** A check with what can be changed. */
export interface Editable {
  check: Check
  projectId: number
  /** UUIDs, sorted. */
  channels: string[]
  /** The ID of the policy that it names. */
  policy: number | null
}

/** What there is in the projects of the checks. */
export interface Surroundings {
  /** The ID of the project of each channel, by UUID. */
  channels: ReadonlyMap<string, number>
  /** The ID of the project of each policy, by ID. */
  policies: ReadonlyMap<number, number>
}

/** What a change makes of a check: the values that differ, and whether it moves; or why that cannot be. */
export type EditOutcome = (Values & { moves: boolean }) | { problem: string }

/** A check with the outcome of an edit. */
export interface PlannedEdit extends Editable {
  outcome: EditOutcome
  /** Changes when the outcome, or what could be changed, does. */
  seen: string
}

/** The outcome of `edit` for a check. */
export function editCheck(one: Editable, edit: BulkEdit, { channels, policies }: Surroundings): EditOutcome {
  const { check, projectId } = one
  const settings = applyChanges(check, edit.timing)
  if (edit.timing.tz !== undefined && settings.kind === 'simple') {
    return { problem: 'A period has no time zone.' }
  }
  if (edit.tags) settings.tags = changed(tagList(check.tags), edit.tags.way, edit.tags.tags).join(' ')
  const { maxLength } = CHECK_FIELDS.tags.type
  if ([...settings.tags].length > maxLength) {
    return { problem: `Its tags would be longer than ${maxLength} characters.` }
  }
  const { policy = one.policy } = edit
  if (policy !== one.policy && policy !== null && policies.get(policy) !== projectId) {
    return { problem: 'Its project has no such policy.' }
  }
  const own = edit.channels?.uuids.filter(uuid => channels.get(uuid) === projectId) ?? []
  const linked = edit.channels ? changed(one.channels, edit.channels.way, own).sort() : one.channels
  return {
    settings: Object.fromEntries(
      Object.entries(settings).filter(([name, value]) => value !== check[name as FieldName]),
    ),
    ...(linked.join() !== one.channels.join() && { channels: linked }),
    ...(policy !== one.policy && { policy }),
    moves: edit.target !== undefined && edit.target !== projectId,
  }
}

/** Whether an outcome differs from the check as it is. */
export function changesCheck(outcome: EditOutcome): outcome is Exclude<EditOutcome, { problem: string }> {
  return !('problem' in outcome) && (outcome.moves || changesValues(outcome))
}

/** The same, moving aside. */
export function changesValues({ settings, channels, policy }: Values): boolean {
  return Object.keys(settings).length > 0 || channels !== undefined || policy !== undefined
}

/** The values that a check has now where `values` has some. */
export function valuesNow(one: Editable, values: Values): Values {
  const names = Object.keys(values.settings) as FieldName[]
  return {
    settings: Object.fromEntries(names.map(name => [name, one.check[name]])),
    ...(values.channels && { channels: one.channels }),
    ...(values.policy !== undefined && { policy: one.policy }),
  }
}

const RULES = FIELD_LIST.filter(({ row }) => row === 'state').map(({ name }) => name as keyof Rules)

/** The rules of a check with new settings; null if the settings have none of them. */
export function rulesAfter(check: Rules, settings: Partial<Settings>): Rules | null {
  if (!RULES.some(name => settings[name] !== undefined)) return null
  return Object.fromEntries(RULES.map(name => [name, settings[name] ?? check[name]])) as unknown as Rules
}

function changed(now: readonly string[], way: EditWay, named: readonly string[]): string[] {
  if (way === 'only') return [...new Set(named)]
  if (way === 'remove') {
    const removed = new Set(named)
    return now.filter(one => !removed.has(one))
  }
  return [...new Set([...now, ...named])]
}
