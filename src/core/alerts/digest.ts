/** Digests: one message for many alerts. */

import type { Check, StoredStatus } from '../checks/check.js'
import type { FlipReason } from '../checks/flip.js'
import type { Outage } from '../instance/outage.js'
import { oneLine } from '../text/clean-text.js'
import { are, plural } from '../text/plural.js'
import { approximateWords } from '../time/duration.js'
import { clockWordsWithZone, spanWords } from '../time/instant.js'
import { checkLabel, type Notice, type NoticeItem } from './alert.js'

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
 * The words of a digest: a title such as `380 checks of Alpha are DOWN`, an item for each check, those that are down first, and a
 * text, which may be empty: when Punctual itself was unreachable while pings were expected. Times are by the clock of `tz`.
 * `projectName` may be empty; `root`: the address of the site.
 */
export function digestWords(
  lines: readonly DigestLine[],
  projectName: string,
  now: number,
  { tz = 'UTC', root }: { tz?: string | undefined; root: string },
): Pick<Notice, 'title' | 'text'> & { items: NoticeItem[] } {
  const named = lines
    .map(line => ({ ...line, label: oneLine(checkLabel(line.check)) }))
    .sort((a, b) => rank(a) - rank(b) || (a.label < b.label ? -1 : 1))
  const items = named.slice(0, MAX_NAMED).map(line => ({
    label: line.label,
    url: `${root}/cloaked/${line.check.uniqueKey}/`,
    text: lineWords(line, now, tz),
  }))
  const rest = named.length - items.length
  const after = [...outageWords(lines, now, tz), ...silenceWords(lines, now, tz)]
  if (rest > 0) after.unshift(`and ${rest} more`)
  return { title: title(lines, projectName), items, text: after.join('\n') }
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
  const since = Math.max(0, ...lines.map(line => line.silentSince ?? 0))
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

function lineWords(line: DigestLine, now: number, tz: string): string {
  const { status, statusNow, reason, at, downtimeMs } = line
  const when = `since ${clockWordsWithZone(at, now, tz)}`
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
  missed: 'no success ping in time',
  overrun: 'ran too long',
  failed: 'failed',
  too_short: 'ended too soon',
  '': '',
}

function rank({ status, statusNow }: DigestLine): number {
  if (status === 'up') return 2
  return statusNow === 'down' ? 0 : 1
}
