/** A database in trouble does not make a job look silent that pings by the protocol of another monitor. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PingQueue } from '../../../src/actions/pings/record-pings.js'
import { eventually } from '../../_support/eventually.js'
import { openWorld, type Request } from '../../_support/worlds/world.js'
import { wrapStore } from '../../_support/wrap-store.js'

const world = await openWorld()
const { alice, store, clock } = world
await store.projects.setProtocols(
  alice.projectId,
  ['sentry', 'cronitor', 'alertmanager', 'gatus', 'uptime-kuma'],
  clock.now(),
)
const { uuid } = await world.check(alice, { slug: 'nightly' })

const message = { alerts: [{ status: 'firing', labels: { slug: 'nightly' } }] }
const checkIn = '{}\n{"type":"check_in"}\n{"monitor_slug":"nightly","status":"ok"}\n'
const PROTOCOLS: readonly [name: string, method: string, path: string, request: Request][] = [
  ['Sentry by HTTP', 'GET', `/api/42/cron/nightly/${alice.pingKey}/?status=ok`, {}],
  ['Sentry by envelope', 'POST', `/api/42/envelope/?sentry_key=${alice.pingKey}`, { body: checkIn }],
  ['Cronitor', 'GET', `/p/${alice.pingKey}/nightly?state=complete`, {}],
  [
    'Alertmanager',
    'POST',
    `/ping/${alice.pingKey}/alertmanager`,
    { body: message, headers: { 'User-Agent': 'Alertmanager/0.27.0' } },
  ],
  [
    'Gatus',
    'POST',
    '/api/v1/endpoints/nightly/external?success=true',
    { headers: { Authorization: `Bearer ${alice.pingKey}` } },
  ],
  ['Uptime Kuma', 'GET', `/api/push/${uuid}?status=up`, {}],
]

for (const [name, method, path, request] of PROTOCOLS) {
  test(`a deadline waits for a ping of ${name} that is looked up, and for one that could not be`, async () => {
    let fail = (_error: Error): void => {}
    const asked: string[] = []
    const troubled = wrapStore(store, (name, ask) => (...args) => {
      if (!/^projects\.(findBy|accepts)/.test(name)) return ask(...args)
      asked.push(name)
      return new Promise((_, reject) => {
        fail = reject
      })
    })
    const pings = new PingQueue(troubled, troubled.changes, assert.fail, undefined, clock)
    const root = await world.serveOn(troubled, pings)
    const arrivedAt = clock.now()
    const answer = world.send(method, path, { ...request, root })
    await eventually(() => asked.length === 1)
    clock.advance(5)
    assert.equal(pings.hearing.heardUntil(clock.now()), arrivedAt, 'while it is looked up')
    fail(Object.assign(new Error('terminating connection'), { code: '57P01' }))
    assert.equal((await answer).status, 503)
    assert.equal(world.bugs.splice(0).length, 1)
    clock.advance(60)
    assert.equal(pings.hearing.heardUntil(clock.now()), arrivedAt, 'once it failed')
    assert.ok(pings.hearing.missed.isFailing)
  })
}

test('a request with an unknown key does not make deadlines wait', async () => {
  const pings = new PingQueue(store, store.changes, assert.fail, undefined, clock)
  const root = await world.serveOn(store, pings)
  for (const path of ['/api/42/cron/nightly/nobody/?status=ok', '/p/nobody/nightly?state=complete']) {
    assert.equal((await world.send('GET', path, { root })).status, 403)
  }
  clock.advance(2)
  assert.equal(pings.hearing.heardUntil(clock.now()), clock.now())
  assert.equal(pings.hearing.missed.failures, 0)
})
