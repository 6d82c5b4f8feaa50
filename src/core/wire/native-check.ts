/** A check in Punctual's own API. Durations are whole seconds, instants UTC. */
import type { Check } from '../checks/check.js'
import type { FieldType } from '../checks/check-field.js'
import { type HiddenField, RULE_FIELDS, type RuleField, type Settings } from '../checks/check-fields.js'
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

/** The settings that most checks leave as they are. */
export type Rules = Pick<Check, RuleField>

/** The parts of a check that its JSON is made from; `rules` may be one object for all checks with the same ones. */
export type NativeCheck = Omit<Check, 'statusSince' | 'lastStartRid' | HiddenField> & { rules?: Rules }

const isRule = ({ name }: NativeField) => RULE_FIELDS.some(field => field.name === name)
const writeNamesAndTiming = jsonMaker<NativeCheck, View>(
  NATIVE_FIELDS.filter(field => !isRule(field)).map(settingKey),
)
const writeRules = jsonMaker<Rules, null>(NATIVE_FIELDS.filter(isRule).map(plainKey))
const rulesWritten = new WeakMap<Rules, string>()

/** The JSON text of a check. Lists are long, so it is not made from an object. */
export function nativeCheckJson(
  check: NativeCheck,
  { channels, parents, incident, policy }: Links,
  view: View,
): string {
  const status = statusAt(check, view.now, view.hold)
  const { lastDurationMs } = check
  const ids = parents.map(({ uuid, uniqueKey }) => (view.access === 'rw' ? uuid : uniqueKey))
  const count = check.tracking === null ? null : failingOf(check)
  return (
    `{${view.access === 'rw' ? writable(check, channels, view) : `"unique_key": "${check.uniqueKey}"`}, ` +
    `"kind": "${check.kind}", ${writeNamesAndTiming(check, view)}, ${rulesOf(check)}, ` +
    `"depends_on": ${listOf(ids)}, "policy": ${policy}, "status": "${status}", ` +
    `"failing": ${count === null ? 'null' : toJson(count)}, "incident": ${incident}, ` +
    `"started": ${isStarted(check)}, "n_pings": ${check.nPings}, "last_ping": ${instant(check.lastPing)}, ` +
    `"next_ping": ${instant(nextPing(check, status))}, ` +
    `"last_duration": ${lastDurationMs === null ? null : Math.floor(lastDurationMs / 1000)}, ` +
    `"created_at": "${isoSeconds(check.createdAt)}", "badge_url": "${view.siteRoot}/b/2/${check.badgeKey}.svg"}`
  )
}

/** Anyone who knows the UUID can ping the check, so read-only keys do not see it. */
function writable({ uuid }: NativeCheck, channels: readonly string[], view: View): string {
  const sorted = channels.length > 1 ? [...channels].sort() : channels
  const list = sorted.length === 0 ? '' : `"${sorted.join('", "')}"`
  return `"uuid": "${uuid}", "ping_url": "${view.pingEndpoint}${uuid}", "channels": [${list}]`
}

function rulesOf(check: NativeCheck): string {
  const { rules } = check
  if (!rules) return writeRules(check, null)
  let written = rulesWritten.get(rules)
  if (written === undefined) {
    written = writeRules(rules, null)
    rulesWritten.set(rules, written)
  }
  return written
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
