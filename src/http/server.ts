/** The listener: removes the site's path prefix, answers pings itself, and passes all other requests to the app. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { isFromAlertmanager } from './foreign/alertmanager.js'
import { isFromCronitor } from './foreign/cronitor.js'
import { BASE_HEADERS } from './headers.js'
import { answerInTurn } from './limit-pipelines.js'
import { handlePing, type PingDeps } from './ping.js'
import type { Probes } from './probes.js'

export interface ServerDeps extends Omit<PingDeps, 'headers'> {
  /** The value of `Strict-Transport-Security` in every response; null: none. */
  hsts: string | null
  /** The path of SITE_ROOT without a trailing slash; empty if none. Requests outside it get 404. */
  prefix: string
  /** Answers probes, before everything else. */
  probes?: Probes
  /** Answers everything except pings. */
  app(request: IncomingMessage, response: ServerResponse): void
}

/** The time limits for receiving the headers and the whole request, so that slow senders are cut off. */
const HEADERS_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 60_000

/** Creates the HTTP server, which does not listen yet. */
export function createHttpServer(deps: ServerDeps): Server {
  const pingPrefix = `${deps.prefix}/ping/`
  const { hsts } = deps
  const headers = hsts === null ? BASE_HEADERS : [...BASE_HEADERS, 'Strict-Transport-Security', hsts]
  const toPing = { ...deps, headers }
  const server: Server = createServer(
    { headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS, keepAliveTimeout: 65_000 },
    answerInTurn((request, response) => {
      const url = originForm(request.url ?? '/')
      if (url.startsWith(pingPrefix)) {
        const mark = url.indexOf('?')
        const path = url.slice(pingPrefix.length, mark === -1 ? undefined : mark)
        const query = mark === -1 ? '' : url.slice(mark + 1)
        const isPing = !isFromAlertmanager(request, path) && (query === '' || !isFromCronitor(request, query))
        if (isPing && handlePing(toPing, request, response, path, query)) return
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
    }),
  )
  // Without a listener, CONNECT requests would be cut off without a response.
  server.on('connect', (_request, socket) => {
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
  return server
}

function isInside(url: string, prefix: string): boolean {
  const next = url[prefix.length]
  return url.startsWith(prefix) && (next === undefined || next === '/' || next === '?')
}

/** The path and query of a request line that contains a whole URL, as proxies send it (RFC 9112, 3.2.2). */
function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/')
}
