/**
 * Who does what the current request or command does. It is set once, where a request is authenticated or a command
 * begins, and read where changes are recorded.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

export interface Actor {
  /** `link`: a person who is not signed in, with a link from a message. `system`: Punctual by itself. */
  kind: 'person' | 'token' | 'key' | 'link' | 'command' | 'system'
  /** The UUID of the person or the token; null if it has none. */
  id: string | null
  /** As people see it: an e-mail address, the name of a token. */
  name: string
  /** The IP address of the client; null if there is none. */
  address: string | null
}

/** Punctual itself. */
export const SYSTEM: Actor = { kind: 'system', id: null, name: 'Punctual', address: null }

const current = new AsyncLocalStorage<Actor>()

/** Runs `work`, and everything that it waits for, as done by `actor`. */
export function actAs<T>(actor: Actor, work: () => T): T {
  return current.run(actor, work)
}

/** Who acts; Punctual itself if nobody was set. */
export function currentActor(): Actor {
  return current.getStore() ?? SYSTEM
}
