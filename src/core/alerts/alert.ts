/** Alerts and notices. An alert is a frozen plain value that contains everything an integration may say. */
import type { Check } from '../checks/check.js'
import type { Flip } from '../checks/flip.js'
import type { CauseDetail } from '../incidents/cause-detail.js'
import type { Outage } from '../instance/outage.js'
import type { Action } from '../pings/ping-event.js'
import type { Again } from './delivery/change.js'

/** The newest ping of any kind at the time of the flip. */
export interface AlertPing {
  n: number
  action: Action
  at: number
  /** When it was to be sent, if it arrived late; absent or null: in time. */
  ranAt?: number | null
  exitStatus: number | null
  scheme: string
  method: string
  remoteAddr: string | null
  ua: string
  /** The duration of the run that this ping ended, if known. */
  durationMs: number | null
  /** The body, cut to the body limit; null if there was none. */
  body: Uint8Array | null
  /** The texts of a ping that arrived as an e-mail. Absent for other pings, and if the e-mail could not be read. */
  mail?: { subject: string; text: string }
}

/** Another check of the project that is down. */
export interface OtherDownCheck {
  label: string
  lastPing: number | null
}

/** Why an incident ends for a channel although the check did not come back up. */
export type ClosingEnd = 'deleted' | 'unlinked' | 'moved' | 'cleared'

/** The limit that a run broke, for a check with limits of its own. */
export interface BrokenLimit {
  limitMs: number
  /** When the run started, if it took too long. */
  startedAt: number | null
  /** The duration of the run, if it was too short. */
  tookMs: number | null
}

/** One status change of one check, for one channel. */
export interface Alert {
  type: 'alert'
  /** The new status of the check. A pause or a deletion ends an incident as a recovery does: see {@link statusWord}. */
  status: 'up' | 'down'
  flip: Flip
  /** Set if the incident ends only for this channel, or because the check was deleted or its log cleared. */
  closing?: ClosingEnd
  /** The time of sending, from which relative times in texts are counted. */
  now: number
  /** The check as it is at sending; its `status` may differ from the flip's, and a long description is cut. */
  check: Check
  /**
   * The check as version 3 of the management API shows it to a read-write key; ASCII only. Empty unless the integration
   * asks for it (`containsJson`).
   */
  checkJson: string
  /** The address of the check's page; it does not reveal the check's UUID. */
  checkUrl: string
  project: { name: string; url: string }
  lastPing: AlertPing | null
  /** On recovery: how long the check was down, if the flip before was to down. */
  downtimeMs: number | null
  /** On recovery from silence: the number of missed occurrences; absent or 0 if unknown. */
  missedRuns?: number
  /** Of a down alert: what is known about the failure; absent or null if nothing is. */
  detail?: CauseDetail | null
  /** Of a down alert: the check's own limit that was broken; absent or null if there was none. */
  limit?: BrokenLimit | null
  /** How many other checks the project has, and how many of them are down (by stored status). */
  otherChecks: number
  othersDownCount: number
  /** Up to eleven of the other checks that are down. */
  othersDown: OtherDownCheck[]
  /** The outage of Punctual during which the ping was expected. */
  outage: Outage | null
  /** Since when no ping of any check has arrived, if that is unusual and the alert is about silence. */
  silentSince: number | null
  /** What about the check's settings may be why it went down, as a sentence. */
  finding: string | null
  /**
   * The checks that depend on it: of a down alert, those that it holds; of a recovery, those that are still down. Absent
   * or null: there are none.
   */
  dependants?: { count: number; names: readonly string[] } | null
  /** What asked that an open incident is sent once more: a step or a repeat of a policy; absent or null: it is news. */
  again?: Again | null
  /** What held this alert, in words, and since when; absent or null: nothing did. */
  held?: { by: string; since: number } | null
  /** How many older changes of this check were not sent to this channel because this one replaces them. */
  superseded: number
  /** On recovery: whether the down alert could not be delivered, so that this message reports both. */
  missedDown: boolean
  /** Whether the check was flapping, so that the older changes were held on purpose. */
  flapped: boolean
  /** A test: the check does not exist. */
  test: boolean
  /** The page on which readers of the message acknowledge or silence the incident; absent if there is none. */
  acknowledgeUrl?: string
  /** What a button in a chat reports to acknowledge it: at most 60 characters. */
  acknowledgeToken?: string
  site: Site
}

/** A message about another channel (it was disabled), or about many checks at once. */
export interface Notice {
  type: 'notice'
  now: number
  title: string
  /** What it is about, one line each; absent or empty if it has no list. */
  items?: readonly NoticeItem[]
  /** Below the list; may be empty if there is one. */
  text: string
  url: string
  /** Set if it replaces alerts: the worst status in it. */
  status?: 'up' | 'down'
  /** The page on which readers acknowledge or silence the incidents in it; absent if there are none. */
  acknowledgeUrl?: string
  site: Site
}

/** A check in a notice about many. */
export interface NoticeItem {
  label: string
  /** The address of its page. */
  url: string
  /** Its state. */
  text: string
}

/** The installation, as texts refer to it. */
export interface Site {
  name: string
  /** Base address without a trailing slash. */
  root: string
}

/**
 * The label of a check in messages: its name, else its slug, else the beginning of its unique key. It never
 * contains the UUID, because anyone who reads the message could ping the check with it. Source:
 * docs/behaviour.md, section 8.3.
 */
export function checkLabel(check: Pick<Check, 'name' | 'slug' | 'uniqueKey'>): string {
  return check.name || check.slug || `Unnamed check ${check.uniqueKey.slice(0, 8)}`
}

/** The status that an alert reports, in one word. */
export function statusWord({ status, flip, closing }: Pick<Alert, 'status' | 'flip' | 'closing'>): string {
  if (status === 'down') return 'DOWN'
  if (closing) return closing.toUpperCase()
  return flip.newStatus === 'paused' ? 'PAUSED' : 'UP'
}

/** The body of a ping as text, with invalid UTF-8 replaced; empty if there is none. */
export function bodyText(ping: Pick<AlertPing, 'body'> | null): string {
  // Without ignoreBOM the decoder would drop the first three bytes of the body if they are a BOM.
  return ping?.body ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(ping.body) : ''
}

/** How much of the end of a body is shown to people, in bytes. */
const READ_BYTES = 100_000

/** The end of a ping's body for people: the text of an e-mail, else as {@link bodyText}. */
export function readableText(ping: Pick<AlertPing, 'body' | 'mail'> | null): string {
  if (ping?.mail) return ping.mail.text.slice(-READ_BYTES)
  return bodyText(ping && { body: ping.body?.subarray(-READ_BYTES) ?? null })
}

/** The kind of a ping in words: `Success`, `Failure`, `Exit status 2`, `Start`, `Log`, `Ignored`. */
export function pingWord({ action, exitStatus }: Pick<AlertPing, 'action' | 'exitStatus'>): string {
  if (action === 'fail' && exitStatus !== null && exitStatus > 0) return `Exit status ${exitStatus}`
  return PING_WORDS[action]
}

const PING_WORDS: Record<Action, string> = {
  success: 'Success',
  fail: 'Failure',
  start: 'Start',
  log: 'Log',
  ign: 'Ignored',
}
