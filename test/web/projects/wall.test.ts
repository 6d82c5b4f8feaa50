import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock } = world

const read = async (key?: string) => await world.send('GET', '/tv/checks/', key === undefined ? {} : { key })

test('the wall is sent what is wrong, the latest first, and of the rest only numbers', async () => {
  const account = await world.account('Wall')
  const check = async (name: string) => await world.check(account, { name, timeout: 3_600, grace: 3_600 })
  const late = await check('Late')
  await world.ping(late)
  clock.advance(3_700)
  await world.ping(await check('Broken'), '/2')
  clock.advance(60)
  await world.ping(await check('Failed'), '/fail')
  await world.ping(await check('Fine'))
  await check('New')
  const { status, json, headers } = await read(account.ro)
  assert.equal(status, 200)
  assert.equal(headers.get('Cache-Control'), 'no-store')
  const { all, down, late: lates, up, new: news } = json.counts
  assert.deepEqual({ all, down, lates, up, news }, { all: 5, down: 2, lates: 1, up: 1, news: 1 })
  assert.deepEqual(
    json.problems.map(({ name, status, reason }: Record<string, string>) => [name, status, reason]),
    [
      ['Failed', 'down', 'failed'],
      ['Broken', 'down', 'exit status 2'],
      ['Late', 'grace', 'late'],
    ],
  )
  clock.advance(3_600)
  const [missed] = (await read(account.ro)).json.problems
  assert.deepEqual([missed.name, missed.status], ['Late', 'down'])
})

test('it is sent who has acknowledged a problem only with a read-write key, and that alerts are silenced', async () => {
  const account = await world.account('Answered')
  await world.ping(await world.check(account, { name: 'Broken', tags: 'db' }), '/fail')
  const { incidents } = await store.incidents.list(
    account.projectId,
    { open: true },
    { after: null, limit: 5, now: clock.now() },
  )
  const ids = incidents.map(({ id }) => id)
  const acknowledgement = { by: 'anna@example.org', note: 'on it', until: null, now: clock.now() }
  await store.incidents.acknowledge(account.projectId, ids, acknowledgement)
  await store.silences.create(account.projectId, {
    mode: 'hold',
    scope: { tags: ['db'] },
    channels: null,
    times: { kind: 'once', from: clock.now(), to: clock.now() + 3_600_000 },
    reason: '',
    createdBy: 'anna@example.org',
    now: clock.now(),
  })
  const [shown] = (await read(account.ro)).json.problems
  assert.deepEqual([shown.acknowledged.by, shown.acknowledged.note], [null, 'on it'])
  assert.match(shown.silenced.until, /^20/)
  const [whole] = (await read(account.rw)).json.problems
  assert.equal(whole.acknowledged.by, 'anna@example.org')
})

test('without a key, or with that of nobody, nothing is sent; a key shows only its own project', async () => {
  const [one, other] = [await world.account('One'), await world.account('Other')]
  await world.ping(await world.check(one, { name: 'Secret' }), '/fail')
  assert.equal((await read()).status, 401)
  assert.equal((await read('x'.repeat(32))).status, 401)
  const { text } = await read(other.ro)
  assert.doesNotMatch(text, /Secret/)
})

test('of many problems only thirty are sent, and the number of all', async () => {
  const account = await world.account('Many')
  for (let number = 0; number < 33; number++) {
    await world.ping(await world.check(account, { name: `Job ${number}` }), '/fail')
  }
  const { json } = await read(account.ro)
  assert.deepEqual([json.problems.length, json.counts.down], [30, 33])
})

test('members see the wall of their project without a key, and others nothing of it', async () => {
  const { project, alice, rita, charlie } = world
  const at = `/projects/${project.uuid}/wall/`
  await world.ping({ uuid: await world.addCheck('Broken') }, '/2')
  for (const member of [alice, rita]) {
    const list = (await member.get(`/projects/${project.uuid}/checks/`)).text
    assert.ok(list.includes(`href="${at}">Wall display`))
    assert.ok((await member.get(at)).text.includes(`data-own="${at}checks/"`))
    const { text, headers } = await member.get(`${at}checks/`)
    const { counts, problems } = JSON.parse(text)
    assert.deepEqual([counts.down, problems[0].name, problems[0].reason], [1, 'Broken', 'exit status 2'])
    assert.equal(headers.get('Cache-Control'), 'no-store')
  }
  for (const path of [at, `${at}checks/`]) {
    assert.equal((await charlie.get(path)).status, 404)
    assert.match((await world.stranger().get(path)).location!, /^\/accounts\/login\//)
  }
})

test('the page without a key leads its reader to the keys of their projects, and a stranger to none', async () => {
  const own = `/projects/${world.project.uuid}/settings/#keys`
  assert.ok((await world.alice.get('/tv/')).text.includes(own))
  assert.ok(!(await world.charlie.get('/tv/')).text.includes(own))
})
