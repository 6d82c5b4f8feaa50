import { DeliveryError, type Destination } from './integration.js'

/**
 * Throws where the operator has switched a kind off with the flag `setting`. `label` begins the sentence.
 * Source: section 8.4 of the behaviour.
 */
export function requireEnabled(to: Destination, setting: string, label: string): void {
  if (to.operator[setting] === 'false') throw new DeliveryError(`${label} notifications are not enabled.`)
}
