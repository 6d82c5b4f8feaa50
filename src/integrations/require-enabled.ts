import { DeliveryError, type Destination } from './integration.js'

/**
 * Throws where the operator has switched a kind off with the flag `setting`. `label` begins the sentence.
 * Source: docs/behaviour.md, section 8.4.
 */
export function requireEnabled(to: Destination, setting: string, label: string): void {
  if (to.operator[setting] === 'false') throw new DeliveryError(`${label} notifications are not enabled.`)
}
