import { Refusal } from '../../core/errors.js'
import { MOST_SILENCES, MOST_WINDOWS_A_DAY } from '../../core/silences/limits.js'
import type { Silence, SilenceSettings } from '../../core/silences/silence.js'
import { windowsADay } from '../../core/silences/windows.js'
import type { Db } from '../db.js'
import { silencesSince } from './silence-holds.js'

/**
 * Throws `Refusal('limit')` if a project would have too many silences that are not over, or these too many windows a day. `replaced`: the one
 * that is changed; null: one is created. What is there already may stay, so nobody has to mend another silence to change this one's reason.
 */
export async function refuseTooMany(
  db: Db,
  projectId: number,
  { added, replaced }: { added: SilenceSettings; replaced: Silence | null },
  now: number,
): Promise<void> {
  const silences = await silencesSince(db, [projectId], now)
  if (replaced === null && silences.length >= MOST_SILENCES) {
    throw new Refusal('limit', `a project can have ${MOST_SILENCES} silences that are not over`)
  }
  const own = windowsADay(added.times)
  if (own <= (replaced ? windowsADay(replaced.times) : 0)) return
  const others = silences.filter(({ id }) => id !== replaced?.id)
  const windows = others.reduce((sum, { times }) => sum + windowsADay(times), own)
  if (windows <= MOST_WINDOWS_A_DAY) return
  const left = MOST_WINDOWS_A_DAY - (windows - own)
  throw new Refusal(
    'limit',
    `the silences of a project can have ${MOST_WINDOWS_A_DAY} windows a day; this one has ${own}, and ${Math.max(0, left)} are left`,
  )
}
