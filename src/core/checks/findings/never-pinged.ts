import { plural } from '../../text/plural.js'
import type { Finder } from './finding.js'

const DAY_MS = 86_400_000

/** Finds checks that are a day old and were never pinged. */
export const neverPinged: Finder = ({ check, now }) => {
  const days = Math.floor((now - check.createdAt) / DAY_MS)
  if (check.nPings > 0 || check.status === 'paused' || days < 1) return null
  return {
    code: 'never_pinged',
    evidence: `It was created ${plural(days, 'day')} ago and has never been pinged.`,
  }
}
