/** The changes of an event as people read them: with the labels of forms, and values in words. */
import { DEFAULT_SETTINGS } from '../checks/check-fields.js'
import type { PolicyRules } from '../incidents/policy.js'
import { policySentence, repeatWords } from '../incidents/policy-words.js'
import { ROLE_NAMES } from '../people/role.js'
import { describe, parseSchedule } from '../schedule/index.js'
import type { SilenceMode } from '../silences/silence.js'
import { scopeWords } from '../silences/silence-words.js'
import { capitalize } from '../text/capitalize.js'
import { periodWords } from '../time/duration.js'
import { exactWords } from '../time/instant.js'
import { NATIVE_FIELDS, type NativeField } from '../wire/native-fields.js'
import type { FieldValues, RecordedEvent } from './event.js'
import { objectKindOf } from './event-types.js'

/** What the names in events stand for. */
export interface EventNames {
  /** By UUID. */
  checks: ReadonlyMap<string, string>
  /** By UUID. */
  channels: ReadonlyMap<string, string>
  /** By ID. */
  policies: ReadonlyMap<number, string>
  /** The unique key of the check with this UUID, which the label of one without a name has. */
  checkKey(uuid: string): string
  /** The label of a setting of a channel; null if the channel is gone. */
  settingLabel(channel: string, setting: string): string | null
  /** The reader's time zone. */
  zone: string
}

/** A changed field: its label, and its value before and after; null: there was or is none. */
export interface ShownChange {
  field: string
  before: string | null
  after: string | null
}

/** The fields that an event changed. */
export function shownChanges(
  event: Pick<RecordedEvent, 'type' | 'object' | 'before' | 'after'>,
  names: EventNames,
): ShownChange[] {
  const isCheck = objectKindOf(event.type) === 'check'
  const [before, after] = isCheck
    ? [withoutPlaceholder(event.before, event.after), withoutPlaceholder(event.after, event.before)]
    : [event.before, event.after]
  const all = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  // Of something new, or gone, only what it has says anything.
  const isChange = event.before !== null && event.after !== null
  const fields = all.filter(key => isChange || !isNothing((before ?? after)?.[key]))
  return fields.map(key => {
    const field = isCheck ? CHECK_KEYS.get(key) : undefined
    const words = (values: FieldValues | null) =>
      values && key in values
        ? clipped(field ? settingWords(field, values[key]) : valueWords(key, values, names))
        : null
    return {
      field: field
        ? labelOf(field)
        : labelOfKey(isCheck && key === 'kind' ? 'kind of schedule' : key, event.object.id, names),
      before: words(before),
      after: words(after),
    }
  })
}

const CHECK_KEYS: ReadonlyMap<string, NativeField> = new Map(NATIVE_FIELDS.map(field => [field.key, field]))

/**
 * The values without the schedule that a check with a period stores, which it does not use. A check gets it, or loses it, when
 * the kind of its schedule changes; the period is then in the event too, unless it is the default.
 */
function withoutPlaceholder(values: FieldValues | null, others: FieldValues | null): FieldValues | null {
  if (values?.schedule !== DEFAULT_SETTINGS.schedule || !others?.schedule) return values
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== 'schedule'))
}

function labelOf({ name, label, form }: NativeField): string {
  if (form?.group) return `${form.group} ${form.label}`
  return label ?? form?.label ?? name
}

/** The labels of what is not a field of a check. The key itself where it reads well. */
const LABELS: Readonly<Record<string, string>> = {
  channels: 'Integrations',
  kind: 'Kind',
  scope: 'Checks',
  mode: 'Effect',
  after: 'After',
  default: 'Default of the project',
  steps: 'Steps',
  until: 'Until',
  wrap_flips: 'List of flips in version 3 is an object',
  protocols: 'Protocols of other monitors',
  expires_at: 'Valid until',
  url: 'Address',
  closed_by: 'Ended by',
}

function labelOfKey(key: string, object: string, names: EventNames): string {
  const setting = /^settings\.(.+)$/.exec(key)?.[1]
  if (setting !== undefined)
    return names.settingLabel(object, setting) ?? capitalize(setting.replaceAll('_', ' '))
  return LABELS[key] ?? capitalize(key.replaceAll('_', ' '))
}

/** A setting of a check. */
function settingWords({ type, form }: NativeField, value: unknown): string {
  if (isNothing(value)) return 'none'
  if (type.is === 'seconds') return periodWords(Number(value))
  if (type.is === 'flag') return value ? 'yes' : 'no'
  const label = (word: unknown) => form?.options?.[String(word)]?.label ?? String(word)
  if (type.is === 'text' && type.format === 'schedule') return scheduleText(String(value))
  return Array.isArray(value) ? value.map(label).join(', ') : label(value)
}

/** Any other value. */
function valueWords(key: string, values: FieldValues, names: EventNames): string {
  const value = values[key]
  if (key === 'policy')
    return value === null ? 'default' : (names.policies.get(Number(value)) ?? 'a deleted policy')
  if (key === 'channels' && Array.isArray(value))
    return listed(value, names.channels, 'a deleted integration')
  if (key === 'channels' && value === null) return 'all'
  if (isNothing(value)) return 'none'
  if (key.startsWith('settings.') && (value === 'true' || value === 'false'))
    return value === 'true' ? 'yes' : 'no'
  if (key === 'mode') return MODE_WORDS[value as SilenceMode] ?? String(value)
  if (key === 'kind') return KIND_WORDS[String(value)] ?? String(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (key === 'depends_on' || key === 'check') {
    return listed(Array.isArray(value) ? value : [value], names.checks, 'a deleted check')
  }
  if (key === 'role') return ROLE_NAMES[value as keyof typeof ROLE_NAMES] ?? String(value)
  if (key === 'steps')
    return policySentence({ steps: value as PolicyRules['steps'], repeat: null }, ofPolicy(names))
  if (key === 'repeat') return repeatWords(value as NonNullable<PolicyRules['repeat']>)
  if (key === 'scope') return silenceScope(value as SilenceScope, names)
  if (key === 'when') return whenWords(value as Record<string, string | number>, names.zone)
  if (Array.isArray(value)) return value.map(String).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return timeWords(String(value), names.zone)
}

type SilenceScope = { tags: string[] } | { project: true } | { checks: string[] }

function silenceScope(scope: SilenceScope, names: EventNames): string {
  if ('checks' in scope) return listed(scope.checks, names.checks, 'a deleted check')
  return scopeWords({ scope, namedChecks: null })
}

/** What a silence does, and the kinds of schedules and keys, in the words of their forms. */
const MODE_WORDS: Readonly<Record<SilenceMode, string>> = {
  hold: 'Hold alerts',
  expect_nothing: 'Hold alerts, and expect no runs',
}
const KIND_WORDS: Readonly<Record<string, string>> = {
  simple: 'Period',
  cron: 'Cron',
  oncalendar: 'OnCalendar',
  rw: 'Read and write',
  ro: 'Read only',
}

/** The times of a silence, as its JSON has them. */
function whenWords(
  { from, to, duration, cron, oncalendar, timezone }: Record<string, string | number>,
  zone: string,
) {
  if (to !== undefined) return `${timeWords(String(from), zone)} to ${timeWords(String(to), zone)}`
  const schedule = scheduleText(String(cron ?? oncalendar))
  return `${schedule}, ${timezone}, for ${periodWords(Number(duration))}`
}

function scheduleText(text: string): string {
  try {
    return describe(parseSchedule(text))
  } catch {
    return text
  }
}

function timeWords(text: string, zone: string): string {
  return /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) ? exactWords(Date.parse(text), zone) : text
}

function ofPolicy({ channels }: EventNames) {
  return { channels, check: ['the check’s own integrations'] }
}

function listed(ids: readonly unknown[], names: ReadonlyMap<string, string>, gone: string): string {
  return ids.map(id => names.get(String(id)) ?? gone).join(', ') || 'none'
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

const LONGEST = 200

function clipped(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
