/** What the first pings of a check say about how it is pinged. */
import { isBrowser } from '../../pings/agent-words.js'
import type { LoggedPing } from '../../pings/ping-log.js'
import type { Check } from '../check.js'

export type SetupPing = Pick<
  LoggedPing,
  'n' | 'at' | 'action' | 'scheme' | 'remoteAddr' | 'method' | 'ua'
> & {
  exitStatus: number | null
}

/** Something about the first pings that is worth a look. */
export type ArrivalHint =
  | { hint: 'browser' | 'unfinished' | 'ignored' | 'only-log' }
  | { hint: 'failed'; exitStatus: number | null }
  | { hint: 'addresses'; addresses: readonly string[] }

export interface Arrival {
  first: SetupPing
  hints: readonly ArrivalHint[]
}

/** The most addresses that are named. */
const NAMED = 3

/** The first of these pings of a check and hints about all of them; null if there are none. */
export function arrivalOf(pings: readonly SetupPing[], check: Pick<Check, 'lastStart'>): Arrival | null {
  const sorted = pings.toSorted((a, b) => a.n - b.n)
  const [first] = sorted
  const last = sorted.at(-1)
  if (first === undefined || last === undefined) return null
  const signals = sorted.filter(({ action }) => action === 'success' || action === 'fail')
  const hints: ArrivalHint[] = []
  if (sorted.every(ping => ping.scheme !== 'email' && isBrowser(ping.ua))) hints.push({ hint: 'browser' })
  if (last.action === 'fail') hints.push({ hint: 'failed', exitStatus: last.exitStatus })
  if (signals.length === 0 && check.lastStart !== null) hints.push({ hint: 'unfinished' })
  else if (signals.length === 0) {
    hints.push({ hint: sorted.some(({ action }) => action === 'log') ? 'only-log' : 'ignored' })
  }
  const addresses = [...new Set(sorted.flatMap(({ remoteAddr }) => remoteAddr ?? []))]
  if (addresses.length > 1) hints.push({ hint: 'addresses', addresses: addresses.slice(0, NAMED) })
  return { first, hints }
}
