import type { Finding } from '../../../core/checks/findings/index.js'
import { NOTE_LENGTH } from '../../../core/incidents/acknowledgement.js'
import type { IncidentEntry, ListedIncident } from '../../../core/incidents/listed-incident.js'
import { runLength } from '../../../core/time/duration.js'
import { Elapsed } from '../../components/elapsed.js'
import { Findings, type FoundCheck } from '../../components/findings.js'
import { Button } from '../../components/forms/button.js'
import { TextArea } from '../../components/forms/field.js'
import { PostForm } from '../../components/forms/post-form.js'
import { Acknowledgement, incidentPath } from '../../components/incidents/acknowledgement.js'
import { IncidentTimeline } from '../../components/incidents/incident-timeline.js'
import {
  causeWords,
  endWords,
  IncidentGlyph,
  incidentLabel,
  incidentStanding,
} from '../../components/incidents/incident-words.js'
import { LiveMark } from '../../components/live-mark.js'
import { LastOutput, type ShownOutput } from '../../components/pings/last-output.js'
import { SnoozeMenu } from '../../components/silences/snooze-menu.js'
import { Time } from '../../components/time.js'
import { Layout } from '../../layout.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'

export interface IncidentPageProps {
  page: PageContext
  incident: ListedIncident
  entries: readonly IncidentEntry[]
  output: ShownOutput | null
  /** While it is open and the check is in the project; else null. */
  check: FoundCheck | null
  findings: readonly Finding[]
  version: string
}

/** The page of an incident: what happened, what was sent, and who is on it. */
export function IncidentPage(props: IncidentPageProps) {
  const { page, incident, check, findings, version } = props
  const path = incidentPath(page, incident.id)
  return (
    <Layout
      page={page}
      title={`Incident: ${incidentLabel(incident.check)}`}
      section="incidents"
      parent="incidents"
      scripts={['live', 'output']}
    >
      <LiveMark page={page} live={{ path: `${path}live/`, version }} />
      <IncidentState {...props} />
      {check ? <Findings page={page} check={check} findings={findings} channels={[]} /> : null}
      <section class="section">
        <h2>Events</h2>
        <IncidentEvents {...props} />
        {mayWrite(page) ? <NoteForm page={page} incident={incident} /> : null}
      </section>
    </Layout>
  )
}

/** A note is a field of the acknowledgement too; as long as that form is shown, this one is folded. */
function NoteForm({ page, incident }: Pick<IncidentPageProps, 'page' | 'incident'>) {
  const form = (
    <PostForm page={page} action={`${incidentPath(page, incident.id)}notes/`} class="note-form">
      <TextArea label="Note" name="note" rows={2} maxlength={NOTE_LENGTH} required />
      <Button>Add note</Button>
    </PostForm>
  )
  if (incident.closedAt !== null || incident.acknowledged !== null) return form
  return (
    <details class="note-more">
      <summary>Add a note without acknowledging</summary>
      {form}
    </details>
  )
}

/** The check, its state in a sentence, its output, and the acknowledgement. */
export function IncidentState({ page, incident, output }: Omit<IncidentPageProps, 'version'>) {
  const { check, closedAt } = incident
  return (
    <div id="incident" data-part class={`state is-${incidentStanding(incident).status}`}>
      <h1>
        <IncidentGlyph incident={incident} />
        <span>{incidentLabel(check)}</span>
      </h1>
      <p class="state-words">
        <StateWords page={page} incident={incident} />
      </p>
      <Acknowledgement page={page} incident={incident} />
      {output && check.uuid ? (
        <LastOutput page={page} checkUuid={check.uuid} output={output} until="before it went down" />
      ) : null}
      {check.uuid ? (
        <div class="spaced incident-links">
          {closedAt === null ? <SnoozeMenu page={page} checkUuid={check.uuid} /> : null}
          <a href={link(page, `/checks/${check.uuid}/details/`)}>View the check</a>
        </div>
      ) : null}
    </div>
  )
}

function StateWords({ page, incident }: Pick<IncidentPageProps, 'page' | 'incident'>) {
  const { sinceAt, openedAt, downAt, closedAt, closedBy } = incident
  const at = (ms: number) => <Time page={page} at={ms} show="clock" />
  if (closedAt === null) {
    return (
      <>
        Down since {at(downAt)}, <Elapsed page={page} since={downAt} />. {causeWords(page, incident)}
        {sinceAt < openedAt ? <> The first failure was at {at(sinceAt)}.</> : null}
        {downAt > openedAt ? <> It first went down at {at(openedAt)}, and came up in between.</> : null}
      </>
    )
  }
  return (
    <>
      {closedBy === 'paused' ? <strong>Closed: paused. </strong> : null}
      Was down from {at(openedAt)} to {at(closedAt)}, {runLength(closedAt - openedAt)}.{' '}
      {causeWords(page, incident)}
      {closedBy === 'paused' ? null : <> {endWords(closedBy!)}.</>}
    </>
  )
}

/** The timeline, as a part that changes. */
export function IncidentEvents({ page, entries }: Pick<IncidentPageProps, 'page' | 'entries'>) {
  return (
    <div id="incident-events" data-part>
      <IncidentTimeline page={page} entries={entries} />
    </div>
  )
}
