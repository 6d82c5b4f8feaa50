/** A check in Punctual's own API. Durations are whole seconds, instants UTC. */
import type { Check } from '../checks/check.js'
import { failing } from '../checks/health/failing.js'
import { isStarted, nextPing, statusAt } from '../checks/status.js'
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

const writeSettings = jsonMaker<Check, View>(NATIVE_FIELDS.map(settingKey))

/** The JSON text of a check. Lists are long, so it is not made from an object. */
export function nativeCheckJson(
  check: Check,
  { channels, parents, incident, policy }: Links,
  view: View,
): string {
  const status = statusAt(check, view.now, view.hold)
  const { lastDurationMs } = check
  const ids = parents.map(({ uuid, uniqueKey }) => (view.access === 'rw' ? uuid : uniqueKey))
  const count = check.tracking === null ? null : failingOf(check)
  return (
    `{${view.access === 'rw' ? writable(check, channels, view) : `"unique_key": "${check.uniqueKey}"`}, ` +
    `"kind": "${check.kind}", ${writeSettings(check, view)}, ` +
    `"depends_on": ${listOf(ids)}, "policy": ${policy}, "status": "${status}", ` +
    `"failing": ${count === null ? 'null' : toJson(count)}, "incident": ${incident}, ` +
    `"started": ${isStarted(check)}, "n_pings": ${check.nPings}, "last_ping": ${instant(check.lastPing)}, ` +
    `"next_ping": ${instant(nextPing(check, status))}, ` +
    `"last_duration": ${lastDurationMs === null ? null : Math.floor(lastDurationMs / 1000)}, ` +
    `"created_at": "${isoSeconds(check.createdAt)}", "badge_url": "${view.siteRoot}/b/2/${check.badgeKey}.svg"}`
  )
}

/** Anyone who knows the UUID can ping the check, so read-only keys do not see it. */
function writable({ uuid }: Check, channels: readonly string[], view: View): string {
  const sorted = channels.length > 1 ? [...channels].sort() : channels
  const list = sorted.length === 0 ? '' : `"${sorted.join('", "')}"`
  return `"uuid": "${uuid}", "ping_url": "${view.pingEndpoint}${uuid}", "channels": [${list}]`
}

function settingKey({ name, key, type }: NativeField): JsonKey<Check, View> {
  const isText = type.is === 'text' || type.is === 'choice'
  const write = settingWriter({ name, type }, isText)
  if (OF_SIMPLE.includes(key))
    return { key, write: check => (check.kind === 'simple' ? write(check) : 'null') }
  if (OF_SCHEDULED.includes(key))
    return { key, write: check => (check.kind === 'simple' ? 'null' : write(check)) }
  return separatorOf(type) === null ? { key, from: name, isText } : { key, write }
}

function settingWriter({ name, type }: Pick<NativeField, 'name' | 'type'>, isText: boolean) {
  if (separatorOf(type) !== null) {
    const write = remembering(text => listOf(nativeValue(type, text) as string[]))
    return (check: Check): string => write(check[name] as string)
  }
  return (check: Check): string => (isText ? quoted(String(check[name])) : String(check[name]))
}

/** The number of texts whose lists are kept: many checks have the same tags. */
const REMEMBERED = 500

function remembering(make: (text: string) => string): (text: string) => string {
  const made = new Map<string, string>()
  return text => {
    const known = made.get(text)
    if (known !== undefined) return known
    if (made.size >= REMEMBERED) made.clear()
    const fresh = make(text)
    made.set(text, fresh)
    return fresh
  }
}

function listOf(words: readonly string[]): string {
  return words.length === 0 ? '[]' : `[${words.map(quoted).join(', ')}]`
}

function failingOf(check: Check) {
  const shown = failing(check, check)
  return shown && { ...shown, since: isoSeconds(shown.since) }
}

function instant(ms: number | null): string {
  return ms === null ? 'null' : `"${isoSeconds(ms)}"`
}
