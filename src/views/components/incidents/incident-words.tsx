import { checkLabel } from '../../../core/alerts/alert.js'
import { type CauseDetail, causeSentence } from '../../../core/incidents/cause-detail.js'
import type { ClosedBy } from '../../../core/incidents/incident.js'
import type {
  Acknowledgement,
  IncidentCheck,
  ListedIncident,
} from '../../../core/incidents/listed-incident.js'
import type { RecentIncident } from '../../../core/incidents/recent-incident.js'
import { plural } from '../../../core/text/plural.js'
import { clockWords } from '../../../core/time/instant.js'
import { link, type PageContext, zoneOf } from '../../page-context.js'
import { type ShownStatus, StatusGlyph } from '../checks/status-glyph.js'
import { Time } from '../time.js'

/** The name of the check of an incident. */
export function incidentLabel({ name, uniqueKey }: IncidentCheck): string {
  if (uniqueKey === null) return name || 'A deleted check'
  return checkLabel({ name, slug: '', uniqueKey })
}

/** The cause of an incident as a sentence, by the reader's clock. */
export function causeWords(
  page: Pick<PageContext, 'now' | 'user'>,
  { cause, detail }: { cause: string; detail: CauseDetail },
): string {
  const zone = zoneOf(page)
  return causeSentence(cause, detail, (ms, tz = zone) => clockWords(ms, page.now, tz), zone)
}

/** How an incident stands in a few words: `down`, `up`, `closed: paused`. */
const STANDS: Record<ClosedBy, { status: ShownStatus; words: string }> = {
  recovery: { status: 'up', words: 'up again' },
  paused: { status: 'paused', words: 'closed: paused' },
  deleted: { status: 'closed', words: 'closed: check deleted' },
  person: { status: 'closed', words: 'closed: check moved or log cleared' },
}

type Standing = Pick<ListedIncident, 'closedBy'>

/** The status that an incident is shown with, and its words. */
export function incidentStanding({ closedBy }: Standing): { status: ShownStatus; words: string } {
  return closedBy === null ? { status: 'down', words: 'down' } : STANDS[closedBy]
}

/** How an incident stands, as a shape and words. */
export function IncidentGlyph({ incident }: { incident: Standing }) {
  return <StatusGlyph {...incidentStanding(incident)} />
}

/** How an incident ended if its check did not come up, after its length: `, closed: paused`. */
export function otherEnd(incident: Standing): string {
  const { closedBy } = incident
  return closedBy === null || closedBy === 'recovery' ? '' : `, ${STANDS[closedBy].words}`
}

const ENDS: Record<ClosedBy, string> = {
  recovery: 'The check came back up',
  paused: 'The check was paused',
  deleted: 'The check was deleted',
  person: 'The check was moved, or its log was cleared',
}

/** How an incident ended. */
export function endWords(by: ClosedBy): string {
  return ENDS[by]
}

/** What became of its down alerts. */
export function OutcomeWords({ page, incident }: { page: PageContext; incident: RecentIncident }) {
  const { sent, failed, held, integrations } = incident.outcome
  const open = incident.closedAt === null
  const missed = failed > 0 ? `, not to ${failed}` : ''
  if (sent > 0) return <>{`Sent to ${plural(sent, 'integration')}${missed}`}</>
  if (failed > 0) return <span class="state-bad">Could not be sent</span>
  if (held !== '') return <>{open ? `Held: ${held}` : `Not sent: ${held}`}</>
  if (!open || integrations === 'some') return <span class="muted">{open ? 'Not sent yet' : 'Not sent'}</span>
  const { uuid } = incident.check
  const words = integrations === 'none' ? 'No integrations' : 'All integrations are disabled'
  if (uuid === null) return <>{words}</>
  return <a href={link(page, `/checks/${uuid}/details/#integrations`)}>{words}</a>
}

/** Who acknowledged it, and until when. */
export function AckWords({ page, ack }: { page: PageContext; ack: Acknowledgement }) {
  return (
    <>
      Acknowledged by {ack.by}
      {ack.until === null ? null : (
        <>
          {' '}
          until <Time page={page} at={ack.until} show="clock" />
        </>
      )}
      {ack.note === '' ? null : <>: {ack.note}</>}
    </>
  )
}
