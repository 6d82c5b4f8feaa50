/** Who does what a request or a command does, once the request is authenticated. */
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
