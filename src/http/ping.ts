/**
 * The ping endpoints, directly on node:http: every method that the parser knows is accepted, headers are exact, and
 * nothing is between the socket and the queue. Source: docs/behaviour.md, section 1; decision 0001.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIP } from 'node:net'
import { isTemporary } from '../actions/pings/ping-refusals.js'
import type { PingQueue } from '../actions/pings/record-pings.js'
import { LONGEST_DURATION_SECONDS } from '../core/checks/run-fields.js'
import { type ArrivedPing, keptUserAgent, type PingOutcome } from '../core/pings/arrived-ping.js'
import { isValidTime } from '../core/pings/back-dated.js'
import { UUID_PATTERN } from '../core/text/uuid.js'
import type { Stamp } from '../lib/clock.js'
import { isBrokenOff, LARGEST_BODY, readBody } from './body.js'
import { RETRY_SOON } from './errors.js'
import { expiresNow, NO_CACHE } from './headers.js'

export interface PingDeps {
  pings: PingQueue
  stamp(): Stamp
  /** The number of bytes of a body that are stored; null stores all. */
  bodyLimit: number | null
  /** The headers of every response, as name, value, name, value. */
  headers: readonly string[]
  /** The response to a canary's request (see lib/secrets/canary-path.ts), which is not a ping; null for other paths. */
  answerToCanary?(path: string): string | null
  /** Called with the error of a request that failed through no fault of the client. */
  onError(error: unknown): void
}

const BY_UUID = new RegExp(`^(${UUID_PATTERN})(?:/|/(start|fail|log|[0-9]+))?$`)
const BY_SLUG = /^([-a-zA-Z0-9_]+)\/([-a-zA-Z0-9_]+)(?:\/(start|fail|log|[0-9]+))?$/
const RUN_ID = new RegExp(`^${UUID_PATTERN}$`, 'i')

type Target = ArrivedPing['target']

/** The parts of a ping URL. */
interface Route {
  target: Target
  action: ArrivedPing['action']
  exitStatus: number | null
  rid: string | null
  durationMs: number | null
  /** Not a number if it is not a time. */
  ranAt: number | null
  invalid: ArrivedPing['invalid']
}

/**
 * Handles a request whose path, after the site's prefix and `/ping/`, is `path` (query excluded). Returns false,
 * without a response, if the path is neither a ping URL nor a canary's.
 */
export function handlePing(
  deps: PingDeps,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): boolean {
  const route = routeOf(path, query)
  if (!route) {
    const proof = deps.answerToCanary?.(path) ?? null
    if (proof !== null) answer(response, 200, proof, pingHeaders(deps))
    return proof !== null
  }
  const { target } = route
  if ('slug' in target && /[A-Z]/.test(target.slug)) {
    answer(response, 400, 'invalid url format', deps.headers)
    return true
  }
  void record(deps, request, response, route)
  return true
}

async function record(
  deps: PingDeps,
  request: IncomingMessage,
  response: ServerResponse,
  route: Route,
): Promise<void> {
  const { ms, us } = deps.stamp()
  // A GET without a body is complete.
  const hasBody = 'content-length' in request.headers || 'transfer-encoding' in request.headers
  const arriving = hasBody ? deps.pings.hearing.arriving(ms) : null
  try {
    const body = await readBody(request, deps.bodyLimit, Math.max(LARGEST_BODY, deps.bodyLimit ?? 0))
    if (body === 'too-large') {
      response.setHeader('Connection', 'close')
      answer(response, 400, BAD_REQUEST, deps.headers)
      return
    }
    const { headers } = request
    const isTimely = route.ranAt === null || isValidTime(route.ranAt, ms)
    // Field by field, because a spread would take a tenth of the time of a ping.
    const outcome = deps.pings.record({
      target: route.target,
      action: route.action,
      exitStatus: route.exitStatus,
      rid: route.rid,
      durationMs: route.durationMs,
      ranAt: isTimely ? route.ranAt : null,
      invalid: isTimely ? route.invalid : (route.invalid ?? 'at'),
      arrivedAt: ms,
      arrivedUs: us,
      scheme: schemeOf(firstValue(headers['x-forwarded-proto'])),
      remoteAddr: remoteAddress(firstValue(headers['x-forwarded-for']), request.socket.remoteAddress),
      method: request.method ?? '',
      ua: keptUserAgent(headers['user-agent'] ?? ''),
      body,
    })
    // From here on, deadlines wait as long as the queue says.
    arriving?.()
    answerOutcome(deps, response, route.target, await outcome)
  } catch (error) {
    if (isBrokenOff(request)) return
    deps.onError(error)
    const busy = isTemporary(error)
    if (busy) response.setHeader('Retry-After', RETRY_SOON['Retry-After'])
    answer(response, busy ? 503 : 500, busy ? 'try again later' : 'internal error', deps.headers)
  } finally {
    arriving?.()
  }
}

function answerOutcome(deps: PingDeps, response: ServerResponse, target: Target, outcome: PingOutcome): void {
  if (outcome === 'ok' || outcome === 'created') {
    const headers = [...pingHeaders(deps), 'Access-Control-Allow-Origin', '*']
    if (deps.bodyLimit !== null) headers.push('Ping-Body-Limit', String(deps.bodyLimit))
    answer(response, outcome === 'ok' ? 200 : 201, outcome === 'ok' ? 'OK' : 'Created', headers)
    return
  }
  const [status, text] = REFUSALS[outcome]
  // The refusals of the slug lookup carry no cache headers, those of the UUID handler do.
  const ownBySlug = 'slug' in target && (outcome === 'not-found' || outcome === 'ambiguous')
  answer(response, status, text, ownBySlug ? deps.headers : pingHeaders(deps))
}

const REFUSALS: Record<Exclude<PingOutcome, 'ok' | 'created'>, [number, string]> = {
  'not-found': [404, 'not found'],
  ambiguous: [409, 'ambiguous slug'],
  'invalid-url': [400, 'invalid url format'],
  'invalid-rid': [400, 'invalid uuid format'],
  'invalid-at': [400, 'invalid at: send a UNIX time in seconds of the last 7 days, not of the future'],
  unread: [500, 'internal error'],
  failed: [500, 'internal error'],
}

const BAD_REQUEST = `<!doctype html>
<html lang="en">
<head>
  <title>Bad Request</title>
</head>
<body>
  <h1>Bad Request (400)</h1><p></p>
</body>
</html>
`

function pingHeaders({ headers }: Pick<PingDeps, 'headers'>): string[] {
  return [...headers, 'Cache-Control', NO_CACHE, 'Expires', expiresNow()]
}

function answer(response: ServerResponse, status: number, text: string, headers: readonly string[]): void {
  response.writeHead(status, [
    ...headers,
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Length',
    String(Buffer.byteLength(text)),
  ])
  response.end(text)
}

function routeOf(path: string, query: string): Route | null {
  const plain = path.includes('%') ? decoded(path) : path
  const byUuid = BY_UUID.exec(plain)
  const bySlug = byUuid ? null : BY_SLUG.exec(plain)
  const last = byUuid?.[2] ?? bySlug?.[3]
  if (!byUuid && !bySlug) return null
  const values = query === '' ? null : new URLSearchParams(query)
  const rid = values?.getAll('rid').at(-1) ?? null
  const exitStatus = last !== undefined && /^[0-9]/.test(last) ? Number(last) : null
  const badUrl = exitStatus !== null && exitStatus > 255
  const badRid = rid !== null && !RUN_ID.test(rid)
  return {
    target: byUuid
      ? { uuid: byUuid[1]! }
      : { pingKey: bySlug![1]!, slug: bySlug![2]!, create: values?.getAll('create').at(-1) === '1' },
    action: last === 'start' || last === 'fail' || last === 'log' ? last : 'success',
    exitStatus: badUrl ? null : exitStatus,
    rid: rid === null || badRid ? null : rid.toLowerCase(),
    durationMs: durationOf(values?.getAll('duration').at(-1)),
    ranAt: values === null ? null : ranAtOf(values.getAll('at').at(-1)),
    invalid: badUrl ? 'url' : badRid ? 'rid' : null,
  }
}

/** A run's duration (ms) as measured by the client, which sends it in seconds; null if it is not valid. */
function durationOf(text: string | undefined): number | null {
  if (text === undefined || !/^\d{1,10}(\.\d{1,9})?$/.test(text)) return null
  const seconds = Number(text)
  return seconds <= LONGEST_DURATION_SECONDS ? Math.round(seconds * 1000) : null
}

/** The time (ms) of a ping that is sent later, given in seconds; null if there is none, `NaN` if it is not valid. */
function ranAtOf(text: string | undefined): number | null {
  if (text === undefined) return null
  return /^\d{1,11}(\.\d{1,9})?$/.test(text) ? Math.floor(Number(text) * 1000) : Number.NaN
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

export function firstValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}

/** The scheme of a ping, according to the proxy. Anyone can send the header, so no other value is stored. */
export function schemeOf(forwarded: string | undefined): 'http' | 'https' {
  return /^\s*https\s*(?:,|$)/i.test(forwarded ?? '') ? 'https' : 'http'
}

/**
 * The sender of a ping: the first address that the proxy names, without a port, or the socket's peer. Invalid addresses
 * are not stored.
 */
export function remoteAddress(forwarded: string | undefined, peer: string | undefined): string | null {
  if (forwarded === undefined) return peer ?? null
  const first = forwarded.split(',', 1)[0]!.trim()
  if (isIP(first)) return first
  const withoutPort = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(first)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(first)?.[1]
  return withoutPort !== undefined && isIP(withoutPort) ? withoutPort : null
}
