/**
 * The texts of alerts for users. They are plain texts, which each kind escapes and formats.
 * Source: docs/behaviour.md, section 8.3.
 */
import { type Alert, checkLabel, pingWord, readableText } from '../../core/alerts/alert.js'
import { downReason } from '../../core/alerts/down-reason.js'
import { tagList } from '../../core/checks/check.js'
import { MOST_COUNTED } from '../../core/checks/count-missed.js'
import { plural } from '../../core/text/plural.js'
import { approximateWords, periodWords, relativeWords, runLength } from '../../core/time/duration.js'
import { clockWordsWithZone, spanWords } from '../../core/time/instant.js'

export interface Fact {
  label: string
  value: string
}

/** `Backup is DOWN`, or `Backup is still DOWN` */
export function headline(alert: Alert): string {
  return `${checkLabel(alert.check)} is ${isStill(alert)}${alert.status.toUpperCase()}`
}

/** `still ` in a message that repeats a down alert; else empty. */
export function isStill({ status, again }: Pick<Alert, 'status' | 'again'>): string {
  return status === 'down' && again === 'repeat' ? 'still ' : ''
}

/** The reason of a down alert, `Reason: …`, or the length of the downtime, `The downtime lasted …`; empty if unknown. */
export function cause(alert: Alert): string {
  if (alert.status === 'down') {
    const reason = downReason(alert)
    return reason && `Reason: ${reason}.`
  }
  if (alert.downtimeMs === null) return ''
  const missed = missedWords(alert)
  return `The downtime lasted ${approximateWords(alert.downtimeMs)}${missed && `; ${missed} were missed`}.`
}

/** `3 runs`, where more than one was missed; else empty. */
export function missedWords({ missedRuns = 0 }: Pick<Alert, 'missedRuns'>): string {
  if (missedRuns < 2) return ''
  return missedRuns > MOST_COUNTED ? `more than ${MOST_COUNTED} runs` : plural(missedRuns, 'run')
}

/** Remarks that explain the alert: a test, an outage of Punctual, a finding about the check, alerts that were not delivered. */
export function notes(alert: Alert, tz: string): string[] {
  const found: string[] = []
  if (alert.test) found.push('This is a test. There is no such check.')
  if (alert.again && alert.status === 'down') {
    const since = clockWordsWithZone(alert.flip.createdAt, alert.now, tz)
    const length = approximateWords(alert.now - alert.flip.createdAt)
    found.push(`It has been down since ${since}, for ${length}, and nobody has acknowledged it.`)
  }
  if (alert.outage) {
    const span = spanWords(alert.outage.startedAt, alert.outage.endedAt, alert.now, tz)
    found.push(`Punctual was unreachable ${span}, when the ping was expected, so it may have been missed.`)
  }
  if (alert.silentSince !== null) {
    found.push(`No ping from any check since ${clockWordsWithZone(alert.silentSince, alert.now, tz)}.`)
  }
  if (alert.finding !== null) found.push(alert.finding)
  if (alert.flapped) {
    const changes = plural(alert.superseded, 'change was', 'changes were')
    const held = alert.superseded > 0 ? `: ${changes} held back` : ''
    found.push(`The check flapped${held}. It is steady now.`)
  } else if (alert.superseded === 1) {
    found.push('An earlier alert about this check was not delivered; this one replaces it.')
  } else if (alert.superseded > 1) {
    found.push(
      `${alert.superseded} earlier alerts about this check were not delivered; this one replaces them.`,
    )
  }
  if (alert.missedDown && alert.downtimeMs !== null) {
    const upAt = alert.flip.createdAt
    found.push(`It was down ${spanWords(upAt - alert.downtimeMs, upAt, alert.now, tz)}.`)
  }
  return found
}

/** Facts about the check, most useful first, without empty ones. */
export function facts(alert: Alert): Fact[] {
  const { check, lastPing, project } = alert
  const found: Fact[] = []
  const add = (label: string, value: string) => value !== '' && found.push({ label, value })
  add('Project', project.name)
  add('Tags', tagList(check.tags).join(', '))
  if (check.kind === 'simple') add('Period', periodWords(check.periodSeconds))
  else {
    add('Schedule', check.schedule)
    add('Time Zone', check.tz)
  }
  add('Total Pings', String(lastPing?.n ?? 0))
  add('Last Ping', lastPingWords(alert))
  if (lastPing !== null && lastPing.durationMs !== null) add('Last Run', runLength(lastPing.durationMs))
  return found
}

/** `Success, 10 minutes ago`, or `Never`. */
export function lastPingWords({ lastPing, now }: Alert): string {
  return lastPing ? `${pingWord(lastPing)}, ${relativeWords(lastPing.at, now)}` : 'Never'
}

/** The last `maxLength` characters of the last ping's body, and whether the beginning was cut. */
export function outputTail(alert: Alert, maxLength: number): { text: string; cut: boolean } {
  const characters = Array.from(readableText(alert.lastPing))
  return { text: characters.slice(-maxLength).join(''), cut: characters.length > maxLength }
}

const MOST_LISTED = 10

/** The state of the project's other checks, with a list of those that are down unless there are many; null if none. */
export function otherChecks(alert: Alert): { text: string; items: string[] } | null {
  const { othersDown, othersDownCount: count, now, status } = alert
  if (alert.otherChecks === 0) return null
  if (count === 0) return { text: 'All the other checks are up.', items: [] }
  const too = status === 'down' ? 'also' : 'still'
  if (count > MOST_LISTED) return { text: `${count} other checks are ${too} down.`, items: [] }
  const items = othersDown.map(({ label, lastPing }) => {
    return `${label} (last ping: ${lastPing === null ? 'never' : relativeWords(lastPing, now)})`
  })
  return { text: `The following checks are ${too} down:`, items }
}
