/** Digests: one message for many alerts. */

import type { Check, StoredStatus } from '../checks/check.js'
import type { FlipReason } from '../checks/flip.js'
import type { Outage } from '../instance/outage.js'
import { oneLine } from '../text/clean-text.js'
import { are, plural } from '../text/plural.js'
import { approximateWords, relativeWords } from '../time/duration.js'
import { clockWordsWithZone, spanWords } from '../time/instant.js'
import { checkLabel } from './alert.js'

/** One change of one check in a digest. */
export interface DigestLine {
  flipId: number
  check: Pick<Check, 'name' | 'slug' | 'uniqueKey'>
  /** The new status, and the status now. */
  status: 'up' | 'down'
  statusNow: StoredStatus
  reason: FlipReason
  at: number
  /** The outage of Punctual during which the ping was expected. */
  outage: Outage | null
  /** Since when no ping of any check has arrived, if that is unusual and the check went down for silence. */
  silentSince?: number | null
  /** Of a recovery: how long it was down (ms), if known, and whether the down alert could not be delivered. */
  downtimeMs?: number | null
  missedDown?: boolean
}

/** The maximum number of checks that are named; the rest is counted. */
export const MAX_NAMED = 20

/**
 * The words of a digest: a title such as `380 checks of Alpha are DOWN`, and a text with a line per check, those that
 * are down first. It also says when Punctual itself was unreachable while pings were expected, by the clock of `tz`.
 * `projectName` may be empty.
 */
export function digestWords(
  lines: readonly DigestLine[],
  projectName: string,
  now: number,
  tz = 'UTC',
): { title: string; text: string } {
  const named = lines
    .map(line => ({ ...line, label: oneLine(checkLabel(line.check)) }))
    .sort((a, b) => rank(a) - rank(b) || (a.label < b.label ? -1 : 1))
  const shown = named.slice(0, MAX_NAMED).map(line => `- ${line.label}: ${lineWords(line, now)}`)
  const rest = named.length - shown.length
  if (rest > 0) shown.push(`and ${rest} more`)
  shown.push(...outageWords(lines, now, tz), ...silenceWords(lines, now, tz))
  return { title: title(lines, projectName), text: shown.join('\n') }
}

/** One sentence per outage. */
function outageWords(lines: readonly DigestLine[], now: number, tz: string): string[] {
  const spans = lines.flatMap(({ outage }) =>
    outage ? [spanWords(outage.startedAt, outage.endedAt, now, tz)] : [],
  )
  return [...new Set(spans)].map(span => {
    const affected = spans.filter(other => other === span).length
    const whose = affected === 1 ? 'one of these checks' : `${affected} of these checks`
    return `Punctual was unreachable ${span}, when ${whose} should have pinged, so that may have been missed.`
  })
}

function silenceWords(lines: readonly DigestLine[], now: number, tz: string): string[] {
  const since = Math.max(...lines.map(line => line.silentSince ?? 0))
  return since === 0 ? [] : [`No ping from any check since ${clockWordsWithZone(since, now, tz)}.`]
}

function title(lines: readonly DigestLine[], projectName: string): string {
  const down = lines.filter(({ status }) => status === 'down').length
  const up = lines.length - down
  const of = projectName === '' ? '' : ` of ${projectName}`
  if (up === 0) return `${plural(down, 'check')}${of} ${are(down)} DOWN`
  if (down === 0) return `${plural(up, 'check')}${of} ${are(up)} UP`
  return `${plural(down, 'check')}${of} ${are(down)} DOWN, ${up} ${are(up)} UP`
}

function lineWords(line: DigestLine, now: number): string {
  const { status, statusNow, reason, at, downtimeMs } = line
  const when = relativeWords(at, now)
  if (status === 'up') {
    return line.missedDown && downtimeMs
      ? `UP ${when}, was down for ${approximateWords(downtimeMs)}`
      : `UP ${when}`
  }
  const why = REASONS[reason]
  return `DOWN ${when}${why && `, ${why}`}${statusNow === 'down' ? '' : `; it is ${statusNow.toUpperCase()} now`}`
}

/** Short, because twenty lines have to fit on a phone. */
const REASONS: Record<FlipReason, string> = {
  missed: 'no ping in time',
  overrun: 'ran too long',
  failed: 'failed',
  too_short: 'ended too soon',
  '': '',
}

function rank({ status, statusNow }: DigestLine): number {
  if (status === 'up') return 2
  return statusNow === 'down' ? 0 : 1
}
