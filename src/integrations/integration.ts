/**
 * What a kind of channel is. One file per kind exports one `Integration`, named in index.ts; nothing else in
 * the product knows any kind. An integration has no store, no environment, no clock and no network of its own.
 */
import type { Alert, Notice, ProjectSummary } from '../core/alerts/alert.js'
import type { Need } from '../core/people/role.js'
import type { OperatorSetting } from '../lib/settings.js'
import type { ChannelSettings, Field } from './field.js'
import type { Setup } from './setup.js'
import type { PlaceholderHelp } from './text/alert-placeholders.js'
import type { Transports } from './transports.js'

export type { OperatorSetting }

/** The channel a message goes to. */
export interface Destination {
  uuid: string
  name: string
  settings: ChannelSettings
  /** The same for every attempt at one delivery, so that a receiver can drop a repeat. */
  idempotencyKey: string
  /** Where the recipient stops the messages without signing in (signed; GET asks, POST does it). */
  unsubscribeUrl: string
  /**
   * Where a service that carries messages may report what became of this attempt;
   * see docs/behaviour.md, section 4.10.
   */
  statusUrl: string
  /** Names this attempt towards a bounce, signed; it becomes part of an e-mail's envelope sender. */
  bounceId?: string
  /** The zone in which the recipient reads times, as an IANA name; UTC where nothing is known. */
  timeZone?: string
  /** Where the recipient has an account: all projects of it, those with trouble first. */
  projects?: readonly ProjectSummary[]
  /** The operator's settings that the kind declares, by name. */
  operator: Readonly<Record<string, string>>
}

/** What sending brought to light besides. */
export interface Sent {
  /** Settings that are now different, such as a chat's new identifier; they are stored. */
  settings?: ChannelSettings
}

/** Why a message could not be delivered. The text is shown to people, so it holds no secret. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  constructor(
    message: string,
    readonly options: {
      /** Trying again is of no use; the channel is disabled. */
      permanent?: boolean
      /** The receiver asked to wait so long. */
      retryAfterMs?: number
      /** As `Sent` has them: stored although the message did not arrive. */
      settings?: ChannelSettings
    } = {},
  ) {
    super(message)
  }
}

/** What kind of thing is told: anything, a chat, somebody's devices, who is on call, a list of work. */
export type Category = 'anything' | 'chat' | 'device' | 'on-call' | 'work'

export interface Integration {
  kind: string
  label: string
  category: Category
  /** What it does and what a person needs to set it up, in plain sentences. */
  help: string
  /** More for its page in docs/integrations/, as Markdown. */
  guide?: string
  /** What its texts may contain: `where`, as the beginning of a sentence, and a line for each. */
  placeholders?: { where: string; list: readonly PlaceholderHelp[] }
  /** An inline SVG, drawn for Punctual. */
  logo: string
  fields: readonly Field[]
  operatorSettings?: readonly OperatorSetting[]
  /** The operator's settings without which it cannot send; of a list in the list one is enough. */
  needs?: readonly (string | readonly string[])[]
  /** What a person has to be allowed in a project to make and change its channels; to write, when absent. */
  configuredBy?: Need
  /** The conversation by which its channels are made in the web application. */
  setup?: Setup
  /**
   * Rules beyond the fields' own. Gets settings in which every field is present; returns what to store.
   * Throws `Refusal('invalid', sentence, field)`.
   */
  check?(settings: ChannelSettings): ChannelSettings
  /**
   * The e-mail address that it writes to. Its owner has to agree, unless they are who adds the channel; and
   * what is known of them is in the `Destination`.
   */
  recipient?(settings: ChannelSettings): string
  /** One line that names the destination in lists, without secrets. */
  describe(settings: ChannelSettings): string
  /** Whether it tells of this direction; always, when absent. */
  wants?(settings: ChannelSettings, status: 'up' | 'down'): boolean
  /**
   * People read it: alerts may be told together in one message, through `notify`, which it then needs, and held back
   * while they would be noise; see core/alerts/delivery/plan.ts. Not for incident tools and programs, which count on every event. A
   * function where it depends on the settings.
   */
  groups?: boolean | ((settings: ChannelSettings) => boolean)
  /**
   * What a down alert opens there stays open until it is closed: an incident, an alarm that repeats. It is then closed
   * when the check is paused or deleted too. A function where it depends on the settings.
   */
  keepsOpen?: boolean | ((settings: ChannelSettings) => boolean)
  /** How many messages a minute one receiver takes; channels with the same key share it. */
  limit?: { perMinute: number; key(settings: ChannelSettings): string }
  /** Each message costs money and counts against the account's monthly quota of this name; `called` is its word. */
  quota?: { name: 'messages' | 'calls'; called: string }
  /** Delivers one alert, or throws `DeliveryError`. */
  send(alert: Alert, to: Destination, transports: Transports): Promise<Sent> | Promise<void>
  /** Delivers a notice; a kind without it is passed over for notices. */
  notify?(notice: Notice, to: Destination, transports: Transports): Promise<Sent> | Promise<void>
}
