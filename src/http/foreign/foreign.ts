/** What the protocols of other monitors have in common: a request becomes pings. */
import type { IncomingMessage } from 'node:http'
import type { PingArrival } from '../../actions/pings/ping-arrival.js'
import { Refusal } from '../../core/errors.js'
import {
  type ArrivedPing,
  keptUserAgent,
  NO_DETAILS,
  type PingOutcome,
} from '../../core/pings/arrived-ping.js'
import type { Store } from '../../storage/store.js'
import type { AppDeps } from '../deps.js'
import { firstValue, remoteAddress, schemeOf } from '../ping.js'

/** There is no store here, so that no protocol asks it without deadlines waiting for the answer. */
export interface ForeignParts extends Omit<AppDeps, 'store' | 'pings'> {
  arrival: PingArrival
  /** What the store answers. If it cannot, the request counts as a ping that could not be recorded. */
  lookUp<T>(ask: (store: Store) => Promise<T>): Promise<T>
  /** To be called once the key was found. Until then a failure is answered at the pace of unknown senders. */
  noteKnown(): void
}

/** The protocol of another monitor. */
export interface Foreign {
  /** Matches the path and the query of its requests. */
  paths: RegExp
  /** Answers a request. Throws a `Refusal`, or an error that is answered with 500 or 503. */
  answer(parts: ForeignParts, request: Request, incoming: IncomingMessage): Promise<Response>
  /** The JSON in which its clients expect an error; absent: plain text. */
  errorShape?(message: string): object
}

/** What a request says about a check: the parts of a ping that a protocol knows. */
export interface ForeignPing {
  target: ArrivedPing['target']
  action: ArrivedPing['action']
  rid?: string | null
  durationMs?: number | null
  exitStatus?: number | null
  body?: Uint8Array | null
}

/** Records a ping as durably as any other. Throws a `Refusal` if there is no such check. */
export async function recordForeign(
  { arrival, config }: ForeignParts,
  incoming: IncomingMessage,
  ping: ForeignPing,
): Promise<void> {
  const { ms, us } = arrival.stamp()
  const { headers } = incoming
  const arrived: ArrivedPing = {
    ...NO_DETAILS,
    ...ping,
    body: ping.body?.length ? ping.body.subarray(0, config.PING_BODY_LIMIT ?? undefined) : null,
    arrivedAt: ms,
    arrivedUs: us,
    scheme: schemeOf(firstValue(headers['x-forwarded-proto'])),
    remoteAddr: remoteAddress(firstValue(headers['x-forwarded-for']), incoming.socket.remoteAddress),
    method: incoming.method ?? '',
    ua: keptUserAgent(headers['user-agent'] ?? ''),
  }
  const [outcome] = await arrival.record([arrived])
  const refusal = REFUSALS[outcome!]
  if (refusal) throw refusal()
  if (outcome !== 'ok' && outcome !== 'created') throw new Error(`a ping was not recorded: ${outcome}`)
}

const REFUSALS: Partial<Record<PingOutcome, () => Refusal>> = {
  'not-found': () => new Refusal('not-found', 'there is no check with this slug'),
  ambiguous: () => new Refusal('conflict', 'several checks have this slug'),
  'invalid-url': () => new Refusal('invalid', 'invalid slug'),
}
