import { DeliveryError, type Destination } from './integration.js'

/**
 * Throws if the operator has turned a kind off with the flag `setting`. `label` begins the message.
 * Source: docs/behaviour.md, section 8.4.
 */
export function requireEnabled(to: Destination, setting: string, label: string): void {
  if (to.operator[setting] === 'false') throw new DeliveryError(`${label} notifications are not enabled.`)
}
