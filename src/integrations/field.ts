/** The fields that a kind of channel declares, and a channel's settings. */

/** Which values a service accepts, and the sentence shown for all others. */
export interface Format {
  matches(value: string): boolean
  hint: string
}

/** A field of a channel's settings: the source of the form, of `--set` on the command line, of validation and masking. */
export interface Field {
  name: string
  label: string
  /** `channels`: UUIDs of other channels of the project, comma-separated. */
  type: 'text' | 'multiline' | 'url' | 'email' | 'choice' | 'flag' | 'number' | 'channels'
  required?: boolean
  /** Whether it is masked everywhere, and omitted from logs and errors. */
  sensitive?: boolean
  /** The address fields to which this secret is sent; by default all. */
  sentTo?: readonly string[]
  maxLength?: number
  /** Applied to non-empty values that match the type; see formats.ts. */
  format?: Format
  choices?: readonly string[]
  /** Labels to show instead of the choices. */
  choiceLabels?: Readonly<Record<string, string>>
  default?: string
  help?: string
  /** Whether the service sets it when a channel is connected. For display only; not in forms. */
  setByService?: boolean
  /** The tab under which forms show it, and its label there. */
  tab?: { name: string; label: string }
  /** The field of another tab from which forms take its value where both are to be the same. */
  sameAs?: string
  /** Whether it only chooses which alerts are sent and when, not where or how: a channel that fails still does if it changes. */
  choosesAlerts?: boolean
  /** Whether forms hide it under advanced settings, because the default suits most users. */
  advanced?: boolean
}

/** A channel's settings as stored: every declared field, as text (`true`/`false` for flags). */
export type ChannelSettings = Readonly<Record<string, string>>
