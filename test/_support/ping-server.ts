import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { PingQueue } from '../../src/actions/record-pings.js'
import { createHttpServer } from '../../src/http/server.js'
import { Changes } from '../../src/lib/changes.js'
import { stamps } from '../../src/lib/clock.js'
import type { StoreSettings } from '../../src/storage/db.js'
import type { Store } from '../../src/storage/store.js'
import { openTestStore } from './store.js'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** A server that answers pings alone, with a project `key` and a clock of the test's own. */
export class PingServer {
  now = Date.UTC(2026, 0, 15, 12)
  errors: unknown[] = []
  changes = new Changes()
  projectId = 0
  port = 0

  private constructor(readonly store: Store) {}

  static async start(
    t: TestContext,
    options: { prefix?: string; bodyLimit?: number | null; settings?: Partial<StoreSettings> } = {},
  ): Promise<PingServer> {
    const store = await openTestStore(t, options.settings)
    const server = new PingServer(store)
    const project = await store.createProject({
      name: 'Alice',
      ownerId: null,
      pingKey: 'key',
      now: server.now,
    })
    server.projectId = project.id
    const http = createHttpServer({
      prefix: options.prefix ?? '',
      pings: new PingQueue(store, server.changes, message => server.errors.push(message)),
      stamp: stamps({ now: () => server.now }),
      bodyLimit: options.bodyLimit === undefined ? 10_000 : options.bodyLimit,
      onError: error => server.errors.push(error),
      app: (_request, response) => {
        response.writeHead(404, { 'Content-Type': 'text/html' })
        response.end('<h1>Not Found</h1>')
      },
    })
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    t.after(() => {
      http.closeAllConnections()
      http.close()
    })
    server.port = (http.address() as AddressInfo).port
    return server
  }

  /** A request with exactly this path and verb. */
  async send(
    path: string,
    options: {
      method?: string
      body?: string | Uint8Array
      headers?: Record<string, string | string[]>
    } = {},
  ): Promise<Answer> {
    const sent = request({
      port: this.port,
      host: '127.0.0.1',
      path,
      method: options.method ?? 'GET',
      headers: options.headers ?? {},
      agent: false,
    })
    sent.end(options.body)
    const [response] = await once(sent, 'response')
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece)
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(pieces).toString() }
  }

  async createCheck(name = 'Backup', slug = 'backup') {
    const { outcomes } = await this.store.recordPings([
      {
        target: { pingKey: 'key', slug, create: true },
        arrivedAt: this.now,
        arrivedUs: 0,
        action: 'log',
        exitStatus: null,
        rid: null,
        invalid: null,
        scheme: 'http',
        remoteAddr: null,
        method: 'GET',
        ua: name,
        body: null,
      },
    ])
    return outcomes
  }
}
