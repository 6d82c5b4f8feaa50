/**
 * The conversations by which channels of some kinds are made: with the service itself, with the recipient, with a
 * bot. A kind declares at most one; http/web leads people through it.
 */
import type { ChannelSettings } from './field.js'
import type { HttpAnswer, HttpRequest, Transports } from './transports.js'

/** The operator's settings, by name; flags as `true` and `false`. */
export type Operator = Readonly<Record<string, string>>

/** One way to a service and back. */
export interface OAuthAttempt {
  /** Goes along and comes back. It holds once, for a few minutes, for one session, project and kind. */
  state: string
  /** Where services send people back to; the same for every round, so that it can be registered with them. */
  redirectUri: string
  /** The same with the state in its path, for services that carry none themselves. */
  returnUrl: string
  /** The page that began the round, for services that offer to give up. */
  cancelUrl: string
  operator: Operator
  siteName: string
}

/** A channel to be made. */
export interface Draft {
  name?: string
  settings: ChannelSettings
}

/** What came of a person's return: channels, a draft that leaves fields to be asked, or another errand. */
export type Outcome =
  | { channels: readonly Draft[] }
  | { draft: Unfinished }
  | { onward(round: OAuthAttempt): string }

/** A channel of which something is left to be asked. */
export interface Unfinished {
  settings: ChannelSettings
  /** What the conversation needs further on and the channel does not, such as a token that expires. */
  aside?: Readonly<Record<string, string>>
}

/** One thing that may be chosen, and the settings that the choice stands for. */
export interface Option {
  label: string
  /** What it belongs to: options of one group stand together. */
  group?: string
  settings: ChannelSettings
}

/** Fields of a draft that are chosen from what the service offers, by the name of the field that shows them. */
export type Options = Readonly<Record<string, readonly Option[]>>

/** A person allows it at the service, and comes back with an answer. */
export interface Authorisation {
  way: 'authorise'
  /** The operator's settings without which it cannot be had, besides those that the kind needs anyway. */
  needs: readonly string[]
  /** Whether a channel can be made from its fields as well. */
  byHand: boolean
  /** The fields that the conversation has proven, which nobody changes by hand afterwards. */
  fixed?: readonly string[]
  /** What happens, in a sentence or two. */
  help: string
  /** The address at the service that the person is sent to. */
  authorise(round: OAuthAttempt): string
  /** The parameter that comes in the address's fragment, which browsers keep to themselves. */
  fragment?: { name: string; label: string }
  /**
   * What follows from the parameters that the person came back with. Throws `Refusal('invalid')` with what the
   * service said, or `DeliveryError` where it could not be asked.
   */
  finish(
    answer: Readonly<Record<string, string>>,
    round: OAuthAttempt,
    transports: Transports,
  ): Promise<Outcome>
  /** The fields that a draft leaves to be asked. */
  asks?: readonly string[]
  /** What the service offers for them. Throws as `finish` does. */
  options?(draft: Unfinished, operator: Operator, transports: Transports): Promise<Options>
}

/** The recipient is sent a code, which has to be typed before the channel is made. */
export interface Confirmation {
  way: 'confirm'
  /** As above. */
  fixed: readonly string[]
  help: string
  /** Sends the code. Throws `DeliveryError`. */
  sendCode(code: string, to: CodeRecipient, transports: Transports): Promise<void>
}

export interface CodeRecipient {
  settings: ChannelSettings
  operator: Operator
  siteName: string
  idempotencyKey: string
}

/** Something has to be done at the service, or held against the operator's settings, before a channel works. */
export interface Preparation {
  way: 'prepare'
  /** Does it, and returns the settings to store. Throws `DeliveryError` with what failed, or `Refusal('invalid')`. */
  prepare(settings: ChannelSettings, operator: Operator, transports: Transports): Promise<ChannelSettings>
}

/** People write to a bot of the service's, which answers with a link to here. */
export interface Invitation {
  way: 'invite'
  /** As above. */
  fixed: readonly string[]
  /** What to do, a sentence a step, with `backticks` around what is typed. */
  steps(operator: Operator): readonly string[]
  /** The address that opens the bot. */
  botUrl(operator: Operator): string
  /** Whether a call really comes from the service, by its headers (names in lower case). */
  isAuthentic(headers: Readonly<Record<string, string>>, operator: Operator): boolean
  /** Whether somebody asks to be told of checks, and how they are answered with the link; null for other talk. */
  hear(update: unknown, operator: Operator): Heard | null
  /** For an installation that the service cannot reach: asks it for what was said. */
  poll: Polling
  /** The request by which the service learns where to call; null: it is to call nowhere. */
  callHere(url: string | null, operator: Operator): HttpRequest
  /** Why the service did not take a request; null where it did. */
  refusal(answer: HttpAnswer): string | null
}

export interface Heard {
  settings: ChannelSettings
  answer(link: string): HttpRequest
}

export interface Polling {
  /** Whether this installation has to ask. */
  isWanted(operator: Operator): boolean
  /** The request for what was said after `offset`; it may be kept waiting for `waitSeconds`. */
  next(offset: number, waitSeconds: number, operator: Operator): HttpRequest
  /** What was said, and the offset of what comes after it. Throws `DeliveryError`. */
  read(answer: HttpAnswer, offset: number): { updates: readonly unknown[]; offset: number }
}

export type Setup = Authorisation | Confirmation | Preparation | Invitation
