/** Checks in a file: the table of fields, with one field for each kind of schedule. */
import type { Settings } from '../checks/check-fields.js'
import { JUDGED_RULES, rulesProblem } from '../checks/health/rules-problem.js'
import { scheduleProblem } from '../schedule/schedule-problem.js'
import { NATIVE_FIELDS, type NativeField, separatorOf } from '../wire/native-fields.js'
import { type ConfigField, fieldOf, keyOf, keysOf } from './config-field.js'
import type { ConfigProblem, Json, Values } from './project-config.js'

/** The fields of which a check has exactly one. */
export const SCHEDULES = ['period', 'cron', 'oncalendar'] as const

/** The name that a file has for a field of a check. */
export const fileName = ({ key }: NativeField) => (key === 'tz' ? 'timezone' : key)

/** The fields with one name and one value: all but the slug and what makes the schedule. */
export const PLAIN = NATIVE_FIELDS.filter(
  ({ key }) => key !== 'slug' && key !== 'schedule' && key !== 'period',
)

const named = (key: string) => NATIVE_FIELDS.find(field => field.key === key)!

export const CHECK_SECTION: ReadonlyMap<string, ConfigField> = new Map<string, ConfigField>([
  ...PLAIN.map(field => [fileName(field), fieldOf(field.type, field.default)] as const),
  // The key of a check is its slug unless it says otherwise.
  ['slug', { ...fieldOf(named('slug').type, ''), byDefault: key => key }],
  ['period', fieldOf(named('period').type, named('period').default)],
  ['cron', scheduleField('cron')],
  ['oncalendar', scheduleField('oncalendar')],
  ['channels', keysOf('channels', [])],
  ['depends_on', keysOf('checks', [])],
  ['policy', keyOf('policies')],
])

function scheduleField(kind: 'cron' | 'oncalendar'): ConfigField {
  return {
    read: value => {
      const text = typeof value === 'string' ? value.trim() : ''
      const problem = scheduleProblem(kind, text)
      return problem === null ? { value: text } : { problem }
    },
    byDefault: () => null,
    schema: { type: ['string', 'null'] },
  }
}

/** Values in which a schedule replaces those of other kinds. */
export function withOneSchedule(given: Map<string, Json>): Map<string, Json> {
  const chosen = SCHEDULES.find(name => (given.get(name) ?? null) !== null)
  if (chosen === undefined) return given
  for (const name of SCHEDULES) if (name !== chosen) given.set(name, null)
  return given
}

const RULES = PLAIN.filter(({ name }) => (JUDGED_RULES as readonly string[]).includes(name))

/** What is wrong with the values of a check taken together; null if nothing is. */
export function checkProblem(key: string, values: Values): ConfigProblem | null {
  const settings = RULES.map(field => {
    const value = values.get(fileName(field)) ?? null
    const separator = separatorOf(field.type)
    return [field.name, separator === null ? value : (value as readonly string[]).join(separator)]
  })
  const wrong = rulesProblem(Object.fromEntries(settings) as Settings)
  if (wrong === null) return null
  const field = PLAIN.find(({ name }) => name === wrong.field)!
  return { at: ['checks', key, fileName(field)], problem: wrong.problem }
}
