import type { Status } from '../../../core/checks/check.js'
import { statusWord } from '../checks/status-glyph.js'

/** What happened to a notification about a status: `Alert sent`, `Sending recovery`, `Alert not delivered`. */
export function sendingWords(status: string, error: string): string {
  const what = MESSAGES[status] ?? `“${statusWord(status as Status)}”`
  if (error === 'Sending') return `Sending ${what.toLowerCase()}`
  return `${what} ${hasFailed(error) ? 'not delivered' : 'sent'}`
}

const MESSAGES: Readonly<Record<string, string>> = { down: 'Alert', up: 'Recovery' }

/** Whether the error of a notification is one: it is empty once it was sent, and `Sending` until then. */
export function hasFailed(error: string): boolean {
  return error !== '' && error !== 'Sending'
}
