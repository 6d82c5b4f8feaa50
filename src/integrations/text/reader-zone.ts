import type { Alert } from '../../core/alerts/alert.js'
import type { Destination } from '../integration.js'

/** The time zone of an alert's times: that of the recipient, if it is known, else that of the check's schedule. */
export function readerZone({ check }: Pick<Alert, 'check'>, { timeZone }: Destination): string {
  return timeZone ?? (check.kind === 'simple' ? 'UTC' : check.tz)
}
