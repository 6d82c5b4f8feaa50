/** The one listener: takes off the site's path prefix, answers pings itself, hands the rest to the app. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { BASE_HEADERS } from './headers.js'
import { handlePing, type PingDeps } from './ping.js'
import type { Probes } from './probes.js'

export interface ServerDeps extends Omit<PingDeps, 'headers'> {
  /** What every answer tells browsers in `Strict-Transport-Security`; null: nothing. */
  hsts: string | null
  /** Path part of SITE_ROOT without a trailing slash; empty for none. Requests outside it are not found. */
  prefix: string
  /** Answers what machines ask about the process, before anything else does. */
  probes?: Probes
  /** Answers everything but pings. */
  app(request: IncomingMessage, response: ServerResponse): void
}

/** Slow senders are cut off: headers and the whole request must be here after so long. */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 60_000

/** The HTTP server, not yet listening. */
export function createHttpServer(deps: ServerDeps): Server {
  const pingPrefix = `${deps.prefix}/ping/`
  const { hsts } = deps
  const headers = hsts === null ? BASE_HEADERS : [...BASE_HEADERS, 'Strict-Transport-Security', hsts]
  const toPing = { ...deps, headers }
  const server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: 65_000 },
    (request, response) => {
      const url = originForm(request.url ?? '/')
      if (url.startsWith(pingPrefix)) {
        const mark = url.indexOf('?')
        const path = url.slice(pingPrefix.length, mark === -1 ? undefined : mark)
        if (handlePing(toPing, request, response, path, mark === -1 ? '' : url.slice(mark + 1))) return
      }
      if (hsts !== null) response.setHeader('Strict-Transport-Security', hsts)
      if (deps.probes?.(request, response)) return
      if (request.method === 'TRACE' || !isInside(url, deps.prefix)) {
        response.writeHead(request.method === 'TRACE' ? 405 : 404, [...BASE_HEADERS, 'Content-Length', '0'])
        response.end()
        return
      }
      request.url = url.slice(deps.prefix.length).replace(/^(?!\/)/, '/')
      deps.app(request, response)
    },
  )
  // Without a listener the parser's CONNECT would be cut off without a word.
  server.on('connect', (_request, socket) => {
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
  return server
}

function isInside(url: string, prefix: string): boolean {
  const next = url[prefix.length]
  return url.startsWith(prefix) && (next === undefined || next === '/' || next === '?')
}

/** The path and query of a request whose line names a whole address, as proxies send it (RFC 9112, 3.2.2). */
function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')
}
