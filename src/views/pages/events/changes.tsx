import { actorWords } from '../../../core/events/actor.js'
import type { RecordedEvent } from '../../../core/events/event.js'
import { eventWords, KIND_WORDS } from '../../../core/events/event-words.js'
import { objectLabel } from '../../../core/events/object-label.js'
import { type EventNames, type ShownChange, shownChanges } from '../../../core/events/shown-changes.js'
import { EmptyState } from '../../components/empty-state.js'
import { Button, ButtonLink } from '../../components/forms/button.js'
import { Select, Tick } from '../../components/forms/field.js'
import { PageHead } from '../../components/page-head.js'
import { Table } from '../../components/table.js'
import { Time } from '../../components/time.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  projectUuid: string
  /** The filters; null: all. */
  kind: string | null
  object: string | null
  /** Whether what Punctual noticed by itself is listed too. */
  withOwn: boolean
  events: readonly RecordedEvent[]
  names: EventNames
  showsAddresses: boolean
  /** The address of older events; null if there are none. */
  older: string | null
}

/** Who changed what in a project, newest first. */
export function ChangesPage({ page, projectUuid, events, names, showsAddresses, older, ...filter }: Props) {
  return (
    <Layout page={page} title="Change log" section="log" parent="log">
      <PageHead
        title="Change log"
        lead="Who changed what in this project, newest first. Changes are kept for 400 days."
      />
      <Filter page={page} projectUuid={projectUuid} {...filter} />
      {events.length === 0 ? (
        <EmptyState title="No changes">
          <p>{emptyWords(isFiltered(filter), older !== null)}</p>
        </EmptyState>
      ) : (
        <Table
          caption="Change log"
          class="log changes"
          columns={[{ title: 'When' }, { title: 'Who' }, { title: 'What' }, { title: 'Before and after' }]}
        >
          {events.map(event => (
            <Row page={page} event={event} names={names} showsAddresses={showsAddresses} />
          ))}
        </Table>
      )}
      {older ? (
        <p class="spaced">
          <ButtonLink href={older}>Older changes</ButtonLink>
        </p>
      ) : null}
    </Layout>
  )
}

function emptyWords(isFiltered: boolean, hasOlder: boolean): string {
  if (hasOlder) return 'None of the newest changes matches these filters. Older ones may.'
  return isFiltered ? 'No change matches these filters.' : 'Nothing has been changed yet.'
}

function isFiltered({ kind, object }: Pick<Props, 'kind' | 'object'>): boolean {
  return kind !== null || object !== null
}

type FilterProps = Pick<Props, 'page' | 'projectUuid' | 'kind' | 'object' | 'withOwn'>

function Filter({ page, projectUuid, kind, object, withOwn }: FilterProps) {
  const kinds = Object.entries(KIND_WORDS).map(([value, label]) => ({ value, label }))
  return (
    <form method="get" action={link(page, `/projects/${projectUuid}/changes/`)} class="filter">
      {object === null ? null : <input type="hidden" name="object" value={object} />}
      <Select
        label="Object"
        name="kind"
        value={kind ?? ''}
        options={[{ value: '', label: 'Everything' }, ...kinds]}
      />
      <Tick name="all" value="1" label="Include status changes by Punctual" checked={withOwn} />
      <Button small>Show</Button>
    </form>
  )
}

function Row({
  page,
  event,
  names,
  showsAddresses,
}: {
  page: PageContext
  event: RecordedEvent
  names: EventNames
  showsAddresses: boolean
}) {
  const address = showsAddresses ? event.actor?.address : null
  const label = objectLabel(event, names)
  return (
    <tr>
      <td class="log-when">
        <Time page={page} at={event.at} show="clock" />
      </td>
      <td>
        {actorWords(event.actor)}
        {address ? <span class="under"> from {address}</span> : null}
      </td>
      <td class="log-what">
        {eventWords(event)}
        {label === null ? null : ': '}
        {label === null ? null : <span class="name">{label}</span>}
      </td>
      <td>
        {shownChanges(event, names).map(change => (
          <Change change={change} />
        ))}
      </td>
    </tr>
  )
}

function Change({ change: { field, before, after } }: { change: ShownChange }) {
  return (
    <div class="change">
      <span class="muted">{field}:</span> {before === null ? null : <del>{before}</del>}
      {before !== null && after !== null ? ' → ' : null}
      {after === null ? null : <ins>{after}</ins>}
    </div>
  )
}
