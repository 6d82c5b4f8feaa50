import { Refusal } from '../../core/errors.js'
import { tomorrowMorning } from '../../core/time/calendar.js'
import type { StoreWith } from '../../storage/store.js'

interface Asked {
  projectId: number
  uuids: readonly string[]
  /** When it ends (ms). */
  until: number
  /** Who creates it. */
  by: string
  now: number
}

/** Creates one silence of these checks that begins now. Throws as the store's `silences.create`. */
export async function snoozeChecks(
  store: StoreWith<'silences.create'>,
  { projectId, uuids, until, by, now }: Asked,
): Promise<void> {
  await store.silences.create(projectId, {
    mode: 'hold',
    scope: { checks: uuids },
    channels: null,
    times: { kind: 'once', from: now, to: until },
    reason: '',
    createdBy: by,
    now,
  })
}

/**
 * The end (ms) of a snooze that begins now, from the value of its button: seconds, or `tomorrow` for 9:00 by the clock
 * of `tz`. Throws `Refusal('invalid')` for another text.
 */
export function snoozeEnd(length: string, tz: string, now: number): number {
  if (length === 'tomorrow') return tomorrowMorning(now, tz)
  if (!/^\d{1,7}$/.test(length)) throw new Refusal('invalid', 'say for how long')
  return now + Number(length) * 1000
}
