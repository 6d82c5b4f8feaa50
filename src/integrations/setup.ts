/**
 * The ways in which channels of some kinds are connected: at the service, by a code to the recipient, or through a bot.
 * A kind declares at most one; http/web guides users through it.
 */
import type { ChannelSettings } from './field.js'
import type { HttpAnswer, HttpRequest, Transports } from './transports.js'

/** The operator's settings, by name; flags as `true` and `false`. */
export type Operator = Readonly<Record<string, string>>

/** One attempt to authorise at a service. */
export interface OAuthAttempt {
  /** The OAuth state. It is valid once, for a few minutes, for one session, project and kind. */
  state: string
  /** The address to which services send users back. It is the same for every attempt, so that it can be registered. */
  redirectUri: string
  /** The same with the state in its path, for services that do not return a state. */
  returnUrl: string
  /** The page where the attempt began, for services with a cancel button. */
  cancelUrl: string
  operator: Operator
  siteName: string
}

/** A channel to create. */
export interface Draft {
  name?: string
  settings: ChannelSettings
}

/** The result of a user's return: channels, a draft with open fields, or another address to visit. */
export type Outcome =
  | { channels: readonly Draft[] }
  | { draft: Unfinished }
  | { onward(round: OAuthAttempt): string }

/** A channel with fields that the user must still fill in. */
export interface Unfinished {
  settings: ChannelSettings
  /** Values needed only until the channel is created, such as a token that expires. */
  aside?: Readonly<Record<string, string>>
}

/** An option to choose, and the settings that it implies. */
export interface Option {
  label: string
  /** The group under which it is listed. */
  group?: string
  settings: ChannelSettings
}

/** The options from the service, by the name of the field that shows them. */
export type Options = Readonly<Record<string, readonly Option[]>>

/** The user grants access at the service and returns with a response. */
export interface Authorisation {
  way: 'authorise'
  /** The operator's settings that it requires, besides those of the kind. */
  needs: readonly string[]
  /** Whether a channel can also be created from its fields. */
  byHand: boolean
  /** The fields that authorisation has verified, which cannot be changed by hand. */
  fixed?: readonly string[]
  /** What happens, in a sentence or two. */
  help: string
  /** The address at the service to which the user is sent. */
  authorise(round: OAuthAttempt): string
  /** The parameter in the fragment of the address, which browsers do not send to the server. */
  fragment?: { name: string; label: string }
  /**
   * Processes the parameters with which the user returned. Throws `Refusal('invalid')` with the service's reason, or
   * `DeliveryError` if the service could not be reached.
   */
  finish(
    answer: Readonly<Record<string, string>>,
    round: OAuthAttempt,
    transports: Transports,
  ): Promise<Outcome>
  /** The fields of a draft that the user must fill in. */
  asks?: readonly string[]
  /** The options for these fields from the service. Throws as `finish` does. */
  options?(draft: Unfinished, operator: Operator, transports: Transports): Promise<Options>
}

/** A code is sent to the recipient, which must be entered before the channel is created. */
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

/** Settings must be prepared at the service, or checked against the operator's settings, before a channel works. */
export interface Preparation {
  way: 'prepare'
  /** Prepares and returns the settings to store. Throws `DeliveryError` or `Refusal('invalid')`. */
  prepare(settings: ChannelSettings, operator: Operator, transports: Transports): Promise<ChannelSettings>
}

/** Users write to a bot at the service, which answers with a link to Punctual. */
export interface Invitation {
  way: 'invite'
  /** As above. */
  fixed: readonly string[]
  /** The steps, a sentence each, with `backticks` around text to type. */
  steps(operator: Operator): readonly string[]
  /** The address that opens the bot. */
  botUrl(operator: Operator): string
  /** Whether the headers (names in lower case) prove that a call comes from the service. */
  isAuthentic(headers: Readonly<Record<string, string>>, operator: Operator): boolean
  /** The settings of a chat that asks for alerts, and the reply with the link; null for any other message. */
  parseStart(update: unknown, operator: Operator): ChatRequest | null
  /** A press of a button under a message of the bot; null for any other update. */
  parsePress(update: unknown, operator: Operator): ButtonPress | null
  /** Polls for messages, for installations that the service cannot reach. */
  poll: Polling
  /** The request that registers `url` as the webhook, or removes it if `url` is null. */
  setWebhookRequest(url: string | null, operator: Operator): HttpRequest
  /** Why the service refused a request, or null if it accepted it. */
  refusal(answer: HttpAnswer): string | null
}

export interface ChatRequest {
  settings: ChannelSettings
  answer(link: string): HttpRequest
}

/** A user has pressed a button under a message. */
export interface ButtonPress {
  /** What the button reports; empty if it reports nothing. */
  token: string
  /** Who pressed it, for the record: `Alice (Telegram)`. */
  by: string
  /** Whether the message is in the chat of a channel with these settings. */
  isFrom(settings: ChannelSettings): boolean
  /** The request that shows a text to this user; `refused`: until they close it. */
  answer(text: string, refused: boolean): HttpRequest
  /** The request that adds a line to the message, without its button; null if it cannot be changed any more. */
  close(line: string): HttpRequest | null
}

export interface Polling {
  /** Whether this installation must poll. */
  isWanted(operator: Operator): boolean
  /** The request for messages after `offset`. The service may hold it for up to `waitSeconds`. */
  next(offset: number, waitSeconds: number, operator: Operator): HttpRequest
  /** The messages, and the offset for the next request. Throws `DeliveryError`. */
  read(answer: HttpAnswer, offset: number): { updates: readonly unknown[]; offset: number }
}

export type Setup = Authorisation | Confirmation | Preparation | Invitation
