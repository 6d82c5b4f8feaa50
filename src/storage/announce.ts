import type { Changes } from '../lib/changes.js'
import type { Call } from './turns.js'

/** The parts of an announced write's result that say what it changed. */
export interface Announced {
  /** Whether checks may look different; true unless given. */
  checks?: boolean
  /** A deadline that moved earlier (ms). */
  wakeAt?: number | null
  /** Whether deliveries were added or are due earlier. */
  alerts?: boolean
  /** The projects in which more checks have to be declared down. */
  unfinished?: readonly number[]
}

/** `call`, which emits events on `changes` after each successful write. */
export function announced(call: Call, changes: Changes): Call {
  return async function (...args) {
    const result = await call.apply(this, args)
    const { checks = true, wakeAt = null, alerts = false, unfinished } = (result ?? {}) as Announced
    if (wakeAt !== null) changes.emit('deadline', { at: wakeAt })
    if (unfinished) changes.emit('goingDown', { projects: unfinished })
    if (alerts) changes.emit('deliveries', {})
    if (checks) changes.emit('checks', {})
    return result
  }
}
