/** What a kind of channel asks for: its fields, and a channel's settings. */

/** What a value looks like that the service takes, and the sentence for one that does not. */
export interface Format {
  matches(value: string): boolean
  hint: string
}

/** One field of a channel's settings: gives the form, the command line's `--set`, the check and the masking. */
export interface Field {
  name: string
  label: string
  /** `channels`: UUIDs of other channels of the project, comma-separated. */
  type: 'text' | 'multiline' | 'url' | 'email' | 'choice' | 'flag' | 'number' | 'channels'
  required?: boolean
  /** Shown masked everywhere, and kept out of logs and errors. */
  sensitive?: boolean
  /** The addresses among the fields that a secret is sent to; all of them, when absent. */
  sentTo?: readonly string[]
  maxLength?: number
  /** Held against values that are not empty and of the field's type; see formats.ts. */
  format?: Format
  choices?: readonly string[]
  /** What people read in place of a choice. */
  choiceLabels?: Readonly<Record<string, string>>
  default?: string
  help?: string
  /** Said by the service when a channel is connected, for people to recognise it by; forms do not ask for it. */
  setByService?: boolean
  /** Good as it is for most: forms keep it folded away. */
  advanced?: boolean
}

/** A channel's settings as stored: every declared field, as text (`true`/`false` for flags). */
export type ChannelSettings = Readonly<Record<string, string>>
