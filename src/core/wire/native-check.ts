/** A check in Punctual's own API. Durations are whole seconds, instants UTC. */
import type { Check } from '../checks/check.js'
import { failing } from '../checks/health/failing.js'
import { isStarted, nextPing, statusAt } from '../checks/status.js'
import { toJson } from './json.js'
import { NATIVE_FIELDS, nativeValue } from './native-fields.js'
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

/** The JSON text of a check. */
export function nativeCheckJson(
  check: Check,
  { channels, parents, incident, policy }: Links,
  view: Omit<WireView, 'version'>,
): string {
  const status = statusAt(check, view.now, view.hold)
  const { lastDurationMs } = check
  return toJson({
    ...(view.access === 'rw' ? writable(check, channels, view) : { unique_key: check.uniqueKey }),
    kind: check.kind,
    ...settingsOf(check),
    depends_on: parents.map(({ uuid, uniqueKey }) => (view.access === 'rw' ? uuid : uniqueKey)),
    policy,
    status,
    failing: failingOf(check),
    incident,
    started: isStarted(check),
    n_pings: check.nPings,
    last_ping: instant(check.lastPing),
    next_ping: instant(nextPing(check, status)),
    last_duration: lastDurationMs === null ? null : Math.floor(lastDurationMs / 1000),
    created_at: isoSeconds(check.createdAt),
    badge_url: `${view.siteRoot}/b/2/${check.badgeKey}.svg`,
  })
}

/** Anyone who knows the UUID can ping the check, so read-only keys do not see it. */
function writable({ uuid }: Check, channels: readonly string[], view: Pick<WireView, 'pingEndpoint'>) {
  return { uuid, ping_url: `${view.pingEndpoint}${uuid}`, channels: [...channels].sort() }
}

function settingsOf(check: Check): Record<string, unknown> {
  const others = check.kind === 'simple' ? OF_SCHEDULED : OF_SIMPLE
  return Object.fromEntries(
    NATIVE_FIELDS.map(({ name, key, type }) => [
      key,
      others.includes(key) ? null : nativeValue(type, check[name]),
    ]),
  )
}

function failingOf(check: Check) {
  const shown = failing(check, check)
  return shown && { ...shown, since: isoSeconds(shown.since) }
}

function instant(ms: number | null): string | null {
  return ms === null ? null : isoSeconds(ms)
}
