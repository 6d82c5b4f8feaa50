/** A check in Punctual's own API. Durations are whole seconds, instants UTC. */
import type { Check } from '../checks/check.js'
import type { FieldType } from '../checks/check-field.js'
import type { HiddenField, Settings } from '../checks/check-fields.js'
import { failing } from '../checks/health/failing.js'
import { isStarted, nextPing, statusAt } from '../checks/status.js'
import { remembering } from '../text/remembering.js'
import { quoted, toJson } from './json.js'
import { type JsonKey, jsonMaker } from './json-maker.js'
import { NATIVE_FIELDS, type NativeField, nativeValue, separatorOf } from './native-fields.js'
import { isoSeconds } from './timestamp.js'
import type { WireView } from './version.js'

/** The settings that only one kind of check has; other kinds show null. */
const OF_SIMPLE = ['period']
const OF_SCHEDULED = ['schedule', 'tz']

/** What a check is linked to: the UUIDs of its channels, in any order, the checks on which it depends, its open incident, and the policy that it names. */
export interface Links {
  channels: readonly string[]
  parents: readonly Pick<Check, 'uuid' | 'uniqueKey'>[]
  incident: number | null
  policy: number | null
}

type View = Omit<WireView, 'version'>

/** The parts of a check that its JSON is made from. */
export type NativeCheck = Omit<Check, 'statusSince' | 'lastStartRid' | HiddenField>

/**
 * The JSON of a check that changes only with its settings: what comes before its channels, between these and the checks on which it
 * depends, and after its state.
 */
export type SettingsText = readonly [beginning: string, middle: string, end: string]

const writeSettings = jsonMaker<NativeCheck, View>(NATIVE_FIELDS.map(settingKey))

/** The JSON text of a check. Lists are long, so it is not made from an object, and they keep `text` for the next time. */
export function nativeCheckJson(
  check: NativeCheck,
  { channels, parents, incident, policy }: Links,
  view: View,
  [beginning, middle, end]: SettingsText = settingsText(check, view),
): string {
  const status = statusAt(check, view.now, view.hold)
  const { lastDurationMs } = check
  const ids = parents.map(({ uuid, uniqueKey }) => (view.access === 'rw' ? uuid : uniqueKey))
  const count = check.tracking === null ? null : failingOf(check)
  return (
    `${beginning}${view.access === 'rw' ? joined(channels) : ''}${middle}${listOf(ids)}, "policy": ${policy}, ` +
    `"status": "${status}", "failing": ${count === null ? 'null' : toJson(count)}, "incident": ${incident}, ` +
    `"started": ${isStarted(check)}, "n_pings": ${check.nPings}, "last_ping": ${instant(check.lastPing)}, ` +
    `"next_ping": ${instant(nextPing(check, status))}, ` +
    `"last_duration": ${lastDurationMs === null ? null : Math.floor(lastDurationMs / 1000)}${end}`
  )
}

/** Anyone who knows the UUID can ping the check, so read-only keys do not see it. */
export function settingsText(check: NativeCheck, view: View): SettingsText {
  const { uuid, uniqueKey, kind, createdAt, badgeKey } = check
  const [beginning, afterChannels] =
    view.access === 'rw'
      ? [`{"uuid": "${uuid}", "ping_url": "${view.pingEndpoint}${uuid}", "channels": [`, ']']
      : [`{"unique_key": "${uniqueKey}"`, '']
  return [
    beginning,
    `${afterChannels}, "kind": "${kind}", ${writeSettings(check, view)}, "depends_on": `,
    `, "created_at": "${isoSeconds(createdAt)}", "badge_url": "${view.siteRoot}/b/2/${badgeKey}.svg"}`,
  ]
}

/** The UUIDs of channels in an array. */
function joined(channels: readonly string[]): string {
  if (channels.length === 0) return ''
  return `"${(channels.length > 1 ? [...channels].sort() : channels).join('", "')}"`
}

function settingKey(field: NativeField): JsonKey<NativeCheck, View> {
  const { key } = field
  const write = settingWriter(field)
  if (OF_SIMPLE.includes(key))
    return { key, write: check => (check.kind === 'simple' ? write(check) : 'null') }
  if (OF_SCHEDULED.includes(key))
    return { key, write: check => (check.kind === 'simple' ? 'null' : write(check)) }
  return plainKey(field)
}

/** The key of a setting that every kind of check has. */
function plainKey(field: NativeField): JsonKey<object, unknown> {
  const { name, key, type } = field
  return separatorOf(type) === null
    ? { key, from: name, isText: isText(type) }
    : { key, write: settingWriter(field) }
}

function settingWriter({ name, type }: NativeField): (settings: object) => string {
  const valueIn = (settings: object) => (settings as Settings)[name]
  if (separatorOf(type) !== null) {
    const write = remembering(text => listOf(nativeValue(type, text) as string[]))
    return settings => write(valueIn(settings) as string)
  }
  return isText(type) ? settings => quoted(String(valueIn(settings))) : settings => String(valueIn(settings))
}

function isText({ is }: FieldType): boolean {
  return is === 'text' || is === 'choice'
}

function listOf(words: readonly string[]): string {
  return words.length === 0 ? '[]' : `[${words.map(quoted).join(', ')}]`
}

function failingOf(check: NativeCheck) {
  const shown = failing(check, check)
  return shown && { ...shown, since: isoSeconds(shown.since) }
}

function instant(ms: number | null): string {
  return ms === null ? 'null' : `"${isoSeconds(ms)}"`
}
