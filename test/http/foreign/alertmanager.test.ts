/** Alertmanager: a firing Watchdog is a success of its check. See docs/coming-from-alertmanager.md. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, store, clock } = world
await store.projects.setProtocols(alice.projectId, ['alertmanager'], clock.now())

const AGENT = { 'User-Agent': 'Alertmanager/0.27.0', 'Content-Type': 'application/json' }

const send = (body: unknown, { key = alice.pingKey, headers = AGENT, query = '' } = {}) =>
  world.send('POST', `/ping/${key}/alertmanager${query}`, { headers, body })

type Alert = { status?: string; labels: Record<string, string> }

/** As `notify/webhook` of Alertmanager writes it. */
const message = (...alerts: Alert[]) => ({
  receiver: 'punctual',
  status: 'firing',
  alerts: alerts.map(({ status = 'firing', labels }) => ({
    status,
    labels,
    annotations: { summary: 'An alert that always fires.' },
    startsAt: '2026-01-15T11:52:26.739Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus:9090/graph',
    fingerprint: '1a30ba71cca2921f',
  })),
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager:9093',
  version: '4',
  groupKey: '{}:{}',
  truncatedAlerts: 0,
})

async function pingsOf(uuid: string) {
  const { json } = await world.get(`/api/v3/checks/${uuid}/pings/`, alice.rw)
  return json.pings.map(({ type }: { type: string }) => type)
}

test('a firing Watchdog is a success of the check "watchdog", and its body is kept', async () => {
  const { uuid } = await world.check(alice, { slug: 'watchdog' })
  const answer = await send(message({ labels: { alertname: 'Watchdog', severity: 'none' } }))
  assert.deepEqual([answer.status, answer.text], [200, 'OK'])
  assert.deepEqual(await pingsOf(uuid), ['success'])
  const body = await world.get(`/api/v3/checks/${uuid}/pings/1/body`, alice.rw)
  assert.equal(JSON.parse(body.text).labels.alertname, 'Watchdog')
})

test('the label "slug" names the check, several alerts ping several, and each once', async () => {
  const [one, two] = [
    await world.check(alice, { slug: 'cluster-a' }),
    await world.check(alice, { slug: 'b' }),
  ]
  const labels = { alertname: 'Watchdog', slug: 'cluster-a' }
  const other = { alertname: 'AlwaysFiring', slug: 'b' }
  assert.equal((await send(message({ labels }, { labels: other }, { labels }))).status, 200)
  assert.deepEqual([await pingsOf(one.uuid), await pingsOf(two.uuid)], [['success'], ['success']])
})

test('resolved alerts, and those without a slug, ping nothing', async () => {
  const { uuid } = await world.check(alice, { slug: 'ended' })
  const labels = { alertname: 'Watchdog', slug: 'ended' }
  const alerts = [{ status: 'resolved', labels }, { labels: { alertname: 'DiskFull' } }]
  assert.equal((await send(message(...alerts))).status, 200)
  assert.deepEqual(await pingsOf(uuid), [])
})

test('an unknown slug is refused, and the other alerts count', async () => {
  const { uuid } = await world.check(alice, { slug: 'known' })
  const labels = { alertname: 'Watchdog', slug: 'unknown' }
  const answer = await send(
    message({ labels }, { labels: { slug: 'No slug!' } }, { labels: { slug: 'known' } }),
  )
  assert.deepEqual([answer.status, answer.text], [404, 'unknown: there is no check with this slug'])
  assert.deepEqual(await pingsOf(uuid), ['success'])
  assert.equal((await send(message({ labels }), { query: '?create=1' })).status, 200)
  const { json } = await world.get('/api/v3/checks/?slug=unknown', alice.rw)
  assert.equal(json.checks[0].n_pings, 1)
})

test('other clients ping the check with the slug "alertmanager", in whatever project', async () => {
  const { uuid } = await world.check(alice, { slug: 'alertmanager' })
  assert.equal(
    (await send('hello', { headers: { 'User-Agent': 'curl/8', 'Content-Type': 'text/plain' } })).status,
    200,
  )
  assert.equal((await world.get(`/ping/${alice.pingKey}/alertmanager`)).status, 200)
  assert.deepEqual(await pingsOf(uuid), ['success', 'success'])
})

test('a project that does not accept the protocol has an ordinary ping', async () => {
  const before = message({ labels: { alertname: 'Watchdog' } })
  assert.equal((await send(before, { key: charlie.pingKey })).status, 404)
  await world.check(charlie, { slug: 'alertmanager' })
  const { uuid } = await world.check(charlie, { slug: 'watchdog' })
  assert.equal((await send(before, { key: charlie.pingKey })).status, 200)
  const { json } = await world.get(`/api/v3/checks/${uuid}`, charlie.rw)
  assert.equal(json.n_pings, 0)
  assert.equal((await send(before, { key: 'nobody' })).status, 404)
})

const RUBBISH: [string, number, unknown][] = [
  ['nothing', 400, ''],
  ['no JSON', 400, '{'],
  ['a list', 400, []],
  ['no alerts', 400, {}],
  ['alerts that are none', 400, { alerts: [7] }],
  ['labels that are none', 400, { alerts: [{ status: 'firing', labels: { slug: 7 } }] }],
  ['bytes', 400, new Uint8Array([0, 255, 1])],
  ['too many', 400, message(...Array.from({ length: 101 }, (_, n) => ({ labels: { slug: `s${n}` } })))],
  ['a body without end', 400, new Uint8Array(3_000_000)],
]
for (const [what, status, body] of RUBBISH) {
  test(`${what} is refused with ${status}`, async () => {
    const answer = await send(body)
    assert.equal(answer.status, status, answer.text)
  })
}
