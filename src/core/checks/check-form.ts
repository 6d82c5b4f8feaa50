/** The form of a check: the text in its inputs, and the values that the text means. */
import { canonicalZone } from '../schedule/index.js'
import { scheduleProblem } from '../schedule/schedule-problem.js'
import { isStorable, UNSTORABLE_PROBLEM } from '../text/storable.js'
import type { CheckKind } from './check.js'
import type { CheckChanges } from './check-changes.js'
import type { CheckField, FieldForm } from './check-field.js'
import {
  CHECK_FIELDS,
  DEFAULT_SETTINGS,
  FIELD_LIST,
  type FieldName,
  type FieldsLike,
  type Settings,
} from './check-fields.js'
import { rulesProblem } from './health/rules-problem.js'
import { readValue, sentValue, type Typed, typedValue } from './typed-value.js'

/** The fields that the form shows without code of their own. */
export type PlainField = FieldsLike<{ form: object }>

/** The schedule, which has its own widget. */
interface ScheduleForm {
  kind: CheckKind
  period: string
  /** A cron expression. */
  cron: string
  /** OnCalendar lines. */
  oncalendar: string
  tz: string
}

/** The texts in the inputs. */
export type CheckForm = ScheduleForm & {
  [N in PlainField]: Typed<(typeof CHECK_FIELDS)[N]['type']>
}

/** The errors by field; each is a sentence that says what would be right. */
export type FormErrors = Partial<Record<keyof CheckForm, string>>

/** A field that the form shows without code of its own, with its name. */
export type ShownField = CheckField & { name: PlainField; form: FieldForm; input: string }

const PLAIN = FIELD_LIST.flatMap(field => {
  const { name, form, column } = field
  return form ? [{ ...field, name: name as PlainField, form, input: form.name ?? column }] : []
})

/** The plain fields of a part of the form, in their order. */
export function fieldsOf(part: FieldForm['part']): ShownField[] {
  return PLAIN.filter(({ form }) => form.part === part)
}

/** The form of an existing check. */
export function formOf(check: Readonly<Settings>): CheckForm {
  return {
    kind: check.kind,
    period: String(typedValue(CHECK_FIELDS.periodSeconds.type, check.periodSeconds)),
    cron: check.kind === 'cron' ? check.schedule : '',
    oncalendar: check.kind === 'oncalendar' ? check.schedule : '',
    tz: check.kind === 'simple' ? '' : check.tz,
    ...plainForm(({ name, type }) => typedValue(type, check[name])),
  }
}

const DEFAULT_FORM: Readonly<CheckForm> = formOf(DEFAULT_SETTINGS)

/** The form of a new check. */
export const NEW_FORM: Readonly<CheckForm> = {
  ...DEFAULT_FORM,
  ...plainForm(({ name, type, form }) => {
    return form.proposed === undefined ? DEFAULT_FORM[name] : typedValue(type, form.proposed)
  }),
}

/** Whether a field in this part of the form has a value that is neither the default nor proposed. */
export function usesPart(part: FieldForm['part'], form: CheckForm): boolean {
  const shown = fieldsOf(part).filter(field => isApplicable(field, form))
  return shown.some(({ name }) => form[name] !== DEFAULT_FORM[name] && form[name] !== NEW_FORM[name])
}

/** The form that a browser sent. `all` returns the values of the inputs with a name. */
export function sentForm(all: (input: string) => readonly string[]): CheckForm {
  const text = (input: string) => all(input).at(-1) ?? ''
  const plainText = ({ type, input, form }: ShownField) =>
    type.is === 'text' && form.options ? all(input).join(',') : text(input)
  const kind = text('kind')
  return {
    kind: kind === 'cron' || kind === 'oncalendar' ? kind : 'simple',
    period: text('period'),
    cron: text('cron'),
    oncalendar: text('oncalendar'),
    tz: text('tz'),
    ...plainForm(field => sentValue(field.type, plainText(field))),
  }
}

/** The changes that the form asks for, or all its errors. */
export function readCheckForm(form: CheckForm): { changes: CheckChanges } | { errors: FormErrors } {
  const errors: FormErrors = {}
  for (const [field, value] of Object.entries(form)) {
    if (!isStorable(value)) errors[field as keyof CheckForm] = UNSTORABLE_PROBLEM
  }
  const changes = {
    ...readTiming(form, errors),
    ...readPlain('names', form, errors),
    ...readPlain('rules', form, errors),
    ...readPlain('dependencies', form, errors),
  }
  return Object.keys(errors).length > 0 ? { errors } : { changes }
}

/** The schedule and the rules of runs in the form. Adds their errors to `errors`. */
export function readTiming(form: CheckForm, errors: FormErrors): CheckChanges {
  const limits = { ...readPlain('timing', form, errors), ...readPlain('runs', form, errors) }
  const wrong = Object.keys(errors).length > 0 ? null : rulesProblem(limits)
  if (wrong !== null) errors[wrong.field] = wrong.problem
  if (form.kind !== 'simple') {
    return { ...limits, schedule: readSchedule(form, errors), tz: readZone(form, errors) }
  }
  return { ...limits, ...read('period', CHECK_FIELDS.periodSeconds, 'periodSeconds', form.period, errors) }
}

/** The errors by the names of the inputs instead of those of the fields. */
export function errorsByInput(errors: FormErrors): Record<string, string> {
  const inputs = new Map<string, string>(PLAIN.map(({ name, input }) => [name, input]))
  return Object.fromEntries(Object.entries(errors).map(([name, error]) => [inputs.get(name) ?? name, error]))
}

function plainForm(typedIn: (field: ShownField) => string | boolean): Pick<CheckForm, PlainField> {
  return Object.fromEntries(PLAIN.map(field => [field.name, typedIn(field)])) as Pick<CheckForm, PlainField>
}

function readPlain(part: FieldForm['part'], form: CheckForm, errors: FormErrors): CheckChanges {
  const values = fieldsOf(part)
    .filter(field => isApplicable(field, form))
    .map(field => {
      const typed = form[field.name]
      const isLeft = field.form.emptyIsDefault === true && String(typed).trim() === ''
      return isLeft ? { [field.name]: field.default } : read(field.name, field, field.name, typed, errors)
    })
  return Object.assign({}, ...values)
}

/** Whether the field applies to a check with the form's kind of schedule. */
function isApplicable(field: ShownField, form: CheckForm): boolean {
  return field.form.onlyScheduled !== true || form.kind !== 'simple'
}

/** Reads the setting `name` from the text in the field `shown`; returns nothing if it is invalid. */
function read(
  shown: keyof CheckForm,
  { type }: Pick<CheckField, 'type'>,
  name: FieldName,
  typed: string | boolean,
  errors: FormErrors,
): CheckChanges {
  const result = readValue(type, typed)
  if ('value' in result) return { [name]: result.value }
  errors[shown] = result.problem
  return {}
}

function readSchedule(form: CheckForm, errors: FormErrors): string {
  const field = form.kind === 'cron' ? 'cron' : 'oncalendar'
  const text = form[field].trim()
  const problem = scheduleProblem(field, text)
  if (problem !== null) errors[field] = problem
  return text
}

function readZone(form: CheckForm, errors: FormErrors): string {
  const zone = canonicalZone(form.tz.trim() || 'UTC')
  if (zone === null) errors.tz = 'Not a known time zone; choose one such as Europe/Riga or UTC.'
  return zone ?? 'UTC'
}
