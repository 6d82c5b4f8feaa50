/** The form that changes many checks: the text in its inputs, and the change that the text means. */
import { scheduleProblem } from '../../schedule/schedule-problem.js'
import { type CheckKind, tagList } from '../check.js'
import type { FieldType } from '../check-field.js'
import { CHECK_FIELDS } from '../check-fields.js'
import { readValue } from '../typed-value.js'
import { type BulkEdit, EDIT_WAYS, type EditWay } from './edit-check.js'

/** What the form can change, in its order. */
export const EDIT_PARTS = ['schedule', 'grace', 'zone', 'tags', 'channels', 'policy', 'project'] as const

export type EditPart = (typeof EDIT_PARTS)[number]

/** The texts in the inputs. */
export interface EditForm {
  /** The chosen parts. */
  parts: EditPart[]
  kind: CheckKind
  period: string
  cron: string
  oncalendar: string
  grace: string
  tz: string
  tagsWay: EditWay
  tags: string
  channelsWay: EditWay
  /** UUIDs. */
  channels: string[]
  /** The ID of a policy, or empty for none. */
  policy: string
  /** The UUID of a project. */
  project: string
}

/** The errors by the names of the inputs; each is a sentence that says what would be right. */
export type EditErrors = Partial<Record<keyof EditForm, string>>

/** The sentences under inputs, as in the form of a check. */
export const EDIT_HELP = {
  grace: CHECK_FIELDS.graceSeconds.form.help,
  tags: CHECK_FIELDS.tags.form.help,
} as const

/** The form that a browser sent. `all` returns the values of the inputs with a name. */
export function sentEdit(all: (input: string) => readonly string[]): EditForm {
  const text = (input: string) => all(input).at(-1) ?? ''
  const way = (input: string) => EDIT_WAYS.find(one => one === text(input)) ?? 'add'
  const kind = text('kind')
  return {
    parts: EDIT_PARTS.filter(part => all('part').includes(part)),
    kind: kind === 'cron' || kind === 'oncalendar' ? kind : 'simple',
    period: text('period'),
    cron: text('cron'),
    oncalendar: text('oncalendar'),
    grace: text('grace'),
    tz: text('tz'),
    tagsWay: way('tagsWay'),
    tags: text('tags'),
    channelsWay: way('channelsWay'),
    channels: [...all('channels')],
    policy: text('policy'),
    project: text('project'),
  }
}

/** The kind of schedule that most of the checks have: the one with which the form begins. */
export function commonKind(kinds: readonly CheckKind[]): CheckKind {
  const counts = new Map<CheckKind, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const [common] = [...counts].sort(([, one], [, other]) => other - one)
  return common?.[0] ?? 'simple'
}

/** The change that the chosen parts ask for, or all errors. `targets`: the IDs of the projects to move to, by UUID. */
export function readEdit(
  form: EditForm,
  targets: ReadonlyMap<string, number>,
): { edit: BulkEdit } | { errors: EditErrors } {
  const errors: EditErrors = {}
  const has = (part: EditPart) => form.parts.includes(part)
  const edit: BulkEdit = { timing: {} }
  const { timing } = edit
  const value = <T>(input: 'period' | 'grace' | 'tz' | 'tags', type: FieldType): T | undefined => {
    const read = readValue(type, form[input])
    if ('problem' in read) errors[input] = read.problem
    return 'problem' in read ? undefined : (read.value as T)
  }
  if (has('schedule')) {
    if (form.kind === 'simple')
      timing.periodSeconds = value<number>('period', CHECK_FIELDS.periodSeconds.type)!
    else timing.schedule = readSchedule(form.kind, form, errors)
  }
  if (has('grace')) timing.graceSeconds = value<number>('grace', CHECK_FIELDS.graceSeconds.type)!
  if (has('zone')) timing.tz = value<string>('tz', CHECK_FIELDS.tz.type)!
  if (has('tags')) {
    const text = value<string>('tags', CHECK_FIELDS.tags.type) ?? ''
    edit.tags = { way: form.tagsWay, tags: tagList(text) }
    if (text === '' && form.tagsWay !== 'only') errors.tags ??= 'Enter at least one tag.'
  }
  if (has('channels')) {
    edit.channels = { way: form.channelsWay, uuids: form.channels }
    if (form.channels.length === 0 && form.channelsWay !== 'only') {
      errors.channels = 'Choose at least one integration.'
    }
  }
  // No policy has the ID 0.
  if (has('policy')) edit.policy = form.policy === '' ? null : Number(/^\d{1,9}$/.exec(form.policy)?.[0] ?? 0)
  if (has('project')) {
    edit.target = targets.get(form.project) ?? 0
    if (edit.target === 0) errors.project = 'Choose a project in which you may change checks.'
    else if (has('channels') || has('policy')) {
      errors.project =
        'A check that moves gets all integrations and the default policy of its new project: change these after the move.'
    }
  }
  return Object.keys(errors).length > 0 ? { errors } : { edit }
}

function readSchedule(kind: 'cron' | 'oncalendar', form: EditForm, errors: EditErrors): string {
  const text = form[kind].trim()
  const problem = scheduleProblem(kind, text)
  if (problem !== null) errors[kind] = problem
  return text
}
