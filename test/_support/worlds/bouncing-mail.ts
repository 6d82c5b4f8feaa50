import type { TestContext } from 'node:test'
import { type DeliverDeps, deliver } from '../../../src/actions/alerts/deliver.js'
import { type BounceEvent, noteBounce } from '../../../src/actions/alerts/note-bounce.js'
import { bounceToken } from '../../../src/lib/mail/bounce-token.js'
import { testWays } from '../alert.js'
import { testDelivery } from './delivery.js'
import { StoreHarness } from './store-harness.js'

export const MINUTE_MS = 60_000
export const UNKNOWN = 'Status: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 User unknown'
export const DENIED = 'Status: 5.7.1\nDiagnostic-Code: smtp; 550 5.7.1 Relay access denied'

/**
 * A check that is up, an e-mail channel, and a mail server that accepts all and returns it after
 * `server.afterMs` with the report `server.returns`.
 */
export async function openBouncingMail(t: TestContext) {
  const scene = await StoreHarness.open(t)
  const { store, projectId } = scene
  await scene.ping('backup')
  const settings = { value: 'alice@example.org', down: 'true', up: 'true', hourly_limit: '30' }
  const words = { projectId, kind: 'email', name: 'A', settings, members: [], confirmed: true }
  const { id, uuid } = await store.channels.create({ ...words, now: scene.now })
  const server: { returns: string | null; inTime: boolean; afterMs: number } = {
    returns: UNKNOWN,
    inTime: false,
    afterMs: 0,
  }
  const events: BounceEvent[] = []
  const accepted: string[] = []
  const tokens: string[] = []
  const sentAt: number[] = []
  const bounceDeps = {
    store,
    site: { name: 'Punctual', root: 'http://localhost:8000' },
    secretKeys: ['secret'],
    envelopeTemplate: '%s@bounces.example.org',
    onBounce: (event: BounceEvent) => void events.push(event),
  }
  const bounce = async (token: string, report: string) =>
    await noteBounce(bounceDeps, { to: `${token}@bounces.example.org`, text: report }, scene.now)
  const bounceAll = async () => {
    while (tokens.length > 0 && sentAt[0]! + server.afterMs <= scene.now) {
      sentAt.shift()
      const token = tokens.shift()!
      if (server.returns) await bounce(token, server.returns)
    }
  }
  const deps: DeliverDeps = {
    ...testDelivery(store, { now: () => scene.now }),
    bounceId: known => bounceToken('secret', `n.${known}`, scene.now),
    worker: 'me',
    transports: signal => ({
      ...testWays(null, { signal }),
      async mail({ subject, bounceId }) {
        accepted.push(subject)
        tokens.push(bounceId!)
        sentAt.push(scene.now)
        if (server.inTime) await bounceAll()
      },
    }),
  }
  /** Sends what is due, and lets it bounce. */
  const pass = async () => {
    for (const message of await scene.claim()) {
      // Time passes between the claim and the attempt.
      scene.now += 1
      await deliver(deps, message, new AbortController().signal, { check() {} })
    }
    await bounceAll()
  }
  /** Does that minute by minute, from now on until `minutes` later. */
  const passMinutes = async (minutes: number) => {
    await pass()
    for (let minute = 0; minute < minutes; minute++) {
      scene.now += MINUTE_MS
      await pass()
    }
  }
  const channel = async () => (await store.channels.find(uuid))!
  return { scene, store, id, server, events, accepted, bounce, tokens, pass, passMinutes, channel }
}
