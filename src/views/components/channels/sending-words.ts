import type { Status } from '../../../core/checks/check.js'
import { statusWord } from '../checks/status-glyph.js'

/** What happened to a notification about a status: `Sent “down”`, `Sending “up”`, `Could not send “down”`. */
export function sendingWords(status: string, error: string): string {
  const verb = hasFailed(error) ? 'Could not send' : error === 'Sending' ? 'Sending' : 'Sent'
  return `${verb} “${statusWord(status as Status)}”`
}

/** Whether the error of a notification is one: it is empty once it was sent, and `Sending` until then. */
export function hasFailed(error: string): boolean {
  return error !== '' && error !== 'Sending'
}
