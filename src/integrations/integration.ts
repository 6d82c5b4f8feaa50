/**
 * The interface of a kind of channel. One file per kind exports one `Integration`, which index.ts lists; no other code
 * depends on a kind. An integration has no access to the store, the environment, the clock or the network.
 */
import type { Alert, Notice } from '../core/alerts/alert.js'
import type { Need } from '../core/people/role.js'
import type { OperatorSetting } from '../lib/settings.js'
import type { ChannelSettings, Field } from './field.js'
import type { Setup } from './setup.js'
import type { PlaceholderHelp } from './text/alert-placeholders.js'
import type { Transports } from './transports.js'

export type { OperatorSetting }

/** The channel to which a message is sent. */
export interface Destination {
  uuid: string
  name: string
  settings: ChannelSettings
  /** The same for every attempt at one delivery, so that receivers can ignore duplicates. */
  idempotencyKey: string
  /** The same for all messages about one incident, so that receivers can show them in one thread; absent if there is no incident. */
  thread?: string
  /** A signed address for unsubscribing without signing in: GET asks for confirmation, POST unsubscribes. */
  unsubscribeUrl: string
  /**
   * The address to which a messaging service can report the result of this attempt;
   * see docs/behaviour.md, section 4.10.
   */
  statusUrl: string
  /** Identifies this attempt in a bounce: a signed ID for the envelope sender of an e-mail. */
  bounceId?: string
  /** The recipient's time zone as an IANA name; UTC if unknown. */
  timeZone?: string
  /** The operator's settings that the kind declares, by name. */
  operator: Readonly<Record<string, string>>
}

/** Changes to the channel that sending revealed. */
export interface Sent {
  /** Settings to update, such as a chat's new ID. */
  settings?: ChannelSettings
}

/** Why a message could not be delivered. The text is shown to users, so it contains no secrets. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  constructor(
    message: string,
    readonly options: {
      /** Whether retrying is pointless, so that the channel is disabled. */
      permanent?: boolean
      /** Whether the receiver says that the recipient does not exist. It is permanent if it says so for an hour. */
      unknownRecipient?: boolean
      /** Whether the receiver itself answered, so that the next message may arrive. */
      answered?: boolean
      /** How long the receiver asked to wait. */
      retryAfterMs?: number
      /** As in `Sent`; stored although the message was not delivered. */
      settings?: ChannelSettings
    } = {},
  ) {
    super(message)
  }
}

/** What receives the messages: anything, a chat, a user's devices, an on-call service, a task list. */
export type Category = 'anything' | 'chat' | 'device' | 'on-call' | 'work'

/** Values for the fields of a kind, and a sentence that says what is left to enter. */
export interface Preset {
  name: string
  label: string
  values: Readonly<Record<string, string>>
  next: string
}

export interface Integration {
  kind: string
  label: string
  category: Category
  /** The background of its logo where it has to be recognised: `#rrggbb`, dark enough for white lines. */
  colour?: string
  /** Whether it is offered first. */
  popular?: boolean
  /** What it does and what is needed to set it up, in plain sentences. */
  help: string
  /** The fields of the example on its page in docs/integrations/, if those that are required do not suffice. */
  exampleFields?: readonly string[]
  /** Details for its page in docs/integrations/, in Markdown. */
  guide?: string
  /** The placeholders for its fields. `where` begins a sentence. */
  placeholders?: { where: string; list: readonly PlaceholderHelp[] }
  /** An inline SVG, drawn for Punctual. */
  logo: string
  fields: readonly Field[]
  /** Values that the form offers to fill in, for well-known receivers. */
  presets?: readonly Preset[]
  /** The request that an alert causes, as text with secrets masked. For kinds whose users write it. */
  preview?(alert: Alert, to: Destination): string
  operatorSettings?: readonly OperatorSetting[]
  /** The operator's settings that sending requires. In a list within the list, one is enough. */
  needs?: readonly (string | readonly string[])[]
  /** The permission that creating and changing its channels requires; by default, to write. */
  configuredBy?: Need
  /** How its channels are connected in the web application. */
  setup?: Setup
  /**
   * Validation beyond that of the fields. Receives all fields and returns the settings to store.
   * Throws `Refusal('invalid', sentence, field)`.
   */
  check?(settings: ChannelSettings): ChannelSettings
  /**
   * The e-mail address of the recipient, who must confirm the channel unless they add it themselves. `Destination` then
   * has the recipient's time zone.
   */
  recipient?(settings: ChannelSettings): string
  /** One line that describes the destination in lists, without secrets. */
  describe(settings: ChannelSettings): string
  /** Whether it sends alerts of this direction; by default, always. */
  wants?(settings: ChannelSettings, status: 'up' | 'down'): boolean
  /**
   * Whether alerts may be combined in one message and held back to limit noise; see core/alerts/delivery/plan.ts. This
   * requires `notify`. Not for incident tools and programs, which need every event. A function if it depends on the
   * settings.
   */
  groups?: boolean | ((settings: ChannelSettings) => boolean)
  /**
   * Whether a down alert opens something that stays open until it is closed, such as an incident or a repeating alarm.
   * It is then also closed when the check is paused or deleted. A function if it depends on the settings.
   */
  keepsOpen?: boolean | ((settings: ChannelSettings) => boolean)
  /** Whether its alerts contain the finding that explains them, which takes time to compute; by default, always. */
  explains?(settings: ChannelSettings): boolean
  /** Whether its alerts contain the check as JSON, which is then made for each; by default, never. */
  containsJson?(settings: ChannelSettings): boolean
  /** The maximum number of messages per minute to one receiver. Channels with the same key share it. */
  limit?: { perMinute: number; key(settings: ChannelSettings): string }
  /** The account's monthly quota that each message counts against. `called` is the word for a message. */
  quota?: { name: 'messages' | 'calls'; called: string }
  /** Delivers one alert, or throws `DeliveryError`. */
  send(alert: Alert, to: Destination, transports: Transports): Promise<Sent> | Promise<void>
  /** Delivers a notice. Kinds without it get no notices. */
  notify?(notice: Notice, to: Destination, transports: Transports): Promise<Sent> | Promise<void>
}
