import { type Together, together } from '../../../core/incidents/incident-night.js'
import type { RecentIncident } from '../../../core/incidents/recent-incident.js'
import { projectLabel } from '../../../core/projects/project-label.js'
import { plural } from '../../../core/text/plural.js'
import { dayAt } from '../../../core/time/calendar.js'
import { runLength } from '../../../core/time/duration.js'
import { clockWords, timeOfDay } from '../../../core/time/instant.js'
import type { IncidentsQuery } from '../../incidents-query.js'
import { link, type PageContext, zoneOf } from '../../page-context.js'
import { Elapsed } from '../elapsed.js'
import { type DayTitle, dayTitle } from '../pings/by-day.js'
import { Time } from '../time.js'
import { incidentValue } from './acknowledge-fields.js'
import {
  AckWords,
  causeWords,
  endWords,
  IncidentGlyph,
  incidentLabel,
  OutcomeWords,
} from './incident-words.js'

interface Props {
  page: PageContext
  incidents: readonly RecentIncident[]
  /** Whether the open ones can be chosen. */
  picks: boolean
  /** Whether newer ones are on the page before, and older ones on the next. */
  isLater: boolean
  hasOlder: boolean
  /** Whether older ones are open that are not listed. */
  hasMoreOpen: boolean
}

/** Incidents under the headings "Open" and days; those that began together are one line that opens. */
export function IncidentList({ page, incidents, picks, isLater, hasOlder, hasMoreOpen }: Props) {
  const sections = sectionsOf(page, incidents)
  return (
    <>
      {sections.map(({ title, of }, index) => {
        const isCut =
          (isLater && index === 0) ||
          (hasOlder && index === sections.length - 1) ||
          (hasMoreOpen && title === OPEN)
        return (
          <section class="section incidents-of" aria-label={title.name}>
            <h2>
              {title.name}
              {title.date === '' ? null : <span class="muted"> {title.date}</span>}
              {isCut ? null : <span class="muted figure"> {of.length}</span>}
            </h2>
            <ul class="incidents">
              {index === 0 ? <Head picks={picks} /> : null}
              {together(of).map(group => (
                <Entry page={page} group={group} picks={picks} />
              ))}
            </ul>
          </section>
        )
      })}
    </>
  )
}

/** The names of the columns, for readers who see them as columns. */
function Head({ picks }: Pick<Props, 'picks'>) {
  return (
    <li class="incident incident-head" aria-hidden="true">
      {picks ? <span class="incident-pick" /> : null}
      <span class="status" />
      <span class="incident-check">Check</span>
      <span class="incident-when">
        <span>Went down</span>
        <span class="incident-long">For</span>
      </span>
      <span class="incident-why">Cause</span>
      <span class="incident-sent">Alerts</span>
    </li>
  )
}

const OPEN: DayTitle = { name: 'Open', date: '' }

function sectionsOf(page: PageContext, incidents: readonly RecentIncident[]) {
  const zone = zoneOf(page)
  const sections = new Map<number | null, RecentIncident[]>()
  for (const incident of incidents) {
    const day = incident.closedAt === null ? null : dayAt(incident.openedAt, zone)
    const known = sections.get(day)
    if (known) known.push(incident)
    else sections.set(day, [incident])
  }
  return [...sections].map(([day, of]) => ({ title: day === null ? OPEN : dayTitle(page, day), of }))
}

function Entry({
  page,
  group,
  picks,
}: {
  page: PageContext
  group: Together<RecentIncident>
  picks: boolean
}) {
  if (group.length === 1) return <Row page={page} incident={group[0]!} picks={picks} />
  return (
    <li class="incident-group">
      <Pick group={group} picks={picks} label={`these ${group.length} incidents`} />
      <details>
        <summary class="incident-sum">
          <IncidentGlyph incident={group.find(({ closedBy }) => closedBy === 'recovery') ?? group[0]!} />
          <span>
            <strong>{groupWords(page, group)}</strong> <span class="muted">{groupState(group)}</span>
          </span>
        </summary>
        <ul class="incidents">
          {group.map(incident => (
            <Row page={page} incident={incident} picks={picks} />
          ))}
        </ul>
      </details>
    </li>
  )
}

/** `38 checks went down 02:10 to 02:14` */
function groupWords(page: PageContext, group: Together<RecentIncident>): string {
  const zone = zoneOf(page)
  const [first, last] = [group.at(-1)!, group[0]!]
  const [from, to] = [first, last].map(({ openedAt }) => timeOfDay(openedAt, zone))
  // The closed ones have the day as their heading.
  const head = first.closedAt === null ? clockWords(first.openedAt, page.now, zone) : from
  return `${group.length} checks went down ${from === to ? `at ${head}` : `${head} to ${to}`}`
}

/** The causes, whether alerts were sent, and how many were acknowledged. */
function groupState(group: Together<RecentIncident>): string {
  const sent = group.filter(({ outcome }) => outcome.sent > 0).length
  const heldBy = group.flatMap(({ outcome }) =>
    outcome.sent === 0 && outcome.held !== '' ? [outcome.held] : [],
  )
  const held = heldBy.length
  const acknowledged = group.filter(one => one.acknowledged !== null).length
  const longest = Math.max(...group.map(({ openedAt, closedAt }) => (closedAt ?? openedAt) - openedAt))
  const cameUp = group.every(({ closedBy }) => closedBy === 'recovery')
  return [
    first(group).join(', '),
    longest > 0 && `${cameUp ? 'up again' : 'over'} after ${runLength(longest)} at most`,
    sent > 0 && `${sent === group.length ? 'all' : sent} sent`,
    held > 0 && `${held === group.length ? 'all' : held} held: ${mostOften(heldBy)}`,
    acknowledged > 0 && `${acknowledged === group.length ? 'all' : acknowledged} acknowledged`,
  ]
    .filter(Boolean)
    .join('; ')
}

/** The names of three: first those that somebody was alerted of, then the first that went down, which is nearest to the cause. */
function first(group: Together<RecentIncident>): string[] {
  const named = group
    .toSorted((a, b) => Number(b.outcome.sent > 0) - Number(a.outcome.sent > 0) || a.openedAt - b.openedAt)
    .slice(0, 3)
    .map(({ check }) => incidentLabel(check))
  return group.length > named.length ? [...named, '…'] : named
}

function mostOften(words: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0]
}

function Row({ page, incident, picks }: { page: PageContext; incident: RecentIncident; picks: boolean }) {
  const { id, check, project, acknowledged, openedAt, closedAt, closedBy, downAt } = incident
  const tags = check.tags.split(' ')
  const about = [page.project ? '' : projectLabel(project), ...tags].filter(word => word !== '').join(' · ')
  return (
    <li class="incident">
      <Pick group={[incident]} picks={picks} label={incidentLabel(check)} />
      <IncidentGlyph incident={incident} />
      <span class="incident-check">
        <a class="name" href={link(page, `/projects/${project.uuid}/incidents/${id}/`)}>
          {incidentLabel(check)}
        </a>
        <span class="under muted" title={about}>
          {about}
        </span>
      </span>
      <span class="incident-when figure">
        {closedAt === null ? (
          <Time page={page} at={downAt} show="clock" />
        ) : (
          <Time page={page} at={openedAt} show="time" />
        )}
        <span class="incident-long">
          {closedAt === null ? <Elapsed page={page} since={downAt} /> : runLength(closedAt - openedAt)}
        </span>
      </span>
      <span class="incident-why">
        {causeWords(page, incident)}
        {closedAt === null && downAt > openedAt ? <span class="under muted">It went down again.</span> : null}
        {closedBy === null || closedBy === 'recovery' ? null : (
          <span class="under muted">{endWords(closedBy)}.</span>
        )}
        {acknowledged ? (
          <span class="under">
            <AckWords page={page} ack={acknowledged} />
          </span>
        ) : null}
      </span>
      <span class="incident-sent">
        <OutcomeWords page={page} incident={incident} />
      </span>
    </li>
  )
}

function Pick({ group, picks, label }: { group: Together<RecentIncident>; picks: boolean; label: string }) {
  if (!picks) return null
  if (group[0]!.closedAt !== null) return <span class="incident-pick" />
  return (
    <span class="incident-pick">
      <input type="checkbox" name="incident" value={incidentValue(group)} aria-label={`Select ${label}`} />
    </span>
  )
}

/**
 * The incidents in words, for the top of the page: how many are open, how many of those are held, and what ended. `hasMoreOpen`: more are
 * open than those.
 */
export function nightWords(
  incidents: readonly RecentIncident[],
  { ended, hasMoreOpen }: { ended: number; hasMoreOpen: boolean },
  query: IncidentsQuery,
): string {
  const { days, after, open } = query
  const span = days === 1 ? 'the last day' : `the last ${days} days`
  return [
    open === false || after !== null ? '' : openWords(incidents, hasMoreOpen, query),
    open === true ? '' : `${plural(ended, 'incident')} ended in ${span}.`,
  ]
    .filter(part => part !== '')
    .join(' ')
}

function openWords(
  incidents: readonly RecentIncident[],
  hasMoreOpen: boolean,
  { search, tag, channel }: IncidentsQuery,
): string {
  const open = incidents.filter(({ closedAt }) => closedAt === null)
  const isSome = search !== '' || tag !== '' || channel !== ''
  if (open.length === 0) return isSome ? 'None of these is open.' : 'Nothing is down.'
  const acknowledged = open.filter(one => one.acknowledged !== null).length
  const held = open.filter(({ outcome }) => outcome.sent === 0 && outcome.held !== '').length
  const unsent = open.filter(({ outcome }) => outcome.integrations !== 'some' && outcome.sent === 0).length
  const parts = [
    acknowledged > 0 && `${acknowledged} acknowledged`,
    held > 0 && `${held} held`,
    unsent > 0 && `${unsent} without integrations`,
  ].filter(Boolean)
  if (hasMoreOpen) {
    const state = parts.length > 0 ? ` Of the newest ${open.length}: ${parts.join(', ')}.` : ''
    return `More than ${open.length} incidents are open.${state}`
  }
  const state = parts.length > 0 ? `: ${parts.join(', ')}` : ''
  return `${plural(open.length, 'incident is', 'incidents are')} open${state}.`
}
