/**
 * What load balancers and monitoring ask about this process: whether to send it requests, and its metrics. The paths do
 * not depend on the path in SITE_ROOT, so a proxy passes them on only if it is configured to.
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PingQueue } from '../actions/pings/record-pings.js'
import type { Clock } from '../lib/clock.js'
import { METRICS_TYPE } from '../lib/metrics.js'
import { digestOf } from '../lib/secrets/secrets.js'
import { isMovedFile } from '../storage/errors.js'
import type { StoreWith } from '../storage/store.js'
import { RETRY_SOON } from './errors.js'
import { BASE_HEADERS } from './headers.js'

export interface ProbeDeps {
  store: StoreWith<'instance.probe'>
  /** Records the pings of this process. */
  pings: Pick<PingQueue, 'hearing' | 'oldestAt'>
  clock: Clock
  /** False as soon as the process is stopping. */
  isAccepting(): boolean
  /** False until the writes of the start are done. */
  hasStarted(): boolean
  /** The metrics of the process and the instance in Prometheus' format. */
  metrics(): Promise<string>
}

/** Answers a request to one of the paths. Returns whether it did. */
export type Probes = (request: IncomingMessage, response: ServerResponse) => boolean

/** A database that takes longer to answer, or to record a ping, is not ready. */
const ANSWER_MS = 2_000
const RECORD_MS = 8_000

const MOVED =
  'the database file was deleted, moved or replaced: put the same file back, or stop Punctual and restore a backup'

/**
 * `/live`: 200 while the process answers at all. `/ready`: 200 while the database answers, pings are recorded and the
 * process is neither starting nor stopping, else 503. `/metrics`: for requests with `key` as a bearer token or as `X-Metrics-Key`, or
 * for all requests if `key` is null; if it is empty, there is no such path.
 */
export function createProbes(deps: ProbeDeps, key: string | null): Probes {
  return (request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path === '/ready') {
      void readiness(deps).then(problem => {
        if (problem !== null) response.setHeader('Retry-After', RETRY_SOON['Retry-After'])
        answer(response, problem === null ? 200 : 503, problem ?? 'ready')
      })
      return true
    }
    if (path === '/live') {
      answer(response, 200, 'alive')
      return true
    }
    if (path !== '/metrics' || key === '') return false
    if (key !== null && !isSent(request, key)) {
      response.setHeader('WWW-Authenticate', 'Bearer')
      answer(response, 401, 'the metrics key is needed')
      return true
    }
    void deps.metrics().then(text => answer(response, 200, text, METRICS_TYPE))
    return true
  }
}

/** Why the process is not ready, or null if it is. */
async function readiness({ store, pings, clock, ...process }: ProbeDeps): Promise<string | null> {
  if (!process.isAccepting()) return 'stopping'
  if (!process.hasStarted()) return 'starting'
  if (pings.oldestAt !== null && clock.now() - pings.oldestAt > RECORD_MS) return 'pings wait to be recorded'
  const failing = pings.hearing.missed.isFailing ? 'pings cannot be recorded' : null
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>(resolve => {
    timer = setTimeout(() => resolve(failing ?? 'the database takes too long to answer'), ANSWER_MS)
  })
  const asked = store.instance.probe().then(
    () => failing,
    (error: unknown) => (isMovedFile(error) ? MOVED : (failing ?? 'the database does not answer')),
  )
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}

function isSent({ headers }: IncomingMessage, key: string): boolean {
  const sent = headers.authorization?.replace(/^Bearer /, '') ?? headers['x-metrics-key']
  return typeof sent === 'string' && timingSafeEqual(Buffer.from(digestOf(sent)), Buffer.from(digestOf(key)))
}

function answer(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  const length = String(Buffer.byteLength(text))
  response.writeHead(status, [...BASE_HEADERS, 'Content-Type', type, 'Content-Length', length])
  response.end(text)
}
