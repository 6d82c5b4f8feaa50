// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type ProjectEntry = {
  uuid: string
  name: string
  /** That of the person of the token, or that of the token. */
  role: 'owner' | 'manager' | 'member' | 'readonly'
}

export type NewProject = {
  /** At most 100 characters. */
  name: string
}

export type Project = {
  uuid: string
  name: string
  /** That of the person of the token, or that of the token. */
  role: 'owner' | 'manager' | 'member' | 'readonly'
  /** How version 3 of the API that Healthchecks has lists flips; `default`: as the operator set it. */
  flips: 'default' | 'array' | 'object'
  /** The protocols of other monitors that the project accepts. */
  protocols: ('sentry' | 'alertmanager' | 'gatus' | 'cronitor' | 'uptime-kuma')[]
}

/** What is to be changed; everything is optional. */
export type ProjectChanges = {
  /** At most 100 characters. */
  name?: string
  /** How version 3 of the API that Healthchecks has lists flips; `default`: as the operator set it. */
  flips?: 'default' | 'array' | 'object'
  /** The protocols of other monitors that the project accepts. */
  protocols?: ('sentry' | 'alertmanager' | 'gatus' | 'cronitor' | 'uptime-kuma')[]
}

export type NewOffer = {
  /** The UUID of a member. */
  member: string
}
