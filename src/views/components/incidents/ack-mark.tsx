import type { Acknowledgement } from '../../../core/incidents/listed-incident.js'
import { clockWords } from '../../../core/time/instant.js'
import { type PageContext, zoneOf } from '../../page-context.js'

/** The mark of a check whose incident is acknowledged, for a row: a tick and who did it. Nothing without one. */
export function AckMark({ page, ack }: { page: PageContext; ack: Acknowledgement | null }) {
  if (ack === null) return null
  const until = ack.until === null ? '' : ` until ${clockWords(ack.until, page.now, zoneOf(page))}`
  const words = `acknowledged by ${ack.by}${until}`
  return (
    <span class="acknowledged" title={ack.note === '' ? words : `${words}: ${ack.note}`}>
      {words}
    </span>
  )
}
