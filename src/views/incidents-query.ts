/** The query of the list of incidents, as in its address. */

import type { IncidentPlace } from '../core/incidents/recent-incident.js'
import { isUuid } from '../core/text/uuid.js'

/** The choices of how far back the list goes, in days. */
export const INCIDENT_SPANS = [1, 7, 30, 90, 400] as const

export interface IncidentsQuery {
  search: string
  tag: string
  /** The UUID of an integration to which they were sent; empty: any. */
  channel: string
  /** Only open ones, or only closed ones; null: both. */
  open: boolean | null
  days: number
  /** The last incident of the page before; null for the first page. */
  after: IncidentPlace | null
}

const USUAL_DAYS = 7

/** Parses the query of an address and ignores unknown values. */
export function readIncidentsQuery(params: URLSearchParams): IncidentsQuery {
  const state = params.get('state')
  const channel = params.get('channel') ?? ''
  const days = Number(params.get('days'))
  return {
    search: (params.get('search') ?? '').trim().slice(0, 200),
    tag: (params.get('tag') ?? '').trim().slice(0, 500),
    channel: isUuid(channel) ? channel : '',
    open: state === 'open' ? true : state === 'closed' ? false : null,
    days: INCIDENT_SPANS.find(span => span === days) ?? USUAL_DAYS,
    after: readPlace(params.get('after') ?? ''),
  }
}

function readPlace(text: string): IncidentPlace | null {
  const found = /^(\d{1,15})\.(\d{1,15})$/.exec(text)
  return found ? { openedAt: Number(found[1]), id: Number(found[2]) } : null
}

/** The query as the end of an address. */
export function incidentsSearch({ search, tag, channel, open, days, after }: IncidentsQuery): string {
  const params = new URLSearchParams()
  if (search !== '') params.set('search', search)
  if (tag !== '') params.set('tag', tag)
  if (channel !== '') params.set('channel', channel)
  if (open !== null) params.set('state', open ? 'open' : 'closed')
  if (days !== USUAL_DAYS) params.set('days', String(days))
  if (after !== null) params.set('after', `${after.openedAt}.${after.id}`)
  return params.size === 0 ? '' : `?${params}`
}

/** Whether the query hides incidents of its days. */
export function hidesIncidents({ search, tag, channel, open }: IncidentsQuery): boolean {
  return search !== '' || tag !== '' || channel !== '' || open !== null
}
