/** A silence with what is needed to show it. */
import type { Silence } from './silence.js'

/** `active`: a window of it is active; `coming`: one is to come; `past`: neither. */
export type SilenceState = 'active' | 'coming' | 'past'

export interface NamedCheck {
  id: number
  uuid: string
  uniqueKey: string
  name: string
}

export interface NamedChannel {
  id: number
  uuid: string
  name: string
  kind: string
}

/** A silence with the checks and channels that it names and that still exist. */
export interface ShownSilence extends Silence {
  state: SilenceState
  /** When it next begins or ceases to be active; null if never. */
  changesAt: number | null
  /** When nothing of it is active any more; null: never. */
  overAt: number | null
  /** Null unless its scope is a list of checks. */
  namedChecks: NamedCheck[] | null
  /** Null: all channels. */
  namedChannels: NamedChannel[] | null
}
