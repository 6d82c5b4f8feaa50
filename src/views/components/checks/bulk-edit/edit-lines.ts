import type { PlannedEdit } from '../../../../core/checks/bulk-edit/edit-check.js'
import { periodWords } from '../../../../core/time/duration.js'
import { scheduleWords } from '../schedule-words.js'

/** One value of a check before and after a change, in words. */
export interface EditLine {
  label: string
  before: string
  after: string
}

/** The names of what checks refer to. */
export interface EditNames {
  /** By UUID. */
  channels: ReadonlyMap<string, string>
  /** By ID. */
  policies: ReadonlyMap<number, string>
  /** By ID. */
  projects: ReadonlyMap<number, string>
  /** The project to which checks move. */
  target: string
}

/** What changes for a check. `zone`: the reader's. */
export function editLines(
  { check, channels, policy, projectId, outcome }: PlannedEdit,
  names: EditNames,
  zone: string,
) {
  if ('problem' in outcome) return []
  const { settings, moves } = outcome
  const after = { ...check, ...settings }
  const lines: EditLine[] = []
  const add = (label: string, before: string, now: string) => lines.push({ label, before, after: now })
  const has = (name: keyof typeof settings) => settings[name] !== undefined
  if (has('kind') || has('periodSeconds') || has('schedule')) {
    add('Schedule', scheduleWords(check, zone), scheduleWords(after, zone))
  }
  if (has('graceSeconds')) add('Grace', periodWords(check.graceSeconds), periodWords(after.graceSeconds))
  if (has('tz')) add('Time zone', check.tz, after.tz)
  if (has('tags')) add('Tags', check.tags || 'none', after.tags || 'none')
  const named = (uuids: readonly string[]) =>
    uuids.map(uuid => names.channels.get(uuid) ?? uuid).join(', ') || 'none'
  if (outcome.channels) add('Integrations', named(channels), named(outcome.channels))
  const policyName = (id: number | null) =>
    id === null ? 'the default' : (names.policies.get(id) ?? String(id))
  if (outcome.policy !== undefined) add('Policy', policyName(policy), policyName(outcome.policy))
  if (moves) add('Project', names.projects.get(projectId) ?? '', names.target)
  return lines
}

/** When a check is expected, and how late it may be. */
export function timingWords({ check }: PlannedEdit, zone: string): string {
  return `${scheduleWords(check, zone)}; grace ${periodWords(check.graceSeconds)}`
}
