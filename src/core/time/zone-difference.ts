import { zoneNamed } from '../schedule/zones/zone.js'
import { runLength } from './duration.js'

/** How the clock of `tz` differs from that of `other` at an instant (ms): `1 h ahead`, `9 h 30 min behind`; null if it does not. */
export function zoneDifference(tz: string, other: string, at: number): string | null {
  const ahead = zoneNamed(tz).at(at).offset - zoneNamed(other).at(at).offset
  if (ahead === 0) return null
  return `${runLength(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}`
}
