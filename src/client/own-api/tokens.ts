// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type Token = {
  uuid: string
  name: string
  scopes: (
    | 'checks:read'
    | 'checks:write'
    | 'pings:read'
    | 'pings:write'
    | 'incidents:write'
    | 'channels:write'
    | 'config:write'
    | 'log:read'
    | 'members:write'
  )[]
  expires_at: string | null
  /** Its first characters. */
  hint: string
  /** Null: the operator, or a closed account. */
  author: string | null
  created_at: string
  /** To the hour; null: never. */
  used_at: string | null
}

export type NewToken = {
  name: string
  scopes: (
    | 'checks:read'
    | 'checks:write'
    | 'pings:read'
    | 'pings:write'
    | 'incidents:write'
    | 'channels:write'
    | 'config:write'
    | 'log:read'
    | 'members:write'
  )[]
  /** Null: never. */
  expires_at: string | null
}

export type CreatedToken = {
  uuid: string
  name: string
  scopes: (
    | 'checks:read'
    | 'checks:write'
    | 'pings:read'
    | 'pings:write'
    | 'incidents:write'
    | 'channels:write'
    | 'config:write'
    | 'log:read'
    | 'members:write'
  )[]
  expires_at: string | null
  /** Shown only now. */
  token: string
}
