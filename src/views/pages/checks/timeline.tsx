import { unknownIn } from '../../../core/checks/lanes/lane.js'
import type { LanePage } from '../../../core/checks/lanes/lane-page.js'
import { LANE_PRESETS, movedSpan } from '../../../core/checks/lanes/lane-range.js'
import { summaryWords, wentDownWords } from '../../../core/checks/lanes/lane-words.js'
import type { WentDown } from '../../../core/checks/lanes/went-down.js'
import type { Outage } from '../../../core/instance/outage.js'
import { plural } from '../../../core/text/plural.js'
import { clockWords, endsInWords, rangeWords } from '../../../core/time/instant.js'
import { localText } from '../../../core/time/local-instant.js'
import { lengthOf, type Span } from '../../../core/time/spans.js'
import { LaneAxis } from '../../components/checks/lanes/lane-axis.js'
import { LaneEvents } from '../../components/checks/lanes/lane-events.js'
import { LaneHistogram } from '../../components/checks/lanes/lane-histogram.js'
import { LaneList } from '../../components/checks/lanes/lane-list.js'
import { LaneRuns } from '../../components/checks/lanes/lane-runs.js'
import { EmptyState } from '../../components/empty-state.js'
import { Button } from '../../components/forms/button.js'
import { TIMELINE_KEYS } from '../../components/keys.js'
import { PageHead } from '../../components/page-head.js'
import type { ShownOutput } from '../../components/pings/last-output.js'
import { type LanesQuery, lanesSearch } from '../../lanes-query.js'
import { Layout } from '../../layout.js'
import { inZone, link, type PageContext, zoneOf } from '../../page-context.js'
import { TimelineWithoutChecks } from './timeline-without-checks.js'

export interface TimelinePageProps {
  page: PageContext
  query: LanesQuery
  found: LanePage
  /** The number of checks that were left out because there are too many. */
  leftOut: number
  outages: readonly Outage[]
  /** The output of the last run of the chosen check that went wrong. */
  output: ShownOutput | null
}

/** The path of the timeline: of a project, or of all projects of the reader. */
export function timelinePath({ project }: Pick<PageContext, 'project'>): string {
  return project ? `/projects/${project.uuid}/timeline/` : '/timeline/'
}

/** What all checks of a project, or of all projects of the reader, did within a range of time. */
export function TimelinePage({ page, query, found, leftOut, outages, output }: TimelinePageProps) {
  if (found.first === null && leftOut === 0 && !hasFilter(query)) return <TimelineWithoutChecks page={page} />
  const { range } = query
  const tz = query.utc ? 'UTC' : zoneOf(page)
  const address = (changes: Partial<LanesQuery>) =>
    link(page, timelinePath(page)) + lanesSearch({ ...query, ...changes })
  const before = address({ check: '' })
  const addressOf = (check: string) => `${before}${before.includes('?') ? '&' : '?'}check=${check}#runs`
  // Checks that were left out may be older.
  const first = leftOut > 0 ? null : found.first
  const unknown = unknownIn(range, first ?? range.from, page.now)
  const isKnown = lengthOf(unknown) < range.to - range.from
  const histogram = (
    <LaneHistogram
      columns={found.columns}
      range={range}
      outages={outages}
      unknown={unknown}
      now={page.now}
      tz={tz}
      addressOf={part => address({ range: part, preset: null })}
    />
  )
  const { folded, chosen } = found
  return (
    <Layout
      page={page}
      title="Timeline"
      section="timeline"
      scripts={['timeline', 'output']}
      keys={TIMELINE_KEYS}
      measure="full"
    >
      <PageHead
        title="Timeline"
        lead={
          <>
            {leadOf(found, { query, page, tz, first })}
            {found.wentDown.map(group => (
              <WentDownTogether group={group} page={page} tz={tz} tagged={tag => address({ tag })} />
            ))}
          </>
        }
      />
      <Filters page={page} query={query} address={address} tz={tz} />
      <Outages outages={outages} page={page} tz={tz} />
      {found.first === null ? (
        <EmptyState title="No checks match">
          <p>
            No check has this name or tag. <a href={address({ search: '', tag: '' })}>Show all checks</a>
          </p>
        </EmptyState>
      ) : (
        <div class={chosen ? 'lane-columns has-runs' : 'lane-columns'}>
          {query.asList ? (
            <div>
              {histogram}
              <LaneAxis range={range} tz={tz} />
              <LaneEvents page={inZone(page, tz)} {...found} isKnown={isKnown} addressOf={addressOf} />
            </div>
          ) : (
            <LaneList
              page={page}
              lanes={found.lanes}
              range={range}
              outages={outages}
              tz={tz}
              chosen={query.check}
              addressOf={addressOf}
            >
              {histogram}
            </LaneList>
          )}
          {chosen ? (
            <LaneRuns page={inZone(page, tz)} lane={chosen} output={output} close={address({ check: '' })} />
          ) : null}
        </div>
      )}
      {folded > 0 && !query.asList ? (
        <p class="spaced">
          <a class="button button-small" href={address({ all: true })}>
            Show {plural(folded, 'more check')} without trouble
          </a>
        </p>
      ) : null}
      <p class="muted spaced">
        {restWords(found, leftOut)}
        {hasNoRuns(found) && query.preset !== 'week' ? (
          <>
            {' '}
            <a href={address({ preset: 'week' })}>Show the last 7 days</a>
          </>
        ) : null}
      </p>
    </Layout>
  )
}

function hasFilter({ search, tag }: Pick<LanesQuery, 'search' | 'tag'>): boolean {
  return search !== '' || tag !== ''
}

/** Whether nothing can be drawn of any of the checks, although there are some. */
function hasNoRuns({ first, quiet, later, summary }: LanePage): boolean {
  return first !== null && quiet > 0 && later === 0 && summary.ran + summary.missed + summary.stillDown === 0
}

/** `13 Jan 20:00 to 14 Jan 08:00: 214 checks ran 1,204 times. 3 runs failed.` */
function leadOf(
  { summary }: LanePage,
  { query, page, tz, first }: { query: LanesQuery; page: PageContext; tz: string; first: number | null },
): string {
  const { range } = query
  const at = (ms: number) => clockWords(ms, page.now, tz)
  const isOver = range.to <= page.now
  const whole = rangeWords(range.from, range.to, page.now, tz)
  if (range.from >= page.now) return `${whole}: this time is still to come.`
  const none = hasFilter(query) ? 'None of these checks' : 'No check'
  const before = first !== null && first > range.from ? `${none} existed before ${at(first)}.` : ''
  const span = isOver ? whole : `${at(range.from)} to now`
  if (first !== null && first >= range.to) return `${span}: ${before}`
  return `${span}: ${summaryWords(summary, isOver)} ${before}`.trimEnd()
}

/** ` 14 checks with tag db1 went down between 02:10 and 02:14.` `tagged`: the address of the timeline of the checks with a tag. */
function WentDownTogether({
  group,
  page,
  tz,
  tagged,
}: {
  group: WentDown
  page: PageContext
  tz: string
  tagged: (tag: string) => string
}) {
  const [from, to] = endsInWords(group, page.now, tz)
  const when = from.endsWith(to) ? `at ${from}` : `between ${from} and ${to}`
  const [before, tag, after] = wentDownWords(group, when)
  return (
    <>
      {' '}
      {before}
      {tag === '' ? null : <a href={tagged(tag)}>{tag}</a>}
      {after}
    </>
  )
}

function restWords({ quiet, later, hidden, hasUnknown, hasBusy }: LanePage, leftOut: number): string {
  return [
    hidden > 0 && `${plural(hidden, 'more check')} ran without trouble.`,
    quiet > 0 && `${plural(quiet, 'check')} had no runs in this time.`,
    later > 0 && `${plural(later, 'check was', 'checks were')} created later.`,
    leftOut > 0 && `${plural(leftOut, 'check')} are left out: choose a project, a tag or a name.`,
    hasUnknown &&
      'Hatched: nothing can be known, because the check did not exist yet or the time is still to come.',
    hasBusy && 'Of checks with very many pings, only the failures are drawn.',
  ]
    .filter(Boolean)
    .join(' ')
}

function Outages({ outages, page, tz }: { outages: readonly Outage[]; page: PageContext; tz: string }) {
  if (outages.length === 0) return null
  const spans = outages.map(({ startedAt, endedAt }) =>
    endsInWords({ from: startedAt, to: endedAt }, page.now, tz).join(' to '),
  )
  return (
    <p class="lane-outages">
      Punctual may have missed pings from {spans.join(', from ')} (shown as a grey band).
    </p>
  )
}

interface FiltersProps {
  page: PageContext
  query: LanesQuery
  address: (changes: Partial<LanesQuery>) => string
  tz: string
}

const MOVES = [
  ['earlier', 'Earlier'],
  ['later', 'Later'],
  ['in', 'Zoom in'],
  ['out', 'Zoom out'],
] as const

function Filters({ page, query, address, tz }: FiltersProps) {
  const { range, preset, utc, search, tag, asList } = query
  const own = (span: Span) => address({ range: span, preset: null })
  return (
    <div class="lane-filters">
      <nav class="chips" aria-label="Time">
        {LANE_PRESETS.map(({ name, label }) => (
          <a href={address({ preset: name })} aria-current={name === preset ? 'true' : undefined}>
            {label}
          </a>
        ))}
        {MOVES.map(([by, label]) => (
          <a class="chip-quiet" href={own(movedSpan(range, by))}>
            {label}
          </a>
        ))}
        <a class="chip-quiet" href={address({ asList: !asList })}>
          {asList ? 'Show lanes' : 'Show as a list'}
        </a>
      </nav>
      <details open={hasFilter(query)}>
        <summary>Another time, or some checks</summary>
        <form method="get" action={link(page, timelinePath(page))} class="filter">
          <label>
            From <input type="datetime-local" name="from" value={localText(range.from, tz)} required />
          </label>
          <label>
            to <input type="datetime-local" name="to" value={localText(range.to, tz)} required />
          </label>
          <select name="zone" aria-label="Time zone">
            <option value="own" selected={!utc}>
              {zoneOf(page)}
            </option>
            {zoneOf(page) === 'UTC' ? null : (
              <option value="utc" selected={utc}>
                UTC
              </option>
            )}
          </select>
          <input
            type="search"
            name="search"
            value={search}
            placeholder="Check"
            aria-label="Name of the check"
          />
          <input type="search" name="tag" value={tag} placeholder="Tag" aria-label="Tag" />
          {asList ? <input type="hidden" name="view" value="list" /> : null}
          <Button small>Show</Button>
        </form>
      </details>
    </div>
  )
}
