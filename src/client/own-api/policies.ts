// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

/** A policy, as a read-write key sees it. */
export type Policy = {
  id: number
  name: string
  default: boolean
  repeat: {
    every: number
    times: number
  } | null
  /** How many checks name it. */
  checks: number
  steps: {
    after: number
    channels: 'check' | string[]
  }[]
}

/** A policy, as a read-only key sees it. */
export type ReadOnlyPolicy = Omit<Policy, 'steps'> & {
  steps: {
    after: number
  }[]
}

export type NewPolicy = {
  /** No two policies of a project have the same. */
  name: string
  /** In the order of `after`, from 0 to 604800 seconds. */
  steps: {
    /** Seconds since the check went down, without held time. */
    after: number
    /** `check`: the channels of the check; or UUIDs of channels. */
    channels: 'check' | string[]
  }[]
  /** Alerts everyone reached so far again: `times` times, `every` seconds after the last step. */
  repeat?: {
    every: number
    times: number
  } | null
  /** Whether it applies to the checks of the project that name no other. */
  default?: boolean
}

/** What is to be changed; everything is optional. */
export type PolicyChanges = {
  /** No two policies of a project have the same. */
  name?: string
  /** Whether it applies to the checks of the project that name no other. */
  default?: boolean
  /** In the order of `after`, from 0 to 604800 seconds. */
  steps?: {
    /** Seconds since the check went down, without held time. */
    after: number
    /** `check`: the channels of the check; or UUIDs of channels. */
    channels: 'check' | string[]
  }[]
  /** Alerts everyone reached so far again: `times` times, `every` seconds after the last step. */
  repeat?: {
    every: number
    times: number
  } | null
}
