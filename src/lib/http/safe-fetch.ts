/**
 * The only HTTP client for addresses that users enter. It allows only http and https, checks the address before each
 * connection, follows at most three redirects with the same checks, and limits size and time.
 * Source: docs/behaviour.md, section 8.2.
 */
import type { Socket } from 'node:net'
import { DeadlinePassed, withDeadline } from './deadline.js'
import { FetchError } from './fetch-error.js'
import { guardedConnect } from './guarded-connect.js'
import { type AddressRule, anyAddress } from './public-address.js'
import { requestAfterRedirect } from './redirect.js'
import { requestHeaders } from './request-headers.js'
import type { SafeAnswer, SafeRequest } from './safe-request.js'

export interface SafeFetchOptions {
  permits: AddressRule
  userAgent: string
  /** The time limit of an exchange, including redirects. */
  totalMs?: number
  /** The time limit of a connection, including name resolution and TLS. */
  connectMs?: number
  /** Opens connections; `guardedConnect` by default. */
  connect?: typeof guardedConnect
}

/**
 * Sends a request. Throws `FetchError`, or the signal's reason when it aborts. `begins` is called when the connection is open,
 * before anything is sent over it.
 */
export type SafeFetch = (
  request: SafeRequest,
  signal?: AbortSignal,
  begins?: () => void,
) => Promise<SafeAnswer>

const MAX_REDIRECTS = 3
/** How many bytes of a body are kept if the request does not say. */
export const KEEP_BYTES = 65_536
/** The maximum number of interim responses, such as `103 Early Hints`, of at most 16 kB each. */
const MAX_INTERIM = 10
/**
 * The maximum number of bytes of a response besides the body that is kept. The parser takes endless blank lines, reasons
 * and chunk extensions, which are neither headers nor body.
 */
const MAX_OVERHEAD_BYTES = 1_000_000

export function createSafeFetch(options: SafeFetchOptions): SafeFetch {
  return async (request, signal, begins = () => {}) => {
    try {
      return await withDeadline(options.totalMs ?? 30_000, signal, within =>
        follow(request, options, within, begins),
      )
    } catch (error) {
      throw signal?.aborted ? error : failureOf(error)
    }
  }
}

async function follow(
  first: SafeRequest,
  options: SafeFetchOptions,
  signal: AbortSignal,
  begins: () => void,
): Promise<SafeAnswer> {
  let request = first
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const answer = await exchange(request, options, signal, begins)
    if (request.keepRedirect) return answer
    const next = requestAfterRedirect(request, answer)
    if (next === null) return answer
    request = next
  }
  throw new FetchError('redirects')
}

async function exchange(
  request: SafeRequest,
  options: SafeFetchOptions,
  signal: AbortSignal,
  begins: () => void,
): Promise<SafeAnswer> {
  const url = parse(request.url)
  const permits = request.trustedOrigin === url.origin ? anyAddress : options.permits
  const keepBytes = request.keepBytes ?? KEEP_BYTES
  const { Client } = await import('undici')
  const client = new Client(url.origin, {
    // One connection per exchange: messages are rare, and a stale connection would lose one.
    pipelining: 0,
    // The deadline of the whole exchange covers these.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      const tls = target.protocol === 'https:'
      const port = Number(target.port) || (tls ? 443 : 80)
      withDeadline(options.connectMs ?? 10_000, signal, within =>
        (options.connect ?? guardedConnect)({ hostname: target.hostname, port, tls }, permits, within),
      )
        .then(socket => {
          try {
            begins()
            limitBytes(socket, MAX_OVERHEAD_BYTES + keepBytes)
          } catch (error) {
            socket.destroy()
            throw error
          }
          return socket
        })
        .then(
          socket => callback(null, socket),
          error => callback(error, null),
        )
    },
  })
  let interim = 0
  try {
    const answer = await client.request({
      onInfo: () => {
        if (++interim > MAX_INTERIM) throw new FetchError('answer')
      },
      path: url.pathname + url.search,
      method: request.method,
      headers: requestHeaders(request, url, options.userAgent),
      body: request.body ?? null,
      signal,
    })
    const receivedAt = Date.now()
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)])
    return {
      status: answer.statusCode,
      headers: Object.fromEntries(headers),
      body: await readBeginning(answer.body, keepBytes),
      receivedAt,
    }
  } finally {
    // Rejects when the body was not read to its end, which is intended.
    client.destroy().catch(() => {})
  }
}

/** Ends a connection over which more than `most` bytes come. */
function limitBytes(socket: Socket, most: number): void {
  socket.on('readable', () => {
    if (socket.bytesRead > most) socket.destroy(new FetchError('answer'))
  })
}

function parse(text: string): URL {
  if (!URL.canParse(text)) throw new FetchError('url')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new FetchError('scheme')
  return url
}

/**
 * The first bytes of a body: those that came, if it breaks off or has not ended at the time limit. The receiver has answered, and
 * would be sent the same again if that counted as a failure.
 */
async function readBeginning(body: AsyncIterable<Uint8Array>, keepBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= keepBytes) break
    }
  } catch (error) {
    // Of the rest of the answer only its length matters. Where the end of the connection cuts a body, its framing is wrong as well.
    if (error instanceof FetchError) throw error
  }
  return Buffer.concat(chunks).subarray(0, keepBytes).toString()
}

function failureOf(error: unknown): FetchError {
  if (error instanceof FetchError) return error
  if (error instanceof DeadlinePassed) return new FetchError('timeout', error)
  const { code = '', name } = error as { code?: string; name?: string }
  if (code === 'UND_ERR_INVALID_ARG') return new FetchError('header', error)
  if (name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW')
    return new FetchError('answer', error)
  return new FetchError('connect', error)
}
