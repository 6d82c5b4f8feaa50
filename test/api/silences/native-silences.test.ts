/** Silences in Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, clock } = world
const PREFIX = '/api/punctual/v1'
const SILENCES = `${PREFIX}/silences`

const send = (method: string, path: string, body?: unknown, key = alice.rw) =>
  world.send(method, path, { key, ...(body === undefined ? {} : { body }) })
const post = (body: unknown, key = alice.rw) => send('POST', SILENCES, body, key)
const at = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString()
const shownAt = (seconds: number) => `${at(seconds).slice(0, 19)}+00:00`
const NIGHTLY = { cron: '0 2 * * *', duration: 3600, timezone: 'Europe/Riga' }

test('a silence is created, listed, changed and ended', async () => {
  const check = await world.check(alice)
  const created = await post({
    scope: { checks: [check.uuid] },
    when: { to: at(3600) },
    reason: 'Moving  the\nserver',
  })
  assert.equal(created.status, 201, created.text)
  const { id, ...silence } = created.json
  assert.deepEqual(silence, {
    state: 'active',
    mode: 'hold',
    scope: { checks: [check.uuid] },
    when: { from: shownAt(0), to: shownAt(3600) },
    reason: 'Moving the server',
    changes_at: shownAt(3600),
    over_at: shownAt(3600),
    ended_at: null,
    created_at: shownAt(0),
    channels: null,
    created_by: 'API key',
  })
  assert.deepEqual((await send('GET', `${SILENCES}/${id}`)).json, created.json)
  const { items: silences } = (await send('GET', SILENCES)).json
  assert.deepEqual(silences, [created.json])
  const changed = await send('PATCH', `${SILENCES}/${id}`, { when: { to: at(60) }, reason: '' })
  assert.equal(changed.status, 200, changed.text)
  assert.deepEqual(changed.json.when, { from: shownAt(0), to: shownAt(60) })
  assert.deepEqual(changed.json.scope, { checks: [check.uuid] })
  clock.advance(10)
  const ended = await send('DELETE', `${SILENCES}/${id}`)
  assert.equal(ended.json.state, 'past')
  assert.equal(ended.json.ended_at, shownAt(0))
  assert.equal((await send('PATCH', `${SILENCES}/${id}`, { reason: 'x' })).status, 409)
  assert.deepEqual((await send('GET', SILENCES)).json.items, [])
  const past = await send('GET', `${SILENCES}?state=past`)
  assert.deepEqual(past.json, { items: [ended.json], next: null })
})

test('a recurring silence keeps its own time zone', async () => {
  const created = await post({ mode: 'expect_nothing', scope: { tags: ['db'] }, when: NIGHTLY })
  assert.equal(created.status, 201, created.text)
  const { state, when, over_at, mode } = created.json
  assert.deepEqual({ state, over_at, mode }, { state: 'coming', over_at: null, mode: 'expect_nothing' })
  assert.deepEqual(when, { ...NIGHTLY, from: shownAt(0) })
  const coming = (await send('GET', `${SILENCES}?state=coming`)).json.items
  assert.deepEqual(
    coming.map(({ id }: { id: number }) => id),
    [created.json.id],
  )
  await send('DELETE', `${SILENCES}/${created.json.id}`)
})

test('each wrong field is named', async () => {
  const all = { project: true }
  for (const [body, pointer] of [
    [{ when: { to: at(60) } }, '/scope'],
    [{ scope: all }, '/when'],
    [{ scope: all, when: { to: at(60), more: 1 } }, '/when/more'],
    [{ scope: { checks: [] }, when: { to: at(60) } }, '/scope/checks'],
    [{ scope: { checks: ['00000000-0000-4000-8000-000000000000'] }, when: { to: at(60) } }, '/scope/checks'],
    [{ scope: all, when: { to: at(60) }, channels: ['nothing'] }, '/channels'],
    [{ scope: all, when: { to: at(59) } }, '/when/to'],
    [{ scope: all, when: { to: at(-60) } }, '/when/to'],
    [{ scope: all, when: { to: at(367 * 86_400) } }, '/when/to'],
    [{ scope: all, when: { ...NIGHTLY, cron: '0 25 * * *' } }, '/when/cron'],
    [{ scope: all, when: { ...NIGHTLY, timezone: 'Europe/Nowhere' } }, '/when/timezone'],
    [{ scope: all, when: { ...NIGHTLY, duration: 8 * 86_400 } }, '/when/duration'],
    [
      { scope: all, when: { oncalendar: '2001-01-01 00:00', duration: 60, timezone: 'UTC' } },
      '/when/oncalendar',
    ],
    [{ scope: all, when: { to: at(60) }, reason: 'x'.repeat(201) }, '/reason'],
    [{ scope: all, when: { to: at(60) }, mode: 'sleep' }, '/mode'],
    [{ scope: all, when: { to: at(60) }, color: 'red' }, '/color'],
  ] as const) {
    const { status, json, text } = await post(body)
    assert.equal(status, 422, `${JSON.stringify(body)}: ${text}`)
    assert.equal(json.errors[0].pointer, pointer, text)
  }
  assert.deepEqual((await send('GET', SILENCES)).json.items, [])
})

test('a check is snoozed in one call, and its alert is sent when the snooze is over', async () => {
  const check = await world.check(alice)
  const snoozed = await send('POST', `${PREFIX}/checks/${check.uuid}/snooze`, { seconds: 3600 })
  assert.equal(snoozed.status, 201, snoozed.text)
  assert.deepEqual(snoozed.json.scope, { checks: [check.uuid] })
  assert.equal(snoozed.json.over_at, shownAt(3600))
  for (const seconds of [59, 30 * 86_400 + 1, 1.5, '60', null]) {
    const { status, json } = await send('POST', `${PREFIX}/checks/${check.uuid}/snooze`, { seconds })
    assert.equal(status, 422)
    assert.equal(json.errors[0].pointer, '/seconds')
  }
  await send('DELETE', `${SILENCES}/${snoozed.json.id}`)
})

test('a read-only key sees unique keys, and no channels or people; it changes nothing', async () => {
  const check = await world.check(alice)
  const { id } = (await post({ scope: { checks: [check.uuid] }, when: { to: at(3600) } })).json
  const shown = await send('GET', `${SILENCES}/${id}`, undefined, alice.ro)
  assert.equal(shown.status, 200)
  assert.match(shown.json.scope.checks[0], /^[0-9a-f]{40}$/)
  assert.ok(!shown.text.includes(check.uuid))
  assert.ok(!('channels' in shown.json) && !('created_by' in shown.json))
  const attempts = [
    await post({ scope: { project: true }, when: { to: at(60) } }, alice.ro),
    await send('PATCH', `${SILENCES}/${id}`, { reason: 'x' }, alice.ro),
    await send('DELETE', `${SILENCES}/${id}`, undefined, alice.ro),
    await send('POST', `${PREFIX}/checks/${check.uuid}/snooze`, { seconds: 60 }, alice.ro),
  ]
  for (const { status } of attempts) assert.equal(status, 403)
  await send('DELETE', `${SILENCES}/${id}`)
})

test('nobody sees or changes silences of another project, or silences its checks and channels', async () => {
  const check = await world.check(alice)
  const { id } = (await post({ scope: { checks: [check.uuid] }, when: { to: at(3600) } })).json
  for (const [method, body] of [['GET'], ['PATCH', { reason: 'x' }], ['DELETE']] as const) {
    assert.equal((await send(method, `${SILENCES}/${id}`, body, charlie.rw)).status, 404)
  }
  assert.deepEqual((await send('GET', SILENCES, undefined, charlie.rw)).json.items, [])
  const his = await post({ scope: { checks: [check.uuid] }, when: { to: at(60) } }, charlie.rw)
  assert.equal(his.status, 422)
  const snoozed = await send('POST', `${PREFIX}/checks/${check.uuid}/snooze`, { seconds: 60 }, charlie.rw)
  assert.equal(snoozed.status, 404)
  assert.equal((await send('GET', `${SILENCES}/${id}`)).json.state, 'active')
})

test('the past is listed page by page', async () => {
  const ids: number[] = []
  for (let count = 0; count < 55; count++) {
    const { json } = await post({ scope: { project: true }, when: { to: at(60) } })
    ids.unshift(json.id)
    await send('DELETE', `${SILENCES}/${json.id}`)
  }
  const first = (await send('GET', `${SILENCES}?state=past`)).json
  const second = (await send('GET', `${SILENCES}?state=past&cursor=${first.next}`)).json
  const listed = [...first.items, ...second.items].map(({ id }: { id: number }) => id)
  assert.deepEqual(listed.slice(0, 55), ids)
  assert.equal(new Set(listed).size, listed.length)
  for (const query of ['state=all', 'cursor=1', 'state=past&cursor=x', 'more=1']) {
    assert.equal((await send('GET', `${SILENCES}?${query}`)).status, 422)
  }
})
