import type { IncidentPlace, RecentIncident } from '../../../core/incidents/recent-incident.js'
import type { ShownChannel } from '../../components/channels/channel-toggle.js'
import { EmptyState } from '../../components/empty-state.js'
import { Button, ButtonLink } from '../../components/forms/button.js'
import { PostForm } from '../../components/forms/post-form.js'
import { AcknowledgeFields } from '../../components/incidents/acknowledge-fields.js'
import { IncidentList, nightWords } from '../../components/incidents/incident-list.js'
import { LiveMark } from '../../components/live-mark.js'
import { PageHead } from '../../components/page-head.js'
import {
  hidesIncidents,
  INCIDENT_SPANS,
  type IncidentsQuery,
  incidentsSearch,
} from '../../incidents-query.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

export interface IncidentsPageProps {
  page: PageContext
  query: IncidentsQuery
  incidents: readonly RecentIncident[]
  /** The last of this page if older ones follow; else null. */
  last: IncidentPlace | null
  /** The last open one of this page if older ones are open too; else null. */
  lastOpen: IncidentPlace | null
  /** The number of closed ones on all pages. */
  ended: number
  /** The integrations of the project, by which the list is filtered; empty on the page of all projects. */
  channels: readonly ShownChannel[]
  /** Whether the reader may acknowledge some of them. */
  mayAcknowledge: boolean
  version: string
}

/** The path of the list: of a project, or of all projects of the reader. */
export function incidentsPath({ project }: Pick<PageContext, 'project'>): string {
  return project ? `/projects/${project.uuid}/incidents/` : '/incidents/'
}

/** The incidents of a project, or of all projects of the reader. */
export function IncidentsPage(props: IncidentsPageProps) {
  const { page, query, version, channels } = props
  // An older page does not change.
  const live =
    query.after === null ? { path: `${incidentsPath(page)}live/${incidentsSearch(query)}`, version } : null
  return (
    <Layout page={page} title="Incidents" section="incidents" scripts={live ? ['live', 'tick-all'] : []}>
      {live ? <LiveMark page={page} live={live} /> : null}
      <PageHead title="Incidents" lead="When checks were down, who was alerted, and who acknowledged it." />
      <Filters page={page} query={query} channels={channels} />
      <PostForm page={page} action="/incidents/acknowledge/" class="incidents-form">
        <IncidentsPart {...props} />
      </PostForm>
    </Layout>
  )
}

/** What changes on the page. */
export function IncidentsPart({
  page,
  query,
  incidents,
  lastOpen,
  last,
  ended,
  mayAcknowledge,
}: Omit<IncidentsPageProps, 'version' | 'channels'>) {
  const picks = mayAcknowledge && incidents.some(({ closedAt }) => closedAt === null)
  return (
    <div id="incidents" data-part>
      {incidents.length === 0 ? (
        <Nothing query={query} />
      ) : (
        <>
          <p class="night">
            <strong>{nightWords(incidents, { ended, hasMoreOpen: lastOpen !== null }, query)}</strong>
            {lastOpen !== null && query.open === null ? (
              <a href={addressOf(page, { ...query, open: true, after: lastOpen })}>Older open ones</a>
            ) : null}
            {picks ? (
              <button type="button" class="button button-quiet button-small" data-tick-all="incident" hidden>
                {lastOpen === null && query.after === null ? 'Choose all open' : 'Choose all of this page'}
              </button>
            ) : null}
          </p>
          <IncidentList
            page={page}
            incidents={incidents}
            picks={picks}
            isLater={query.after !== null}
            hasMoreOpen={lastOpen !== null}
            hasOlder={last !== null}
          />
        </>
      )}
      <Pager page={page} query={query} last={last} />
      {picks ? (
        <fieldset class="bulk ack-bar" aria-label="Acknowledge the selected incidents">
          <span class="bulk-count">With the selected incidents:</span>
          <AcknowledgeFields />
        </fieldset>
      ) : null}
    </div>
  )
}

function addressOf(page: PageContext, query: IncidentsQuery): string {
  return link(page, incidentsPath(page)) + incidentsSearch(query)
}

function Pager({ page, query, last }: Pick<IncidentsPageProps, 'page' | 'query' | 'last'>) {
  const at = (after: IncidentPlace | null) => addressOf(page, { ...query, after })
  if (query.after === null && last === null) return null
  return (
    <nav class="pager" aria-label="Pages">
      {query.after === null ? null : <a href={at(null)}>Newest</a>}
      {last === null ? null : (
        <a href={at(last)} rel="next">
          Older
        </a>
      )}
    </nav>
  )
}

function Nothing({ query }: { query: IncidentsQuery }) {
  if (query.after !== null) return <p class="muted">No older incidents.</p>
  if (hidesIncidents(query)) return <p class="muted">No incident matches. Change the filters to see more.</p>
  return (
    <EmptyState title="No incidents">
      <p>
        When a check goes down, an incident opens here, with its cause and its alerts. It closes when the
        check is up again.
      </p>
    </EmptyState>
  )
}

function Filters({ page, query, channels }: Pick<IncidentsPageProps, 'page' | 'query' | 'channels'>) {
  const path = link(page, incidentsPath(page))
  const state = query.open === null ? '' : query.open ? 'open' : 'closed'
  return (
    <form method="get" action={path} class="filter incidents-filter">
      <input
        type="search"
        name="search"
        value={query.search}
        placeholder="Check"
        aria-label="Name of the check"
      />
      <input type="search" name="tag" value={query.tag} placeholder="Tag" aria-label="Tag" />
      {channels.length > 0 ? (
        <select name="channel" aria-label="Integration">
          <option value="">All integrations</option>
          {channels.map(({ uuid, name, label }) => (
            <option value={uuid} selected={uuid === query.channel}>
              Sent to {name || label}
            </option>
          ))}
        </select>
      ) : query.channel === '' ? null : (
        <input type="hidden" name="channel" value={query.channel} />
      )}
      <select name="state" aria-label="State">
        {[
          ['', 'Open and closed'],
          ['open', 'Open'],
          ['closed', 'Closed'],
        ].map(([value, label]) => (
          <option value={value} selected={value === state}>
            {label}
          </option>
        ))}
      </select>
      <select name="days" aria-label="Days">
        {INCIDENT_SPANS.map(days => (
          <option value={String(days)} selected={days === query.days}>
            {days === 1 ? 'Last day' : `Last ${days} days`}
          </option>
        ))}
      </select>
      <Button small>Show</Button>
      {hidesIncidents(query) ? (
        <ButtonLink small look="quiet" href={path}>
          Show all
        </ButtonLink>
      ) : null}
    </form>
  )
}
