import type { Status } from '../../../core/checks/check.js'

/** The statuses that users see: `grace` is shown as late; `closed`: an incident that ended otherwise than by a recovery. */
export type ShownStatus = Status | 'running' | 'closed'

const WORDS: Record<ShownStatus, string> = {
  up: 'up',
  grace: 'late',
  down: 'down',
  paused: 'paused',
  new: 'new',
  running: 'running',
  closed: 'closed',
}

/** The status in words. */
export function statusWord(status: ShownStatus): string {
  return WORDS[status]
}

interface Props {
  status: ShownStatus
  /** A run is in progress: an arc turns around the symbol. */
  running?: boolean
  /** Shows the word beside the shape instead of only to screen readers. */
  word?: boolean
  /** Words instead of those of the status. */
  words?: string
}

/** A status as a shape and a word. The colour only repeats them. */
export function StatusGlyph({ status, running = false, word = false, words = WORDS[status] }: Props) {
  const text = words + (running && status !== 'running' ? ', running' : '')
  return (
    <span class={`status status-${status}`}>
      <svg class="glyph" viewBox="0 0 20 20" aria-hidden="true">
        {running && status !== 'running' ? <circle class="turning orbit" cx="10" cy="10" r="8.75" /> : null}
        <Shape status={status} />
      </svg>
      <span class={word ? 'status-word' : 'sr-only'}>{text}</span>
    </span>
  )
}

function Shape({ status }: { status: ShownStatus }) {
  switch (status) {
    case 'up':
      return <circle class="fill" cx="10" cy="10" r="6" />
    case 'grace':
      return (
        <>
          <circle class="stroke" cx="10" cy="10" r="5.25" />
          <path class="fill" d="M10 4a6 6 0 0 0 0 12z" />
        </>
      )
    case 'down':
      return <path class="fill" fill-rule="evenodd" d="M4 4h12v12H4zM6.5 9v2h7V9z" />
    case 'paused':
      return <path class="fill" d="M5.5 4.5h3v11h-3zM11.5 4.5h3v11h-3z" />
    case 'new':
      return <circle class="stroke dotted" cx="10" cy="10" r="5.25" />
    case 'closed':
      return <path class="stroke" d="M4.75 4.75h10.5v10.5H4.75zM7.5 10h5" />
    case 'running':
      return <circle class="turning arc" cx="10" cy="10" r="5.25" />
  }
}
