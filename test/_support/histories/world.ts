/** The worlds in which histories of deliveries are played: the pure plan with rows in memory, or a real store. */

import type { ChangeStatus } from '../../../src/core/alerts/delivery/change.js'
import type { ChannelRules } from '../../../src/core/alerts/delivery/channel-rules.js'
import type { MessageForm } from '../../../src/core/alerts/delivery/plan-values.js'
import type { Undoable } from './steps.js'

/** One delivery in a message. */
export interface Part {
  /** Its idempotency key. */
  uuid: string
  check: number
  status: ChangeStatus
  /** The flip that it is about; null if the check is deleted. */
  flip: number | null
  /** Whether it says that an earlier alert could not be delivered. */
  missedDown: boolean
  /** Whether it sends an open incident once more, or for the first time by a step. */
  again?: boolean
}

export interface Message {
  form: MessageForm
  /** Empty for a notice. */
  parts: Part[]
}

type Later<T> = T | Promise<T>

/** Checks, one channel, and its deliveries. Checks have numbers that are never reused. */
export interface World {
  readonly rules: ChannelRules
  /** Whether the channel is linked through a group; see `setGroup`. */
  readonly viaGroup: boolean
  now(): number
  wait(ms: number): Later<void>
  /** Gives the check this status, if possible. Returns its previous status, or null if nothing changed. */
  change(check: number, to: 'down' | 'up' | 'paused'): Later<string | null>
  remove(check: number): Later<void>
  /** Links the check to the channel, or unlinks it. */
  setLinked(check: number, linked: boolean): Later<void>
  /** Enables the group that the channel is linked through, or disables it. */
  setGroup(enabled: boolean): Later<void>
  /** The existing checks: the flip to down of those that are down, null for the others. */
  truth(): Later<Map<number, number | null>>
  setEnabled(enabled: boolean): Later<void>
  /** Begins a hold of the check's alerts, or ends it. */
  setHeld?(check: number, held: boolean): Later<void>
  /** Leaves this many messages of the monthly quota. */
  setQuota?(messages: number): Later<void>
  /** Acknowledges the open incidents of the check until that is taken back. */
  setAcknowledged?(check: number, acknowledged: boolean): Later<void>
  /** Asks that the check's open incident is sent once more, if it has one. */
  sendAgain?(check: number, kind: 'step' | 'repeat'): Later<void>
  /**
   * Pauses a check that is down on a page, or takes the channel off it there, or links it. Returns what undoes that, and that returns whether it
   * did; null if there is nothing to do.
   */
  regret?(check: number, what: Undoable): Later<(() => Promise<boolean>) | null>
  /** The process ends properly, and starts again. */
  restart?(): Later<void>
  /** Claims what may be sent now. */
  take(): Later<Message[]>
  /** What the last claim neither sent nor left due, without a reason that people can see (T5), in words. */
  unexplained(): Later<string[]>
  sent(message: Message): Later<void>
  failed(message: Message): Later<void>
  /** The process dies: nobody settles what it has claimed. */
  die(): Later<void>
  /** The number of waiting deliveries, without those that a hold keeps back. */
  waiting(): Later<number>
  /** The checks that were reported down to the channel. */
  reported(): Later<number[]>
  /** The down alerts about a check that were not sent since something was: whether a rule held them, and whether tried. */
  unsent?(check: number): { held: boolean; tried: boolean }[]
}
