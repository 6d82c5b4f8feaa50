/** The security log: one line for each event that matters to an installation's security, with who and from where. */
import type { Clock } from '../clock.js'
import type { Log } from './log.js'
import { type EventKind, SECURITY_EVENTS, type SecurityEvent } from './security-events.js'

/** What a line says: `address` is the client's, `account` an e-mail address. Never a secret. */
export interface SecurityFacts {
  address?: string
  account?: string | undefined
  [fact: string]: string | boolean | undefined
}

export type NoteSecurity = (event: SecurityEvent, facts: SecurityFacts) => void

/** Warnings of one event and address a minute, so that nobody fills the disk. */
const MAX_PER_MINUTE = 60
const MINUTE_MS = 60_000
/** The most addresses counted at once. */
const COUNTED = 10_000

/**
 * Notes events in `log`. `security` and `address` come first in each line, so that programs such as fail2ban can rely on
 * their place. Warnings over the limit are left out; the next one of the address says how many were (`omitted`).
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

/** How many lines of a key were left out before this one; null where this one is to be left out too. */
function limitLines(clock: Clock): (key: string) => number | null {
  const minutes = new Map<string, { since: number; lines: number }>()
  return key => {
    const now = clock.now()
    const minute = minutes.get(key)
    if (minute && Math.abs(now - minute.since) < MINUTE_MS) {
      return ++minute.lines > MAX_PER_MINUTE ? null : 0
    }
    if (minutes.size >= COUNTED) minutes.clear()
    minutes.set(key, { since: now, lines: 1 })
    return Math.max(0, (minute?.lines ?? 0) - MAX_PER_MINUTE)
  }
}
