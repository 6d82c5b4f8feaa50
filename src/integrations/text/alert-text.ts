/**
 * The texts of alerts for users. They are plain texts, which each kind escapes and formats.
 * Source: docs/behaviour.md, section 8.3.
 */
import { type Alert, pingWord, readableText, statusWord } from '../../core/alerts/alert.js'
import { tagList } from '../../core/checks/check.js'
import { MOST_COUNTED } from '../../core/checks/count-missed.js'
import { isLate, timeOf } from '../../core/pings/back-dated.js'
import { capitalize } from '../../core/text/capitalize.js'
import { plural } from '../../core/text/plural.js'
import { sentence } from '../../core/text/sentence.js'
import { approximateWords, periodWords, relativeWords, runLength } from '../../core/time/duration.js'
import { clockWords, clockWordsWithZone, exactWords, spanWords } from '../../core/time/instant.js'
import { downReason, exitStatus, isMissedWithTimes } from './down-reason.js'

export interface Fact {
  label: string
  value: string
}

/** `still ` in a message that repeats a down alert; else empty. */
export function isStill({ status, again }: Pick<Alert, 'status' | 'again'>): string {
  return status === 'down' && again === 'repeat' ? 'still ' : ''
}

/** `DOWN, exit status 2`: the status of the check, with how its job failed, if that is known. */
export function stateWords(alert: Alert): string {
  const status = alert.status === 'down' ? exitStatus(alert) : null
  return `${isStill(alert)}${statusWord(alert)}${status === null ? '' : `, exit status ${status}`}`
}

/**
 * The first sentence below the headline: why the check is down and since when, or since when it is up and how long it was down.
 * Empty for a test, about which there is nothing to say.
 */
export function cause(alert: Alert, tz: string): string {
  if (alert.test) return ''
  const since = sinceWords(alert, tz)
  const reported = reportedWords(alert, tz)
  if (alert.status === 'down') {
    const reason = downReason(alert, tz)
    if (isMissedWithTimes(alert)) return sentence(reason)
    const told = reason && reported ? `${reason} (${reported})` : reason
    return told ? `${since}: ${told}.` : `${since}.`
  }
  const isUp = reported ? `${since}: ${reported}` : since
  if (alert.downtimeMs === null) return `${isUp}.`
  const missed = missedWords(alert)
  return `${isUp}. The downtime lasted ${approximateWords(alert.downtimeMs)}${missed && `; ${missed} were missed`}.`
}

/** `Down since 13:50 UTC+02:00` */
export function sinceWords(alert: Alert, tz: string): string {
  return `${sinceLabel(alert)} ${clockWordsWithZone(alert.flip.createdAt, alert.now, tz)}`
}

function sinceLabel(alert: Alert): string {
  return `${capitalize(statusWord(alert).toLowerCase())} since`
}

/** `ran at 03:05, reported at 08:00`, if a ping that arrived late changed the status; else empty. */
export function reportedWords({ flip, lastPing, now, test }: Alert, tz: string): string {
  if (test || !lastPing || lastPing.at !== flip.createdAt || !isLate(lastPing)) return ''
  return `ran at ${clockWords(timeOf(lastPing), now, tz)}, reported at ${clockWords(lastPing.at, now, tz)}`
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

/** Since when the check has its status, exactly, for messages that do not begin with {@link cause}. */
export function sinceFact(alert: Alert, tz: string): Fact {
  return { label: sinceLabel(alert), value: exactWords(alert.flip.createdAt, tz) }
}

/** Facts about the check, most useful first, without empty ones, by the clock of `tz`. */
export function facts(alert: Alert, tz: string): Fact[] {
  const { check, lastPing, project } = alert
  const found: Fact[] = []
  const add = (label: string, value: string) => value !== '' && found.push({ label, value })
  add('Last ping', lastPingWords(alert, tz))
  if (lastPing !== null && lastPing.durationMs !== null) add('Last run', runLength(lastPing.durationMs))
  add('Project', project.name)
  add('Tags', tagList(check.tags).join(', '))
  if (check.kind === 'simple') add('Period', periodWords(check.periodSeconds))
  else {
    add('Schedule', check.schedule)
    add('Time zone', check.tz)
  }
  add('Total pings', String(lastPing?.n ?? 0))
  return found
}

/** `Success, 11:50 UTC (10 minutes ago)`, or `Never`. */
export function lastPingWords({ lastPing, now }: Alert, tz: string): string {
  return lastPing ? `${pingWord(lastPing)}, ${whenWords(lastPing.at, now, tz)}` : 'Never'
}

/** `11:50 UTC (10 minutes ago)`: messages are read later than they are sent. */
export function whenWords(at: number, now: number, tz: string): string {
  return `${clockWordsWithZone(at, now, tz)} (${relativeWords(at, now)})`
}

/** The last `maxLength` characters of the last ping's body, and whether the beginning was cut. */
export function outputTail(alert: Alert, maxLength: number): { text: string; cut: boolean } {
  const characters = Array.from(readableText(alert.lastPing))
  return { text: characters.slice(-maxLength).join(''), cut: characters.length > maxLength }
}

const MOST_LISTED = 10

/** The state of the project's other checks, with a list of those that are down unless there are many; null if none. */
export function otherChecks(alert: Alert, tz: string): { text: string; items: string[] } | null {
  const { othersDown, othersDownCount: count, now, status } = alert
  if (alert.otherChecks === 0) return null
  if (count === 0) return { text: 'All the other checks are up.', items: [] }
  const too = status === 'down' ? 'also' : 'still'
  if (count > MOST_LISTED) return { text: `${count} other checks are ${too} down.`, items: [] }
  const items = othersDown.map(({ label, lastPing }) => {
    return `${label} (last ping: ${lastPing === null ? 'never' : clockWordsWithZone(lastPing, now, tz)})`
  })
  return { text: `The following checks are ${too} down:`, items }
}
