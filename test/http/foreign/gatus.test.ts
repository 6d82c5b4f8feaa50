/** Gatus: results pushed to external endpoints become pings. See docs/coming-from-gatus.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goDurationMs } from '../../../src/http/foreign/go-duration.js'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, store, clock } = world
await store.projects.setProtocols(alice.projectId, ['gatus'], clock.now())

const push = (endpoint: string, query: string, key: string | null = alice.pingKey, body?: unknown) =>
  world.send('POST', `/api/v1/endpoints/${endpoint}/external?${query}`, {
    headers: {
      ...(key !== null && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body,
  })

test('a success and a failure with its error and duration become pings', async () => {
  const { uuid } = await world.check(alice, { slug: 'core_backup' })
  assert.deepEqual(
    [(await push('core_backup', 'success=true')).status, (await push('Core_Backup', 'success=true')).text],
    [200, ''],
  )
  await push('core_backup', `success=false&error=${encodeURIComponent('no space: ž')}&duration=1m30.5s`)
  const { json } = await world.get(`/api/punctual/v1/checks/${uuid}/pings`, alice.rw)
  assert.deepEqual(
    json.items.map(({ kind, duration }: { kind: string; duration: number | null }) => [kind, duration]),
    [
      ['fail', 90.5],
      ['success', null],
      ['success', null],
    ],
  )
  assert.equal((await world.get(`/api/v3/checks/${uuid}/pings/3/body`, alice.rw)).text, 'no space: ž')
})

test('an endpoint without a group begins with an underscore, and an error may be in the body', async () => {
  const { uuid } = await world.check(alice, { slug: 'job' })
  assert.equal((await push('_job', 'success=false&error=one', alice.pingKey, { error: 'two' })).status, 200)
  assert.equal((await world.get(`/api/v3/checks/${uuid}/pings/1/body`, alice.rw)).text, 'one\ntwo')
})

test('no token, a wrong one and a project that does not accept the protocol are refused alike', async () => {
  await world.check(charlie, { slug: 'secret' })
  for (const key of [null, 'nobody', charlie.pingKey, 'a b', alice.rw]) {
    const answer = await push('secret', 'success=true', key)
    assert.deepEqual([answer.status, answer.text], [401, 'invalid token'])
  }
  assert.equal((await push('secret', 'success=true')).status, 404)
})

const RUBBISH: [string, number, () => Promise<{ status: number; text: string }>][] = [
  ['no success', 400, () => push('job', '')],
  ['a success that is none', 400, () => push('job', 'success=1')],
  ['a duration that is none', 400, () => push('job', 'success=true&duration=soon')],
  ['an unknown key', 404, () => push('other', 'success=true')],
  ['a key that cannot be decoded', 404, () => push('%ff', 'success=true')],
  ['a key with a NUL', 404, () => push('a%00b', 'success=true')],
  ['a body without end', 400, () => push('job', 'success=true', alice.pingKey, new Uint8Array(3_000_000))],
  ['another method', 405, () => world.get('/api/v1/endpoints/job/external?success=true')],
]
for (const [what, status, send] of RUBBISH) {
  test(`${what} is refused with ${status}, and nothing is recorded`, async () => {
    const count = async () => (await world.get('/api/v3/checks/?slug=job', alice.rw)).json.checks[0].n_pings
    const before = await count()
    const answer = await send()
    assert.equal(answer.status, status, answer.text)
    assert.equal(await count(), before)
  })
}

test('a slug that two checks have is refused', async () => {
  await world.check(alice, { slug: 'twice' })
  await world.check(alice, { slug: 'twice' })
  assert.equal((await push('twice', 'success=true')).status, 409)
})

const DURATIONS: [string, number | null][] = [
  ['0', 0],
  ['10s', 10_000],
  ['1.5h', 5_400_000],
  ['1h15m30.918s', 4_530_918],
  ['250ms', 250],
  ['1500us', 2],
  ['1500\u00b5s', 2],
  ['.5s', 500],
  ['5.s', 5_000],
  ['+5s', 5_000],
  ['-5s', null],
  ['10', null],
  ['', null],
  ['.s', null],
  ['1d', null],
  ['9999999h', null],
  ['1s 2s', null],
]
for (const [text, ms] of DURATIONS) {
  test(`${JSON.stringify(text)} lasts ${ms} ms`, () => assert.equal(goDurationMs(text), ms))
}
