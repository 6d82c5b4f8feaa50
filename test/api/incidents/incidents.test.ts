/** Incidents in Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, clock, store } = world
const PREFIX = '/api/punctual/v1'
const INCIDENTS = `${PREFIX}/incidents`

const get = (path = '', key = alice.rw) => world.get(INCIDENTS + path, key)
const post = (path: string, body: object = {}, key = alice.rw) =>
  world.send('POST', INCIDENTS + path, { key, body })
const instant = (at = clock.now()) => new Date(at).toISOString().replace(/\.\d+Z/, '+00:00')
const types = (timeline: { type: string }[]) => timeline.map(({ type }) => type)

/** A check that is down, with the ID of its incident. */
async function downCheck(settings: object = {}) {
  const check = await world.check(alice, settings)
  await world.ping(check, '/fail')
  const { json } = await world.get(`${PREFIX}/checks/${check.uuid}`, alice.rw)
  assert.equal(typeof json.incident, 'number')
  return { check, id: json.incident as number }
}

test('an incident is listed and shown from going down to coming up', async () => {
  const { check, id } = await downCheck({ name: 'Backup' })
  const openedAt = instant()
  const open = {
    id,
    check: { uuid: check.uuid, name: 'Backup' },
    opened_at: openedAt,
    since: openedAt,
    cause: 'failed',
    closed_at: null,
    closed_by: null,
    acknowledged: null,
  }
  assert.deepEqual((await get(`?check=${check.uuid}`)).json, { items: [open], next: null })
  clock.advance(60)
  await world.ping(check, '')
  const closed = { ...open, closed_at: instant(), closed_by: 'recovery' }
  const { status, json } = await get(`/${id}`)
  assert.equal(status, 200)
  const timeline = [
    { type: 'opened', at: openedAt, cause: 'failed' },
    { type: 'closed', at: instant(), by: 'recovery' },
  ]
  assert.deepEqual(json, { ...closed, timeline })
  const { json: shown } = await world.get(`${PREFIX}/checks/${check.uuid}`, alice.rw)
  assert.equal(shown.incident, null)
})

test('the list is filtered by state, time, check and tag, and continues by cursor', async () => {
  const start = clock.now()
  const { check, id: first } = await downCheck({ tags: 'prod db' })
  clock.advance(600)
  await world.ping(check, '')
  clock.advance(600)
  const { id: second } = await downCheck({ tags: 'Prod' })
  const { id: third } = await downCheck({ tags: 'prod' })
  const from = `from=${encodeURIComponent(instant(start))}`
  const ids = async (query: string) => {
    const { status, json } = await get(`?${from}${query}`)
    assert.equal(status, 200, query)
    return json.items.map((one: { id: number }) => one.id).filter((id: number) => id >= first)
  }
  assert.deepEqual(await ids(''), [third, second, first])
  assert.deepEqual(await ids('&open=true'), [third, second])
  assert.deepEqual(await ids('&open=false'), [first])
  assert.deepEqual(await ids('&tag=prod'), [third, first])
  assert.deepEqual(await ids('&tag=pro'), [])
  assert.deepEqual(await ids(`&check=${check.uuid}`), [first])
  assert.deepEqual(await ids(`&channel=${check.uuid}`), [], 'nothing was sent to such a channel')
  assert.equal((await get('?channel=chat')).status, 422)
  assert.deepEqual(await ids(`&to=${encodeURIComponent(instant(start + 1_000))}`), [first])
  const later = (await get(`?from=${instant(start + 601_000).replace('+00:00', 'Z')}&open=false`)).json
  assert.deepEqual(later.items, [])
  const seen: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { json } = await get(`?${from}&limit=1${cursor && `&cursor=${cursor}`}`)
    seen.push(...json.items.map((one: { id: number }) => one.id))
    cursor = json.next
  }
  assert.deepEqual(seen.slice(0, 3), [third, second, first])
})

test('an acknowledgement is shown until it ends or is taken back, and stays in the timeline', async () => {
  const { id } = await downCheck()
  const until = instant(clock.now() + 600_000)
  const { status, json } = await post(`/${id}/acknowledge`, { note: ' on it ', until })
  assert.equal(status, 200)
  assert.deepEqual(json.acknowledged, { by: 'API key', at: instant(), note: 'on it', until })
  clock.advance(600)
  assert.equal((await get(`/${id}`)).json.acknowledged, null)
  const gone = await world.send('DELETE', `${INCIDENTS}/${id}/acknowledge`, { key: alice.rw })
  assert.equal(gone.status, 409)
  assert.equal((await post(`/${id}/acknowledge`)).json.acknowledged.until, null)
  const back = await world.send('DELETE', `${INCIDENTS}/${id}/acknowledge`, { key: alice.rw })
  assert.equal(back.status, 200)
  assert.equal(back.json.acknowledged, null)
  await post(`/${id}/notes`, { note: 'It was the disk' })
  const { timeline } = (await get(`/${id}`)).json
  assert.deepEqual(types(timeline), ['opened', 'acknowledged', 'acknowledged', 'unacknowledged', 'note'])
  assert.deepEqual(timeline.at(-1), { type: 'note', at: instant(), by: 'API key', note: 'It was the disk' })
})

test('an acknowledgement survives a short recovery, and does not hold for a new incident', async () => {
  const { check, id } = await downCheck()
  await post(`/${id}/acknowledge`, { note: 'known' })
  clock.advance(60)
  await world.ping(check, '')
  assert.equal((await post(`/${id}/acknowledge`)).status, 409)
  clock.advance(60)
  await world.ping(check, '/fail')
  const { json } = await get(`/${id}`)
  assert.equal(json.acknowledged.note, 'known')
  assert.deepEqual(types(json.timeline), ['opened', 'acknowledged', 'closed', 'reopened'])
  await world.ping(check, '')
  clock.advance(901)
  await world.ping(check, '/fail')
  const [newest] = (await get(`?check=${check.uuid}`)).json.items
  assert.notEqual(newest.id, id)
  assert.equal(newest.acknowledged, null)
})

test('several are acknowledged at once, without those that have closed, or none', async () => {
  const [one, two, other] = [await downCheck(), await downCheck(), await downCheck()]
  await world.ping(two.check, '')
  const { status, json } = await post('/acknowledge', { incidents: [two.id, other.id, one.id], note: 'x' })
  assert.equal(status, 200)
  assert.deepEqual(json, { acknowledged: [one.id, other.id] })
  const foreign = await world.check(charlie)
  await world.ping(foreign, '/fail')
  const [incident] = (await get('', charlie.rw)).json.items
  for (const [id, expected] of [
    [incident.id, 404],
    [999_999, 404],
  ])
    assert.equal((await post('/acknowledge', { incidents: [other.id, id], note: 'y' })).status, expected)
  assert.equal((await get(`/${other.id}`)).json.acknowledged.note, 'x')
})

test('a message is in the timeline with the result of its last attempt', async () => {
  const { id } = await downCheck()
  const channel = { projectId: alice.projectId, name: 'Chat', kind: 'webhook', settings: {}, members: [] }
  const { uuid, id: channelId } = await store.channels.create({ ...channel, now: clock.now() })
  await world.raw(`INSERT INTO notifications
    (uuid, delivery_uuid, channel_id, check_status, attempt, created_at, error, incident_id)
    VALUES ('a', 'd', ${channelId}, 'down', 1, ${clock.now()}, 'no answer', ${id}),
           ('b', 'd', ${channelId}, 'down', 2, ${clock.now() + 5_000}, '', ${id})`)
  const { timeline } = (await get(`/${id}`)).json
  assert.deepEqual(timeline[1], {
    type: 'message',
    at: instant(),
    channel: { uuid, name: 'Chat', kind: 'webhook' },
    status: 'down',
    attempts: 2,
    last_attempt: instant(clock.now() + 5_000),
    error: null,
  })
  await world.raw(`UPDATE notifications SET error = 'no answer from alice@example.org' WHERE uuid = 'b'`)
  const asRead = (await get(`/${id}`, alice.ro)).json.timeline[1]
  assert.deepEqual([asRead.channel, asRead.error], [{ kind: 'webhook' }, 'not sent'])
  await store.channels.delete(channelId, clock.now())
  const [, kept] = (await get(`/${id}`)).json.timeline
  assert.deepEqual([kept.channel, kept.attempts], [null, 2])
})

test('incidents of a deleted check are listed under its name', async () => {
  const { check, id } = await downCheck({ name: 'Gone' })
  await world.send('DELETE', `/api/v3/checks/${check.uuid}`, { key: alice.rw })
  const { json } = await get(`/${id}`)
  assert.deepEqual(json.check, { uuid: null, name: 'Gone' })
  assert.equal(json.closed_by, 'deleted')
  assert.ok((await get('')).json.items.some((one: { id: number }) => one.id === id))
})

test('a read-only key reads incidents without addresses, and changes nothing', async () => {
  const { check, id } = await downCheck()
  await post(`/${id}/acknowledge`, { note: 'known' })
  const { status, json, text } = await get(`/${id}`, alice.ro)
  assert.equal(status, 200)
  assert.ok(!text.includes(check.uuid))
  assert.equal(json.check.unique_key.length, 40)
  assert.equal(json.acknowledged.by, null)
  const listed = await get(`?check=${json.check.unique_key}`, alice.ro)
  assert.equal(listed.json.items.length, 1)
  for (const [method, path, body] of [
    ['POST', `/${id}/acknowledge`, {}],
    ['POST', '/acknowledge', { incidents: [id] }],
    ['POST', `/${id}/notes`, { note: 'x' }],
    ['DELETE', `/${id}/acknowledge`, undefined],
  ] as const) {
    const refused = await world.send(method, INCIDENTS + path, { key: alice.ro, body })
    assert.equal(refused.status, 403, path)
  }
  assert.equal((await get(`/${id}`)).json.acknowledged.note, 'known')
})

test('an outsider sees and changes nothing', async () => {
  const { check, id } = await downCheck()
  const listed = (await get('', charlie.rw)).json.items
  assert.ok(listed.every((one: { id: number }) => one.id !== id))
  assert.equal((await get(`?check=${check.uuid}`, charlie.rw)).status, 404)
  assert.equal((await get(`/${id}`, charlie.rw)).status, 404)
  assert.equal((await get(`/${id}`, 'x'.repeat(32))).status, 401)
  assert.equal((await post(`/${id}/acknowledge`, {}, charlie.rw)).status, 404)
  assert.equal((await post(`/${id}/acknowledge`, { note: 5 }, charlie.rw)).status, 404)
  assert.equal((await post(`/${id}/notes`, { note: 'x' }, charlie.rw)).status, 404)
  assert.equal((await post('/acknowledge', { incidents: [id] }, charlie.rw)).status, 404)
  const gone = await world.send('DELETE', `${INCIDENTS}/${id}/acknowledge`, { key: charlie.rw })
  assert.equal(gone.status, 404)
  assert.deepEqual(types((await get(`/${id}`)).json.timeline), ['opened'])
  assert.equal((await get('/999999999')).status, 404)
  assert.equal((await get('/99999999999999999')).status, 404)
})

test('wrong parameters and fields are named', async () => {
  const { id } = await downCheck()
  for (const query of [
    'open=1',
    'from=yesterday',
    'to=5',
    'check=x',
    'tag=',
    'limit=0',
    'cursor=1',
    'page=2',
  ]) {
    const { status, json } = await get(`?${query}`)
    assert.equal(status, 422, query)
    assert.equal(json.errors[0].parameter, query.split('=')[0])
  }
  const past = instant(clock.now())
  for (const [path, body, pointer] of [
    [`/${id}/acknowledge`, { note: 5 }, '/note'],
    [`/${id}/acknowledge`, { note: 'x'.repeat(1_001) }, '/note'],
    [`/${id}/acknowledge`, { until: 'soon' }, '/until'],
    [`/${id}/acknowledge`, { until: past }, '/until'],
    [`/${id}/acknowledge`, { until: '2999-01-01T00:00:00Z' }, '/until'],
    [`/${id}/acknowledge`, { extra: 1 }, '/extra'],
    ['/acknowledge', { incidents: [] }, '/incidents'],
    ['/acknowledge', { incidents: ['x'] }, '/incidents/0'],
    [`/${id}/notes`, {}, '/note'],
    [`/${id}/notes`, { note: '  ' }, '/note'],
  ] as const) {
    const { status, json } = await post(path, body)
    assert.equal(status, 422, JSON.stringify(body))
    assert.equal(json.errors[0].pointer, pointer)
  }
  assert.equal((await get(`/${id}`)).json.acknowledged, null)
})
