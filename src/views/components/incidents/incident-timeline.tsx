import type { Status } from '../../../core/checks/check.js'
import { droppedWords, heldWords } from '../../../core/incidents/entry-words.js'
import type { IncidentEntry, TimelineChannel } from '../../../core/incidents/listed-incident.js'
import { type MergedEntry, mergeEntries } from '../../../core/incidents/merged-entries.js'
import { plural } from '../../../core/text/plural.js'
import type { PageContext } from '../../page-context.js'
import { ChannelLink } from '../channels/channel-link.js'
import { hasFailed, sendingWords } from '../channels/sending-words.js'
import { statusWord } from '../checks/status-glyph.js'
import { Time } from '../time.js'
import { causeWords, endWords } from './incident-words.js'

interface Props {
  page: PageContext
  entries: readonly IncidentEntry[]
}

/** Everything that happened to an incident, newest first. */
export function IncidentTimeline({ page, entries }: Props) {
  return (
    <ol class="timeline incident-timeline">
      {mergeEntries(entries)
        .toReversed()
        .map(({ entry, channels }) => (
          <li class={`event event-${entry.type}`}>
            <div class="event-link">
              <span class="event-at">
                <Time page={page} at={entry.at} show="clock" />
              </span>
              <span class="event-kind">{kindWords(entry)}</span>
              <span class="event-what">
                <What page={page} entry={entry} channels={channels} />
              </span>
            </div>
          </li>
        ))}
    </ol>
  )
}

function kindWords(entry: IncidentEntry) {
  switch (entry.type) {
    case 'opened':
      return <strong>Went down</strong>
    case 'reopened':
      return <strong>Went down again</strong>
    case 'closed':
      return (
        <strong>
          {entry.by === 'recovery' ? 'Came up' : entry.by === 'paused' ? 'Closed: paused' : 'Closed'}
        </strong>
      )
    case 'message': {
      const words = sendingWords(entry.status, entry.error)
      return hasFailed(entry.error) ? <span class="state-bad">{words}</span> : words
    }
    case 'held':
      return 'Held'
    case 'dropped':
      return droppedKind(entry.text)
    case 'acknowledged':
      return 'Acknowledged'
    case 'unacknowledged':
      return 'No longer acknowledged'
    case 'note':
      return 'Note'
  }
}

/** What was not sent: `“down” not sent`. */
function droppedKind(text: string): string {
  if (text === 'step') return 'Step not sent'
  return text === 'repeat' ? 'Repeat not sent' : `“${statusWord(text as Status)}” not sent`
}

function What({ page, entry, channels }: { page: PageContext } & MergedEntry) {
  switch (entry.type) {
    case 'opened':
    case 'reopened':
      return <>{causeWords(page, entry)}</>
    case 'closed':
      return <>{endWords(entry.by)}.</>
    case 'message':
      return (
        <>
          <Channels page={page} channels={channels} />
          {entry.attempts > 1 ? (
            <>
              , {plural(entry.attempts, 'attempt')}, the last at{' '}
              <Time page={page} at={entry.lastAt} show="clock" />
            </>
          ) : null}
          {hasFailed(entry.error) ? `: ${entry.error}` : null}
        </>
      )
    case 'held':
      return (
        <>
          <Channels page={page} channels={channels} />: {heldWords(entry)}
          {entry.until === null ? null : (
            <>
              , until <Time page={page} at={entry.until} show="clock" />
            </>
          )}
        </>
      )
    case 'dropped':
      return (
        <>
          <Channels page={page} channels={channels} />: {droppedWords(entry)}
        </>
      )
    case 'acknowledged':
      return (
        <>
          by {entry.by}
          {entry.until === null ? null : (
            <>
              {' '}
              until <Time page={page} at={entry.until} show="clock" />
            </>
          )}
          {entry.note === '' ? null : <>: {entry.note}</>}
        </>
      )
    case 'unacknowledged':
      return <>by {entry.by}</>
    case 'note':
      return (
        <>
          <span class="note-text">{entry.note}</span> <span class="muted">{entry.by}</span>
        </>
      )
  }
}

function Channels({ page, channels }: { page: PageContext; channels: readonly TimelineChannel[] }) {
  return (
    <>
      {channels.map((channel, index) => (
        <>
          {index > 0 ? ', ' : ''}
          {channel === null ? 'a deleted integration' : <ChannelLink page={page} channel={channel} />}
        </>
      ))}
    </>
  )
}
