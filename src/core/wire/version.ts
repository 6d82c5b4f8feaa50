import type { Hold } from '../instance/outage.js'

/** The versions of the management API; the newest is the one to use. */
export type ApiVersion = 1 | 2 | 3

/** For whom, when and where a shape is made. `siteRoot` has no trailing slash, `pingEndpoint` ends with one. */
export interface WireView {
  version: ApiVersion
  /** A read-only key never learns a check's UUID. */
  access: 'rw' | 'ro'
  now: number
  hold: Hold | null
  siteRoot: string
  pingEndpoint: string
}
