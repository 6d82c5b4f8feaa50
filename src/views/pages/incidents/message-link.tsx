import { causeSentence } from '../../../core/incidents/cause-detail.js'
import type { ListedIncident } from '../../../core/incidents/listed-incident.js'
import { LONGEST_LIST } from '../../../core/silences/limits.js'
import { capitalize } from '../../../core/text/capitalize.js'
import { plural } from '../../../core/text/plural.js'
import { clockWords, clockWordsWithZone, exactWords } from '../../../core/time/instant.js'
import { Button } from '../../components/forms/button.js'
import { PostForm } from '../../components/forms/post-form.js'
import { AcknowledgeFields } from '../../components/incidents/acknowledge-fields.js'
import { incidentLabel } from '../../components/incidents/incident-words.js'
import { PageHead } from '../../components/page-head.js'
import { SNOOZES } from '../../components/silences/snooze-buttons.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  /** The path to which the buttons post. */
  action: string
  /** What the message was about: an incident, or those of several that are open. Null: the link is wrong. */
  incidents: readonly ListedIncident[] | null
  /** The time zone of the reader. */
  tz: string
  /** Until when (ms) the reader has just silenced it; null: they have not. */
  silencedUntil: number | null
}

/** The maximum number of checks that are named; the rest is counted. */
const MOST_NAMED = 20

/** The page behind the link in a message. It shows what the message showed, and buttons to acknowledge and to silence. */
export function MessageLinkPage({ page, action, incidents, tz, silencedUntil }: Props) {
  const { title, lead } = headOf({ page, incidents, tz, silencedUntil })
  const open = (incidents ?? []).filter(isOpen)
  const waiting = open.filter(({ acknowledged }) => acknowledged === null)
  const silenceable = open.filter(({ check }) => check.uuid !== null).length
  return (
    <Layout page={page} title={title} measure="form">
      <PageHead title={title} lead={lead} />
      <div class="stack">
        {open.length > 1 ? <Names incidents={open} tz={tz} /> : null}
        {waiting.length > 0 ? (
          <PostForm page={page} action={action} class="ack-form">
            <AcknowledgeFields look="primary" />
          </PostForm>
        ) : null}
        {silenceable > 0 && silenceable <= LONGEST_LIST ? (
          <SilenceForm page={page} action={action} checks={silenceable} tz={tz} />
        ) : null}
      </div>
    </Layout>
  )
}

function headOf(asked: Omit<Props, 'action'>): { title: string; lead: string } {
  const { incidents, tz } = asked
  if (incidents === null) {
    const lead =
      'This link is incomplete, or no longer valid: its integration was changed or removed, or its incident is no longer kept. Nothing was changed.'
    return { title: 'Incorrect link', lead }
  }
  const open = incidents.filter(isOpen)
  if (open.length === 0) return { title: 'It is over', lead: overWords(incidents, tz) }
  const waiting = open.filter(({ acknowledged }) => acknowledged === null)
  const [only] = open.length === 1 ? open : []
  const since = only ? `${incidentLabel(only.check)} has been down since ${exactWords(only.downAt, tz)}.` : ''
  if (asked.silencedUntil !== null) {
    const until = clockWordsWithZone(asked.silencedUntil, asked.page.now, tz)
    const what = `Further alerts are held until ${until}; a recovery is sent at once.`
    return { title: 'Silenced', lead: `${since} ${what}`.trim() }
  }
  const stops = 'Repeats and further steps stop; the recovery is sent.'
  if (waiting.length === 0) {
    const at = only ? ` It was acknowledged ${exactWords(only.acknowledged!.at, tz)}.` : ''
    return { title: 'Acknowledged', lead: `${since}${at} ${stops}`.trim() }
  }
  const name = only ? incidentLabel(only.check) : plural(waiting.length, 'incident')
  const why = only ? `${since} ${causeOf(only, asked.page.now, tz)}` : ''
  return { title: `Acknowledge ${name}?`, lead: `${why} ${stops}`.trim() }
}

function causeOf({ cause, detail }: ListedIncident, now: number, tz: string): string {
  return causeSentence(cause, detail, (ms, zone = tz) => clockWords(ms, now, zone), tz)
}

function overWords([incident]: readonly ListedIncident[], tz: string): string {
  if (incident === undefined)
    return 'Every incident in this message is closed. There is nothing to acknowledge.'
  const closed = `the incident closed ${exactWords(incident.closedAt!, tz)}`
  const down = `${incidentLabel(incident.check)} went down ${exactWords(incident.downAt, tz)}`
  return `${down}, and ${closed}. There is nothing to acknowledge.`
}

function isOpen({ closedAt }: ListedIncident): boolean {
  return closedAt === null
}

function Names({ incidents, tz }: { incidents: readonly ListedIncident[]; tz: string }) {
  const rest = incidents.length - MOST_NAMED
  return (
    <ul>
      {incidents.slice(0, MOST_NAMED).map(({ check, downAt, acknowledged }) => (
        <li>
          {incidentLabel(check)}: down since {exactWords(downAt, tz)}
          {acknowledged === null ? '' : ', acknowledged'}
        </li>
      ))}
      {rest > 0 ? <li>and {rest} more</li> : null}
    </ul>
  )
}

function SilenceForm({
  page,
  action,
  checks,
  tz,
}: Pick<Props, 'page' | 'action' | 'tz'> & { checks: number }) {
  const what = checks === 1 ? 'this check' : `these ${checks} checks`
  return (
    <section class="section stack">
      <h2>Silence {what}</h2>
      <p>Further alerts are held for that time. A recovery is sent at once.</p>
      <PostForm page={page} action={action} class="form-line">
        {Object.entries(SNOOZES).map(([value, label]) => (
          <Button name="for" value={value}>
            {value === 'tomorrow' ? `${capitalize(label)} (${tz})` : `For ${label}`}
          </Button>
        ))}
      </PostForm>
    </section>
  )
}
