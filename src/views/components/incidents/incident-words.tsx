import { checkLabel } from '../../../core/alerts/alert.js'
import { reasonText } from '../../../core/alerts/down-reason.js'
import type { FlipReason } from '../../../core/checks/flip.js'
import type { ClosedBy } from '../../../core/incidents/incident.js'
import type { Acknowledgement, IncidentCheck } from '../../../core/incidents/listed-incident.js'
import type { Outcome } from '../../../core/incidents/recent-incident.js'
import { plural } from '../../../core/text/plural.js'
import { sentence } from '../../../core/text/sentence.js'
import type { PageContext } from '../../page-context.js'
import { Time } from '../time.js'

/** The name of the check of an incident. */
export function incidentLabel({ name, uniqueKey }: IncidentCheck): string {
  if (uniqueKey === null) return name || 'A deleted check'
  return checkLabel({ name, slug: '', uniqueKey })
}

/** The cause of an incident as a sentence. */
export function causeSentence(cause: string): string {
  return sentence(reasonText({ reason: cause as FlipReason })) || 'It went down.'
}

const ENDS: Record<ClosedBy, string> = {
  recovery: 'It came back up',
  paused: 'The check was paused',
  deleted: 'The check was deleted',
  person: 'The check was moved, or its log was cleared',
}

/** How an incident ended. */
export function endWords(by: ClosedBy): string {
  return ENDS[by]
}

/** What became of its down alerts. */
export function OutcomeWords({ outcome, open }: { outcome: Outcome; open: boolean }) {
  const { sent, failed, held } = outcome
  const missed = failed > 0 ? `, not to ${failed}` : ''
  if (sent > 0) return <>{`Sent to ${plural(sent, 'integration')}${missed}`}</>
  if (failed > 0) return <span class="state-bad">Could not be sent</span>
  if (held !== '') return <>{open ? `Held: ${held}` : `Not sent: ${held}`}</>
  return <span class="muted">{open ? 'Not sent yet' : 'Not sent'}</span>
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
