// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type Key = {
  kind: 'rw' | 'ro' | 'ping'
  /** Its first characters; `ping` for the ping key. */
  hint: string
  /** Null for the ping key. */
  created_at: string | null
  /** The ping key, for tokens with the scopes that it amounts to; null for others. */
  key: string | null
}

export type NewKey = {
  kind: 'rw' | 'ro' | 'ping'
}

export type CreatedKey = {
  kind: 'rw' | 'ro' | 'ping'
  /** Its first characters; `ping` for the ping key. */
  hint: string
  /** An API key is shown only now. */
  key: string
}
