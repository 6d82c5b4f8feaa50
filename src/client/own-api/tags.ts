// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

/** A tag, and how many checks have it. */
export type Tag = {
  tag: string
  checks: number
  down: number
  late: number
}
