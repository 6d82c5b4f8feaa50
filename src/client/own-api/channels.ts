// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type Channel = {
  uuid: string
  kind: string
  name: string
  /** Secrets are masked. */
  settings: { [name: string]: string }
  enabled: boolean
  /** False until the owner of the address has agreed. */
  confirmed: boolean
  last_notify: string | null
  /** Of the last attempt; empty after a success. */
  last_error: string
  created_at: string
}

export type NewChannel = {
  kind: string
  name?: string
  /** By the names of the fields of the kind; all values are text, flags `true` or `false`. */
  settings?: { [name: string]: string }
}

export type ChannelSetup = {
  /** The page where a person finishes it, signed in. */
  setup_url: string
  reason: string
}

/** What is to be changed; everything is optional. */
export type ChannelChanges = {
  name?: string
  /** Those to be changed; the others, and secrets, stay. */
  settings?: { [name: string]: string }
  enabled?: boolean
}

/** The UUIDs of all checks that it is assigned to. */
export type ChannelChecks = {
  checks: string[]
}

export type NewChannelTest = {
  status: 'up' | 'down'
  /** Empty: it was delivered. */
  error: string
  duration_ms: number
}

export type ChannelTest = {
  results: {
    channel: string
    status: 'up' | 'down'
    /** Empty: it was delivered. */
    error: string
    duration_ms: number
  }[]
}

export type ChannelNotifications = {
  notifications: {
    at: string
    /** Null for tests and notices. */
    check: string | null
    status: string
    /** Null if none was made: the message was dropped, and `error` says why. */
    attempt: number | null
    /** Empty after a success. */
    error: string
    test: boolean
  }[]
}
