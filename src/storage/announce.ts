import type { Changes } from '../lib/changes.js'

/** What the result of an announced write may say besides. */
interface Announced {
  /** A deadline that came earlier (ms). */
  wakeAt?: number | null
  /** Whether a delivery was added. */
  alerts?: boolean
}

type Call = (...args: never[]) => Promise<unknown>

/** `call`, and when it has written, `changes` says that checks may look different, and what its result says besides. */
export function announced(call: Call, changes: Changes): Call {
  return async (...args) => {
    const result = await call(...args)
    const { wakeAt = null, alerts = false } = (result ?? {}) as Announced
    if (wakeAt !== null) changes.emit('deadline', { at: wakeAt })
    if (alerts) changes.emit('deliveries', {})
    changes.emit('checks', {})
    return result
  }
}
