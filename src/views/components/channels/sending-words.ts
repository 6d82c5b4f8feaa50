import { needlessReason } from '../../../core/alerts/delivery/drop-notes.js'
import type { Status } from '../../../core/checks/check.js'
import { droppedWords } from '../../../core/incidents/entry-words.js'
import { statusWord } from '../checks/status-glyph.js'

/**
 * What happened to a notification about a status: `Alert sent`, `Sending recovery`, `Alert not delivered`, or `Alert not
 * sent` if nothing was left to say.
 */
export function sendingWords(status: string, error: string): string {
  const what = MESSAGES[status] ?? `“${statusWord(status as Status)}”`
  if (error === 'Sending') return `Sending ${what.toLowerCase()}`
  if (hasFailed(error)) return `${what} not delivered`
  return `${what} ${whyNeedless(error) === null ? 'sent' : 'not sent'}`
}

const MESSAGES: Readonly<Record<string, string>> = { down: 'Alert', up: 'Recovery' }

/**
 * Whether the error of a notification is one: it is empty once it was sent, `Sending` until then, and a note if nothing was
 * left to say.
 */
export function hasFailed(error: string): boolean {
  return error !== '' && error !== 'Sending' && needlessReason(error) === null
}

/** Why nothing was left to say; null if there was. */
export function whyNeedless(error: string): string | null {
  const reason = needlessReason(error)
  return reason && droppedWords({ reason, text: '' })
}
