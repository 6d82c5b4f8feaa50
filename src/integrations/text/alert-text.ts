/**
 * What alerts say, for every kind that speaks to people. Plain texts: a kind escapes and decorates them.
 * Source: docs/behaviour.md, section 8.3.
 */
import { type Alert, checkLabel, pingWord, readableText, reasonText } from '../../core/alerts/alert.js'
import { tagList } from '../../core/checks/check.js'
import { plural } from '../../core/text/plural.js'
import { approximateWords, periodWords, relativeWords, runLength } from '../../core/time/duration.js'
import { spanWords } from '../../core/time/instant.js'

export interface Fact {
  label: string
  value: string
}

/** `Backup is DOWN` */
export function headline(alert: Alert): string {
  return `${checkLabel(alert.check)} is ${alert.status.toUpperCase()}`
}

/** Why it went down, `Reason: …`, or how long that lasted, `The downtime lasted …`; empty where unknown. */
export function cause(alert: Alert): string {
  if (alert.status === 'down') {
    const reason = reasonText(alert.flip)
    return reason && `Reason: ${reason}.`
  }
  return alert.downtimeMs === null ? '' : `The downtime lasted ${approximateWords(alert.downtimeMs)}.`
}

/** What the reader must know to judge the alert: a test, an outage of ours, alerts that never came. */
export function notes(alert: Alert, tz: string): string[] {
  const found: string[] = []
  if (alert.test) found.push('This is a test. There is no such check.')
  if (alert.outage) {
    const span = spanWords(alert.outage.startedAt, alert.outage.endedAt, alert.now, tz)
    found.push(`Punctual was unreachable ${span}, when the ping was expected, so it may have been missed.`)
  }
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

/** What is known of the check, in the order in which people read it; only what there is. */
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

/** The end of the last ping's body, at most `maxLength` characters, and whether something is missing before. */
export function outputTail(alert: Alert, maxLength: number): { text: string; cut: boolean } {
  const characters = Array.from(readableText(alert.lastPing))
  return { text: characters.slice(-maxLength).join(''), cut: characters.length > maxLength }
}

const MOST_LISTED = 10

/** How the project's other checks are, with those that are down where they are few; null without others. */
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
