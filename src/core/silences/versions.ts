/** What a silence held before it was changed: the time up to a change counts by what it was then. Pure; instants in ms. */
import { each, instant, kept } from '../time/set-back.js'
import type { Silence, SilenceSettings, Timed } from './silence.js'

/** What a silence held for some time: `appliesFrom` (null: from its beginning) to `endedAt`. */
export interface Version extends Timed, Pick<Silence, 'mode' | 'scope' | 'channels'> {
  appliesFrom: number | null
}

/** A version that was changed: `endedAt` is when. */
export type Earlier = Version & { endedAt: number }

export const earlierSetBack = each<Earlier>({
  mode: kept,
  scope: kept,
  channels: kept,
  times: kept,
  appliesFrom: instant,
  endedAt: instant,
})

/** How many earlier versions are kept. If there are more, the time of the oldest counts by the next one: a silence that is prolonged each hour lasted all the time. */
export const MOST_EARLIER = 10

/** Whether a change of a silence changes what it holds, or when, or for whom. */
export function changesHolds(before: SilenceSettings, after: SilenceSettings): boolean {
  const held = ({ mode, scope, channels, times }: SilenceSettings) =>
    JSON.stringify([mode, scope, channels, times])
  return held(before) !== held(after)
}

/** The earlier versions of a silence that is changed at `now`: those before, `earlier`, and what it was until then. */
export function earlierAfter(
  { mode, scope, channels, times, appliesFrom }: Version,
  earlier: readonly Earlier[],
  now: number,
): Earlier[] {
  const all = [...earlier, { mode, scope, channels, times, appliesFrom, endedAt: now }]
  if (all.length <= MOST_EARLIER) return all
  const [oldest, next, ...others] = all
  return [{ ...next!, appliesFrom: oldest!.appliesFrom }, ...others]
}
