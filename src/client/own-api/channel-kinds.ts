// Written by `npm run docs` from the OpenAPI document of Punctual's own API.

export type ChannelKind = {
  kind: string
  label: string
  help: string
  /** Whether this installation can send through it. */
  available: boolean
  /** Whether it can be created here; if not, on a page. */
  by_api: boolean
  fields: {
    name: string
    label: string
    type: string
    required: boolean
    sensitive: boolean
    choices: string[] | null
    default: string
    help: string
  }[]
}
