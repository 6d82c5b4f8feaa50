/** One world for the tests through HTTP: a real server on a real store, a clock that stands still. */
import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { getRequestListener } from '@hono/node-server'
import type { BounceEvent } from '../../../src/actions/alerts/note-bounce.js'
import { EventFeed } from '../../../src/actions/events/event-feed.js'
import type { BodyStore } from '../../../src/actions/pings/read-bodies.js'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import { createApiToken } from '../../../src/actions/projects/create-api-token.js'
import { loadConfig } from '../../../src/config.js'
import { SCOPE_NAMES, type ScopeName } from '../../../src/core/people/scopes.js'
import { createApp } from '../../../src/http/app.js'
import type { AppConfig } from '../../../src/http/deps.js'
import { hstsOf } from '../../../src/http/headers.js'
import { createHttpServer } from '../../../src/http/server.js'
import { createStampSource } from '../../../src/lib/clock.js'
import type { SecurityEvent } from '../../../src/lib/log/security-events.js'
import type { SecurityFacts } from '../../../src/lib/log/security-log.js'
import type { Mailer } from '../../../src/lib/mail/mailer.js'
import { digestOf, newApiKey, newPingKey } from '../../../src/lib/secrets/secrets.js'
import type { StoreSettings } from '../../../src/storage/db.js'
import type { TokenOwner } from '../../../src/storage/projects/api-tokens.js'
import type { Store } from '../../../src/storage/store.js'
import { FakeClock } from '../clock.js'
import { type TestDeliveryOptions, testDelivery } from './delivery.js'
import { openFreshStore, testSettings } from './store.js'

/** A project and its keys. */
export interface Account {
  projectId: number
  projectUuid: string
  badgeKey: string
  pingKey: string
  /** Its read-write and its read-only key. */
  rw: string
  ro: string
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; throws where it is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into many shapes
  json: any
}

export interface Request {
  /** The address of another server of the world. */
  root?: string
  key?: string
  headers?: Record<string, string>
  /** Sent as JSON, unless it is text or bytes already. */
  body?: unknown
}

export interface WorldOptions {
  store?: Partial<StoreSettings>
  app?: Partial<AppConfig>
  bodies?: BodyStore
  mailer?: Mailer
  /** What the operator has set for integrations, and where services stand in these tests. */
  delivery?: TestDeliveryOptions
  /** False for a world in which nobody has a project yet. */
  projects?: boolean
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** The body; only the first part of a stream that stays open. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== 'text/event-stream') return await response.text()
  const reader = response.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}

/**
 * Opens the world of a test file; it closes when the file's tests are over, and fails them if the server met a
 * bug. Alice owns a project; Charlie has one of his own and must see nothing of hers.
 */
export async function openWorld(options: WorldOptions = {}) {
  const clock = new FakeClock()
  const bugs: unknown[] = []
  const running = new Set<Promise<Response>>()
  const untrusted: string[] = []
  const bounces: BounceEvent[] = []
  const noted: ({ security: SecurityEvent } & SecurityFacts)[] = []
  const onError = (error: unknown) => bugs.push(error)
  const { store, raw, remove, openAnother } = await openFreshStore(options.store)
  const { changes } = store
  const config: AppConfig = {
    ...loadConfig({ SITE_ROOT: testSettings.siteRoot }),
    SECRET_KEY: 'known to the tests alone',
    // The clock stands still.
    API_REQUESTS_PER_MINUTE: null,
    // Tests send as fast as they can.
    ANONYMOUS_REQUESTS_PER_SECOND: null,
    ...options.app,
  }
  const pings = new PingQueue(store, changes, onError)
  const servers: Server[] = []
  /** Starts a server, as a process with this store has it. Returns its address. */
  async function serve(store: Store, pings: PingQueue): Promise<string> {
    const { changes } = store
    const app = createApp({
      config,
      store,
      clock,
      pings,
      changes,
      events: new EventFeed({ store, changes, onError }),
      delivery: { ...testDelivery(store, clock, options.delivery), bodies: options.bodies ?? null },
      mailer: options.mailer ?? null,
      bodies: options.bodies ?? null,
      onUntrustedProxy: peer => void untrusted.push(peer),
      onBounce: event => void bounces.push(event),
      noteSecurity: (security, facts) => void noted.push({ security, ...facts }),
      onError,
    })
    const server = createHttpServer({
      hsts: hstsOf(config),
      prefix: '',
      pings,
      stamp: createStampSource(clock),
      bodyLimit: 10_000,
      onError,
      app: getRequestListener(async (request, env) => {
        const answer = Promise.resolve(app.fetch(request, env))
        running.add(answer)
        return await answer.finally(() => running.delete(answer))
      }),
    })
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const root = await serve(store, pings)

  after(async () => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
    // A request that its client gave up goes on until it is answered.
    await Promise.allSettled(running)
    await remove()
    assert.deepEqual(bugs, [], 'the server met bugs')
  })

  /** Sends a request to a path of the server. */
  async function send(method: string, path: string, request: Request = {}): Promise<Reply> {
    const { body } = request
    const raw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
    const response = await fetch((request.root ?? root) + path, {
      method,
      redirect: 'manual',
      headers: { ...(request.key === undefined ? {} : { 'X-Api-Key': request.key }), ...request.headers },
      ...(body === undefined ? {} : { body: (raw ? body : JSON.stringify(body)) as string }),
    })
    const text = await textOf(response)
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text)
      },
    }
  }

  /** Makes a project with all its keys. */
  async function account(name = '', ownerId: number | null = null): Promise<Account> {
    const pingKey = newPingKey()
    const project = await store.projects.create({ name, ownerId, pingKey, now: clock.now() })
    const keys = { rw: newApiKey('rw'), ro: newApiKey('ro') }
    for (const kind of ['rw', 'ro'] as const) {
      const hint = keys[kind].slice(0, 8)
      await store.projects.addApiKey({
        projectId: project.id,
        kind,
        digest: digestOf(keys[kind]),
        hint,
        now: clock.now(),
      })
    }
    return { projectId: project.id, projectUuid: project.uuid, badgeKey: project.badgeKey, pingKey, ...keys }
  }

  /** Makes an API token of a person or a project, with all scopes unless others are given. */
  async function token(
    owner: TokenOwner,
    fields: { scopes?: readonly ScopeName[]; expiresAt?: number } = {},
  ) {
    const { token, uuid } = await createApiToken(store, clock, {
      owner,
      name: 'Test',
      scopes: fields.scopes ?? SCOPE_NAMES,
      by: null,
      expiresAt: fields.expiresAt ?? null,
    })
    return { token, uuid }
  }

  async function accountOrNone(name: string): Promise<Account> {
    return options.projects === false ? ({} as Account) : await account(name)
  }

  return {
    clock,
    store,
    config,
    root,
    changes,
    /** A second store on the database, as another process has. The caller closes it. */
    openAnother,
    /** Starts a second server, as a process with that store has it; it closes with the world. Returns its address. */
    serveOn: (store: Store, pings = new PingQueue(store, store.changes, onError)) => serve(store, pings),
    raw,
    /** What was noted for the security log. */
    noted,
    /** What the server could not do; emptied by a test that expects it. */
    bugs,
    /** The peers that sent `X-Forwarded-For` without being trusted. */
    untrusted,
    /** The e-mails that came back. */
    bounces,
    alice: await accountOrNone('Alice'),
    charlie: await accountOrNone('Charlie'),
    account,
    token,
    send,
    get: (path: string, key?: string) => send('GET', path, key === undefined ? {} : { key }),
    post: (path: string, key: string, body?: unknown) => send('POST', path, { key, body }),
    /** Makes it look as if every ping's body were kept outside the database. */
    async moveBodiesOutside() {
      await raw('UPDATE pings SET object_size = length(body), body = NULL')
    },
    /** Makes a check through the API and returns it. */
    async check(owner: Account, fields: object = {}) {
      const { status, json } = await send('POST', '/api/v3/checks/', { key: owner.rw, body: fields })
      assert.equal(status, 201)
      return json
    },
    /** Pings a check: `ping(check, '/start')`. */
    async ping(check: { uuid: string }, suffix = '', request: Request & { method?: string } = {}) {
      const { status } = await send(request.method ?? 'GET', `/ping/${check.uuid}${suffix}`, request)
      assert.equal(status, 200)
    },
  }
}
