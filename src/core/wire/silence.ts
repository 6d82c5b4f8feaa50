/** A silence in Punctual's own API. */
import type { NamedCheck, ShownSilence } from '../silences/shown-silence.js'
import type { SilenceTimes } from '../silences/silence.js'
import { isoSeconds } from './timestamp.js'

/** A silence as it is shown. A read-only key sees checks by their unique keys, and neither channels nor people. */
export function silenceShape(silence: ShownSilence, access: 'rw' | 'ro') {
  const { id, state, mode, scope, times, reason, namedChecks, namedChannels } = silence
  const checkName = ({ uuid, uniqueKey }: NamedCheck) => (access === 'rw' ? uuid : uniqueKey)
  return {
    id,
    state,
    mode,
    scope: 'checks' in scope ? { checks: namedChecks!.map(checkName) } : scope,
    when: whenShape(times),
    reason,
    changes_at: instant(silence.changesAt),
    over_at: instant(silence.overAt),
    ended_at: instant(silence.endedAt),
    created_at: isoSeconds(silence.createdAt),
    ...(access === 'rw'
      ? { channels: namedChannels?.map(({ uuid }) => uuid) ?? null, created_by: silence.createdBy }
      : {}),
  }
}

/** The times of a silence. */
export function whenShape(times: SilenceTimes) {
  const from = isoSeconds(times.from)
  if (times.kind === 'once') return { from, to: isoSeconds(times.to) }
  const { kind, schedule, durationSeconds: duration, tz: timezone } = times
  return { [kind]: schedule, duration, timezone, from }
}

function instant(ms: number | null): string | null {
  return ms === null ? null : isoSeconds(ms)
}
