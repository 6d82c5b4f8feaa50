import type { EventActor } from '../../core/events/actor.js'
import { currentActor } from '../../lib/actor.js'

/** Who calls a method that writes, as its events keep it; null: Punctual itself. */
export function eventActor(): EventActor | null {
  const { kind, id, name, address } = currentActor()
  return kind === 'system' ? null : { kind, id, name, address }
}
