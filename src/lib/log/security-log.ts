/** The security log: one line per event relevant to the installation's security, with the account and the address. */
import type { Clock } from '../clock.js'
import type { Log } from './log.js'
import { type EventKind, SECURITY_EVENTS, type SecurityEvent } from './security-events.js'

/** The fields of a line: `address` is the client's IP address, `account` an e-mail address. Never secrets. */
export interface SecurityFacts {
  address?: string
  account?: string | undefined
  [fact: string]: string | boolean | undefined
}

export type NoteSecurity = (event: SecurityEvent, facts: SecurityFacts) => void

/** The maximum number of warnings per event and address, so that an attacker cannot fill the disk. */
const MAX_PER_MINUTE = 60
const MINUTE_MS = 60_000
/** The maximum number of addresses counted at once. */
const MAX_COUNTED = 10_000

/**
 * Writes events to `log`. `security` and `address` come first in each line, so that programs such as fail2ban can match
 * them. Warnings over the limit are omitted, and the next warning for the address has their number (`omitted`).
 */
export function createSecurityLog(log: Pick<Log, 'info' | 'warn'>, clock: Clock): NoteSecurity {
  const omittedBefore = limitLines(clock)
  return (event, { address, ...facts }) => {
    const { warns }: EventKind = SECURITY_EVENTS[event]
    const omitted = warns ? omittedBefore(`${event} ${address}`) : 0
    if (omitted === null) return
    const fields = { security: event, address, ...facts, ...(omitted > 0 ? { omitted } : {}) }
    log[warns ? 'warn' : 'info']('security', fields)
  }
}

/** Returns a function that gives the number of lines omitted before this one, or null if this one must be omitted too. */
function limitLines(clock: Clock): (key: string) => number | null {
  const minutes = new Map<string, { since: number; lines: number }>()
  return key => {
    const now = clock.now()
    const minute = minutes.get(key)
    if (minute && Math.abs(now - minute.since) < MINUTE_MS) {
      return ++minute.lines > MAX_PER_MINUTE ? null : 0
    }
    if (minutes.size >= MAX_COUNTED) minutes.clear()
    minutes.set(key, { since: now, lines: 1 })
    return Math.max(0, (minute?.lines ?? 0) - MAX_PER_MINUTE)
  }
}
