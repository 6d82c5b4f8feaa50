import type { Hold } from '../instance/outage.js'

/** The versions of the management API; the newest is the one to use. */
export type ApiVersion = 1 | 2 | 3

/** The context of a wire shape. `siteRoot` has no trailing slash, `pingEndpoint` ends with one. */
export interface WireView {
  version: ApiVersion
  /** A read-only key does not see the UUIDs of checks. */
  access: 'rw' | 'ro'
  now: number
  hold: Hold | null
  siteRoot: string
  pingEndpoint: string
}
