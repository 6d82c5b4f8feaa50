// Written by `npm run docs` from the OpenAPI document of Punctual's own API.
import type { BadgeSet } from './checks.js'

/** The addresses of the badges of the checks with a tag. */
export type TagBadges = BadgeSet & {
  /** null: all checks. */
  tag: string | null
}
