import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import { EventFeed } from '../../../src/actions/events/event-feed.js'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import { loadConfig } from '../../../src/config.js'
import type { ReadWriteCheck } from '../../../src/core/wire/check.js'
import type { PingShape } from '../../../src/core/wire/ping.js'
import { createApp } from '../../../src/http/app.js'
import { createHttpServer } from '../../../src/http/server.js'
import { createStampSource } from '../../../src/lib/clock.js'
import { digestOf, newApiKey, newPingKey } from '../../../src/lib/secrets/secrets.js'
import type { StoreSettings } from '../../../src/storage/db.js'
import type { Store } from '../../../src/storage/store.js'
import { atEnd } from '../at-end.js'
import { testDelivery } from '../worlds/delivery.js'
import { openTestStore, testSettings } from '../worlds/store.js'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

export interface PingServerOptions {
  prefix?: string
  bodyLimit?: number | null
  settings?: Partial<StoreSettings>
}

interface Running {
  store: Store
  port: number
  clock: { at: number; now(): number }
  errors: unknown[]
  stop(): Promise<void>
}

/** The server that tests without special settings share. */
let shared: Promise<Running> | null = null
atEnd(async () => await (await shared)?.stop())

/** A project for the test on a running server. In paths, `key` stands for the project's ping key. */
export class PingServer {
  private constructor(
    private readonly server: Running,
    private readonly prefix: string,
    private readonly project: { id: number; pingKey: string; apiKey: string },
  ) {}

  static async start(t: TestContext, options: PingServerOptions = {}): Promise<PingServer> {
    const ownServer = Object.keys(options).length > 0
    if (!ownServer) shared ??= run({})
    const server = await (ownServer ? run(options) : shared!)
    if (ownServer) t.after(() => server.stop())
    const { store, clock } = server
    const pingKey = newPingKey()
    const apiKey = newApiKey('rw')
    const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey, now: clock.at })
    await store.projects.addApiKey({
      projectId: project.id,
      kind: 'rw',
      digest: digestOf(apiKey),
      hint: apiKey.slice(0, 8),
      now: clock.at,
    })
    return new PingServer(server, options.prefix ?? '', { id: project.id, pingKey, apiKey })
  }

  get port(): number {
    return this.server.port
  }

  /** The errors that the server reported as its own. */
  get errors(): unknown[] {
    return this.server.errors
  }

  /** A request with exactly this path and method. */
  async send(
    path: string,
    options: {
      method?: string
      body?: string | Uint8Array
      headers?: Record<string, string | string[]>
    } = {},
  ): Promise<Answer> {
    const answer = await this.#exchange(path, options)
    return { ...answer, body: answer.body.toString() }
  }

  async #exchange(path: string, options: Parameters<PingServer['send']>[1] = {}) {
    const sent = request({
      port: this.server.port,
      host: '127.0.0.1',
      path: path.replace('/ping/key', `/ping/${this.project.pingKey}`),
      method: options.method ?? 'GET',
      headers: options.headers ?? {},
      agent: false,
    })
    sent.end(options.body)
    const [response] = await once(sent, 'response')
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece)
    const { statusCode: status, headers } = response as { statusCode: number; headers: IncomingHttpHeaders }
    return { status, headers, body: Buffer.concat(pieces) }
  }

  async #api(method: string, path: string, body?: object): Promise<Buffer> {
    const answer = await this.#exchange(`${this.prefix}/api/v3/${path}`, {
      method,
      headers: { 'X-Api-Key': this.project.apiKey },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (answer.status >= 300) throw new Error(`${method} ${path} answered ${answer.status} ${answer.body}`)
    return answer.body
  }

  /** Creates a check, with the slug `backup` by default, and returns its UUID. */
  async addCheck(fields: object = {}): Promise<string> {
    const made = await this.#api('POST', 'checks/', { name: 'Backup', slug: 'backup', ...fields })
    return JSON.parse(made.toString()).uuid
  }

  /** Creates a channel and returns its UUID. */
  async addChannel(): Promise<string> {
    const { store, clock } = this.server
    const channel = { projectId: this.project.id, name: '', kind: 'webhook', settings: {}, members: [] }
    return (await store.channels.create({ ...channel, now: clock.at })).uuid
  }

  async checks(): Promise<ReadWriteCheck[]> {
    return JSON.parse((await this.#api('GET', 'checks/')).toString()).checks
  }

  async check(uuid: string): Promise<ReadWriteCheck> {
    return JSON.parse((await this.#api('GET', `checks/${uuid}`)).toString())
  }

  /** The pings of a check, newest first. */
  async log(uuid: string): Promise<PingShape[]> {
    return JSON.parse((await this.#api('GET', `checks/${uuid}/pings/`)).toString()).pings
  }

  /** The stored body of a check's n-th ping. */
  async body(uuid: string, n: number): Promise<Uint8Array> {
    return new Uint8Array(await this.#api('GET', `checks/${uuid}/pings/${n}/body`))
  }
}

async function run(options: PingServerOptions): Promise<Running> {
  const cleanups: (() => unknown)[] = []
  const context = { after: (cleanup: () => unknown) => cleanups.unshift(cleanup) } as unknown as TestContext
  const store = await openTestStore(context, options.settings)
  const clock = {
    at: Date.UTC(2026, 0, 15, 12),
    now() {
      return this.at
    },
  }
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const { changes } = store
  const pings = new PingQueue(store, changes, onError)
  const app = createApp({
    config: loadConfig({
      SECRET_KEY: 'a key for tests',
      SITE_ROOT: testSettings.siteRoot + (options.prefix ?? ''),
    }),
    store,
    clock,
    pings,
    changes,
    events: new EventFeed({ store, changes, onError }),
    delivery: testDelivery(store, clock),
    mailer: null,
    bodies: null,
    noteSecurity: () => {},
    onUntrustedProxy: () => {},
    onBounce: () => {},
    onError,
  })
  const http = createHttpServer({
    hsts: null,
    prefix: options.prefix ?? '',
    pings,
    stamp: createStampSource(clock),
    bodyLimit: options.bodyLimit === undefined ? 10_000 : options.bodyLimit,
    onError,
    app: getRequestListener(app.fetch),
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    store,
    clock,
    errors,
    port: (http.address() as AddressInfo).port,
    async stop() {
      http.close()
      http.closeAllConnections()
      for (const cleanup of cleanups) await cleanup()
    },
  }
}
