import { NOTE_LENGTH } from '../../../core/incidents/acknowledgement.js'
import { UNTIL_CHOICES } from '../../../core/incidents/until-choice.js'
import { Button } from '../forms/button.js'

/** The note, the end and the button of an acknowledgement, in one line. */
export function AcknowledgeFields({ look = 'plain' }: { look?: 'plain' | 'primary' }) {
  return (
    <>
      <input
        class="ack-note"
        name="note"
        maxlength={NOTE_LENGTH}
        placeholder="Note (optional)"
        aria-label="Note"
      />
      <select class="ack-until" name="until" aria-label="How long">
        {UNTIL_CHOICES.map(({ value, label }) => (
          <option value={value}>{label}</option>
        ))}
      </select>
      <Button look={look}>Acknowledge</Button>
    </>
  )
}

/** How a form names incidents of a project: `UUID:1,2`. */
export function incidentValue(incidents: readonly { id: number; project: { uuid: string } }[]): string {
  const ids = new Map<string, number[]>()
  for (const { id, project } of incidents) ids.set(project.uuid, [...(ids.get(project.uuid) ?? []), id])
  return [...ids].map(([uuid, of]) => `${uuid}:${of.join(',')}`).join(' ')
}
