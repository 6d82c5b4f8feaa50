/** Cronitor: telemetry events become pings. See docs/coming-from-cronitor.md. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, store, clock } = world
await store.projects.setProtocols(alice.projectId, ['cronitor'], clock.now())
const { uuid } = await world.check(alice, { slug: 'nightly' })
const CLIENT = { 'User-Agent': 'cronitor-js' }

const event = (query: string, name = 'nightly', key = alice.pingKey, method = 'GET', body?: unknown) =>
  world.send(method, `/p/${key}/${name}${query}`, body === undefined ? {} : { body })

const pingsOf = async (check = uuid) =>
  (await world.get(`/api/v3/checks/${check}/pings/`, alice.rw)).json.pings

async function named(slug: string) {
  const { json } = await world.get(`/api/punctual/v1/checks?slug=${slug}`, alice.rw)
  return json.items[0]
}

test('the states start, end and fail a run, which its series ties together', async () => {
  for (const query of [
    '?state=run&series=4f2c',
    '?state=complete&series=4f2c&status_code=0&metric=count:7&metric=duration:1.5',
    '?state=fail&series=4f2c&status_code=3&message=disk%20full',
    '?state=ok',
    '?state=tick',
    '',
  ]) {
    const answer = await event(query)
    assert.deepEqual([answer.status, answer.text], [200, 'OK'], query)
  }
  const [bare, tick, ok, fail, complete, run] = await pingsOf()
  assert.deepEqual(
    [bare, tick, ok, fail, complete, run].map(({ type }) => type),
    ['success', 'success', 'success', 'fail', 'success', 'start'],
  )
  assert.match(run.rid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual([complete.rid, fail.rid, ok.rid ?? null], [run.rid, run.rid, null])
  const rows = await world.raw(
    `SELECT exit_status, duration FROM pings WHERE n IN (${complete.n}, ${fail.n})`,
  )
  assert.deepEqual(rows.map(row => Number(row.exit_status)).sort(), [0, 3])
  assert.ok(rows.some(row => Number(row.duration) === 1500))
  assert.equal((await world.get(`/api/v3/checks/${uuid}/pings/${fail.n}/body`, alice.rw)).text, 'disk full')
})

test('the state has the say over a status code that contradicts it', async () => {
  await event('?state=fail&status_code=0')
  await event('?state=complete&status_code=1')
  const [complete, fail] = await pingsOf()
  assert.deepEqual([complete.type, fail.type], ['success', 'fail'])
})

test('a monitor that is new makes a check, and an environment has its own', async () => {
  assert.equal((await event('?state=run&env=production', 'Fresh%20Job')).status, 200)
  assert.equal((await event('?state=fail&env=Staging', 'Fresh%20Job')).status, 200)
  assert.equal((await named('fresh-job')).n_pings, 1)
  assert.equal((await named('fresh-job-staging')).status, 'down')
})

test('first events at once make one check', async () => {
  const answers = await Promise.all(['run', 'complete', 'ok'].map(state => event(`?state=${state}`, 'race')))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  assert.equal((await named('race')).n_pings, 3)
})

test('the ping address takes events of Cronitor’s own clients, and pings of all others', async () => {
  const { uuid: own } = await world.check(alice, { slug: 'wrapped' })
  const send = (query: string, headers = {}, key = alice.pingKey) =>
    world.send('GET', `/ping/${key}/wrapped${query}`, { headers })
  assert.equal((await send('?state=run&series=1&stamp=1.5', CLIENT)).status, 200)
  assert.equal((await send('?stamp=1.5', { 'User-Agent': 'CronitorCLI/31.4' })).status, 200)
  assert.equal((await send('?state=fail')).status, 200)
  assert.equal((await send('', CLIENT)).status, 200)
  assert.deepEqual(
    (await pingsOf(own)).map(({ type }: { type: string }) => type),
    ['success', 'success', 'success', 'start'],
  )
  assert.equal((await send('?state=run', CLIENT, charlie.pingKey)).status, 403)
})

test('a project that does not accept events, and an unknown key, are refused alike', async () => {
  const hidden = await world.check(charlie, { slug: 'secret' })
  const refused = await event('?state=ok', 'secret', charlie.pingKey)
  const unknown = await event('?state=ok', 'secret', 'nobody')
  assert.deepEqual([refused.status, refused.text], [unknown.status, unknown.text])
  assert.equal(refused.status, 403)
  assert.equal((await world.get(`/api/v3/checks/${hidden.uuid}`, charlie.rw)).json.n_pings, 0)
})

test('a slug that two checks have is refused', async () => {
  for (const _ of [1, 2]) await world.check(alice, { slug: 'twice' })
  assert.equal((await event('?state=ok', 'twice')).status, 409)
})

const RUBBISH: [string, number, () => ReturnType<typeof event>][] = [
  ['an unknown state', 400, () => event('?state=toString')],
  ['a repeated state', 400, () => event('?state=run&state=fail')],
  ['a status code of words', 400, () => event('?state=fail&status_code=one')],
  ['a name of signs', 400, () => event('?state=ok', '%21%21')],
  ['a name that cannot be decoded', 400, () => event('?state=ok', '%ff')],
  ['a key with a NUL', 403, () => event('?state=ok', 'nightly', '%00')],
  ['a huge body', 400, () => event('?state=ok', 'nightly', alice.pingKey, 'POST', 'x'.repeat(70_000))],
  ['DELETE', 405, () => event('?state=ok', 'nightly', alice.pingKey, 'DELETE')],
]

for (const [what, status, send] of RUBBISH) {
  test(`${what} is refused with ${status}, and nothing is recorded`, async () => {
    const before = (await named('nightly')).n_pings
    const answer = await send()
    assert.equal(answer.status, status, answer.text)
    assert.equal((await named('nightly')).n_pings, before)
  })
}

test('what follows a # is no part of an event, and alone makes none', async () => {
  const before = (await named('nightly')).n_pings
  // fetch does not send it.
  const statusOf = async (path: string, headers = {}) => {
    const [response] = (await once(request(world.root + path, { path, headers }).end(), 'response')) as [
      IncomingMessage,
    ]
    response.resume()
    return response.statusCode
  }
  assert.equal(await statusOf(`/p/${alice.pingKey}#/nightly?state=ok`), 404)
  assert.equal(await statusOf(`/ping/${alice.pingKey}/nightly#?state=ok`, CLIENT), 404)
  assert.equal((await named('nightly')).n_pings, before)
  assert.equal(await statusOf(`/p/${alice.pingKey}/nightly?state=ok#/x`), 200)
  assert.equal((await named('nightly')).n_pings, before + 1)
})

test('odd values that say nothing are no error', async () => {
  const before = (await named('nightly')).n_pings
  for (const query of [
    '?metric=duration:never',
    '?metric[]=1&state[]=x',
    '?message=%ff%00',
    '?status_code=-1&state=fail',
  ]) {
    assert.equal((await event(query)).status, 200, query)
  }
  assert.equal((await named('nightly')).n_pings, before + 4)
})
