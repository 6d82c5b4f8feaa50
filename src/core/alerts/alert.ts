/** What people are told. An alert is a frozen plain value: everything an integration may say is in it. */
import type { Check } from '../checks/check.js'
import type { Flip } from '../checks/flip.js'
import type { Outage } from '../instance/outage.js'
import type { Action } from '../pings/ping-event.js'

/** The newest ping at the time of the flip, of any kind. */
export interface AlertPing {
  n: number
  action: Action
  at: number
  exitStatus: number | null
  scheme: string
  method: string
  remoteAddr: string | null
  ua: string
  /** How long the run took that this ping closed, if known. */
  durationMs: number | null
  /** The body as received (already cut to the body limit), or null when there was none. */
  body: Uint8Array | null
  /** Of a ping that came as an e-mail: what it says. Absent for others, and where that could not be read. */
  mail?: { subject: string; text: string }
}

/** Another check of the project that is down as well. */
export interface OtherDownCheck {
  label: string
  lastPing: number | null
}

/** Why a channel hears no more of an incident that it may keep open, though the check did not come back up. */
export type ClosingEnd = 'deleted' | 'unlinked' | 'moved' | 'cleared'

/** One status change of one check, for one channel. */
export interface Alert {
  type: 'alert'
  /** What the check changed to. A pause or a deletion ends its incident as a recovery does: see {@link statusWord}. */
  status: 'up' | 'down'
  flip: Flip
  /** Set where the incident ends for this channel alone, or with all that is known of the check. */
  closing?: ClosingEnd
  /** The moment of sending; relative times in texts count from here. */
  now: number
  /** The check as it is at sending; its `status` may differ from the flip's. */
  check: Check
  /** The check as the management API's version 3 shows it to a read-write key; ASCII alone. */
  checkJson: string
  /** The address people open; it does not reveal the check's UUID. */
  checkUrl: string
  project: { name: string; url: string }
  lastPing: AlertPing | null
  /** On recovery: how long the check was down, if the flip before was the fall. */
  downtimeMs: number | null
  /** How many checks the project has besides this one, and how many of them are down (stored status). */
  otherChecks: number
  othersDownCount: number
  /** Up to eleven of those that are down. */
  othersDown: OtherDownCheck[]
  /** Punctual's own absence during which the ping was expected. */
  outage: Outage | null
  /** Since when no ping of any check has arrived, where that is unusual and the alert is about silence. */
  silentSince: number | null
  /** How many older changes of this check were never told through this channel, because this one is newer. */
  superseded: number
  /** On recovery: whether the alert that it was down could not be delivered, so that this message gives both. */
  missedDown: boolean
  /** Whether the check flapped before, so that those older changes were held back on purpose. */
  flapped: boolean
  /** A test: the check is made up. */
  test: boolean
  site: Site
}

/** A message about a channel (another one was disabled), or about many checks at once. */
export interface Notice {
  type: 'notice'
  now: number
  title: string
  text: string
  url: string
  /** Set where it stands for alerts: the worst that it tells of. */
  status?: 'up' | 'down'
  site: Site
}

/** How one project is doing, for people who have several. */
export interface ProjectSummary {
  /** May be empty. */
  name: string
  /** How many of its checks are down. */
  down: number
}

/** The installation, as texts name it. */
export interface Site {
  name: string
  /** Base address without a trailing slash. */
  root: string
}

/**
 * What a check is called in messages: its name, else its slug, else the beginning of its unique key. Never its
 * UUID, with which anybody who reads the message could ping it. Source: docs/behaviour.md, section 8.3.
 */
export function checkLabel(check: Pick<Check, 'name' | 'slug' | 'uniqueKey'>): string {
  return check.name || check.slug || `Unnamed check ${check.uniqueKey.slice(0, 8)}`
}

/** What an alert says that the check is now, in one word. */
export function statusWord({ status, flip, closing }: Pick<Alert, 'status' | 'flip' | 'closing'>): string {
  if (status === 'down') return 'DOWN'
  if (closing) return closing.toUpperCase()
  return flip.newStatus === 'paused' ? 'PAUSED' : 'UP'
}

const REASONS: Record<Flip['reason'], string> = {
  missed: 'success signal did not arrive on time, grace time passed',
  overrun: 'the run started but did not finish within its time limit',
  failed: 'received a failure signal',
  too_short: 'the run ended sooner than it may',
  '': '',
}

/** Why the status changed, in words; empty for a recovery. */
export function reasonText(flip: Pick<Flip, 'reason'>): string {
  return REASONS[flip.reason]
}

/** The body of a ping as text, bytes that are no UTF-8 replaced; empty where there is none. */
export function bodyText(ping: Pick<AlertPing, 'body'> | null): string {
  // Without ignoreBOM the decoder would drop three bytes of what the job sent.
  return ping?.body ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(ping.body) : ''
}

/** People read no more of a body than so many bytes at its end. */
const READ_BYTES = 100_000

/** The end of a ping's body as people read it: of an e-mail its text, else as {@link bodyText}. */
export function readableText(ping: Pick<AlertPing, 'body' | 'mail'> | null): string {
  if (ping?.mail) return ping.mail.text.slice(-READ_BYTES)
  return bodyText(ping && { body: ping.body?.subarray(-READ_BYTES) ?? null })
}

/** What a ping was, in a word: `Success`, `Failure`, `Exit status 2`, `Start`, `Log`, `Ignored`. */
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
