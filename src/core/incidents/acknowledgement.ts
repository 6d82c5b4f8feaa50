/** What people write on an incident: acknowledgements and notes. */
import { Refusal } from '../errors.js'
import { cleanLines } from '../text/clean-text.js'

/** The longest note, in characters. */
export const NOTE_LENGTH = 1_000

/** The longest time (ms) for which an acknowledgement can be limited; without a limit it lasts as long as the incident. */
export const ACKNOWLEDGED_FOR_MS = 366 * 86_400_000

/** A note as it is stored. Throws `Refusal('invalid')` if it is too long. */
export function cleanNote(note: string): string {
  const text = cleanLines(note).trim()
  if (text.length > NOTE_LENGTH) throw new Refusal('invalid', `longer than ${NOTE_LENGTH} characters`, 'note')
  return text
}

/** The end of an acknowledgement made at `now`. Throws `Refusal('invalid')` if it is over, or too far away. */
export function acknowledgedUntil(until: number | null, now: number): number | null {
  if (until === null) return null
  if (!Number.isFinite(until) || until <= now) throw new Refusal('invalid', 'not in the future', 'until')
  if (until > now + ACKNOWLEDGED_FOR_MS) throw new Refusal('invalid', 'more than 366 days away', 'until')
  return until
}
