/** Dependencies on pages: in the form and on the page of a check, and drawn for a project. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, charlie, store, project, clock } = world
const read = async (path: string) => (await alice.get(path)).text
const list = `/projects/${project.uuid}/checks/`
const drawing = `/projects/${project.uuid}/dependencies/`
const parentsOf = async (uuid: string) => (await store.incidents.parents(uuid)).map(one => one.uuid)
let router = ''
const form = (name: string, more: Record<string, string> = {}) => ({
  name,
  kind: 'simple',
  period: '1 day',
  grace: '1 hour',
  choose_parents: '1',
  ...more,
})

test('nothing is said of dependencies while no check has any, and a single check has no part in its form', async () => {
  assert.doesNotMatch(await read(`${list}add/`), /depends_on/)
  router = await world.addCheck('Router')
  assert.doesNotMatch(await read(`/checks/${router}/edit/`), /depends_on/)
  for (const path of [list, `/checks/${router}/details/`]) assert.doesNotMatch(await read(path), /dependenc/i)
  assert.match(wordsOf(await read(drawing)), /No dependencies/)
})

test('a check is made to depend on another in its form, which shows that', async () => {
  const asked = form('Backup', { depends_on: router, depends_wait: '2 min' })
  const { location } = await alice.post(`${list}add/`, asked)
  const backup = location!.split('/')[2]!
  assert.deepEqual(await parentsOf(backup), [router])
  const edit = await read(`/checks/${backup}/edit/`)
  assert.match(edit, /<details class="disclosure" open=""><summary>Dependencies/)
  assert.match(edit, /name="depends_wait" value="2 minutes"/)
  assert.match(wordsOf(await read(`/checks/${backup}/details/`)), /Depends onnew Router/)
  assert.match(wordsOf(await read(`/checks/${router}/details/`)), /Dependantsnew Backup/)
  assert.match(await read(list), new RegExp(`href="${drawing}"`))

  const { text, status } = await alice.post(`/checks/${router}/edit/`, form('Router', { depends_on: backup }))
  assert.equal(status, 400)
  assert.match(wordsOf(text), /This would create a cycle: Router &gt; Backup &gt; Router\./)
  assert.deepEqual(await parentsOf(router), [])

  await alice.post(`/checks/${backup}/edit/`, form('Backup'))
  assert.deepEqual(await parentsOf(backup), [])
})

test('the drawing nests checks under those on which they depend, and says which are down', async () => {
  const [provider, site, nightly] = [
    await world.addCheck('Provider'),
    await world.addCheck('Site'),
    await world.addCheck('Nightly'),
  ]
  const depend = async (uuid: string, ...parents: string[]) =>
    await store.checks.update(project.id, uuid!, { changes: {}, parents, now: clock.now() })
  await depend(site, provider)
  await depend(nightly, provider, site)
  await pingCheck(world, provider, 'fail')
  const words = wordsOf(await read(drawing))
  assert.match(words, /1 of 3 checks is down\.down Providernew Nightlynew Sitenew Nightly/)
  assert.equal((await charlie.get(drawing)).status, 404)
})

test('the page of a check says what holds its alerts, and the states of those around it', async () => {
  const own = await world.projectOf(alice, 'Held')
  const [above, below] = [await world.addCheck('Switch', own.id), await world.addCheck('Printer', own.id)]
  await store.checks.update(own.id, below, { changes: {}, parents: [above], now: clock.now() })
  const channel = { name: 'Ops chat', kind: 'webhook', settings: {}, members: [] }
  const { uuid } = await store.channels.create({ projectId: own.id, ...channel, now: clock.now() })
  const page = `/checks/${below}/details/`
  for (const check of [above, below]) await pingCheck(world, check)
  assert.doesNotMatch(wordsOf(await read(page)), /Alerts now/)
  const before = /data-version="([^"]+)"/.exec(await read(page))![1]
  await pingCheck(world, above, 'fail')
  const up = await read(page)
  assert.notEqual(/data-version="([^"]+)"/.exec(up)![1], before, 'an open page learns of it')
  assert.match(wordsOf(up), /Alerts nowOps chatheld by Switch/)
  await pingCheck(world, below, 'fail')
  assert.match(wordsOf(await read(page)), /Ops chatheld by Switch/)
  await store.checks.update(own.id, below, { changes: {}, parents: [], now: clock.now() })
  await store.channels.switchForCheck(own.id, { check: below, channel: uuid }, false, clock.now())
  assert.doesNotMatch(wordsOf(await read(page)), /held by Switch/)
})

test('a large drawing folds what is up, and shows the way to what is down', async () => {
  const own = await world.projectOf(alice, 'Large')
  const router = await world.addCheck('Core router', own.id)
  for (const rack of ['A', 'B']) {
    const parent = await world.addCheck(`Rack ${rack}`, own.id)
    await store.checks.update(own.id, parent, { changes: {}, parents: [router], now: clock.now() })
    for (let n = 0; n < 30; n++) {
      const uuid = await world.addCheck(`Host ${rack}${n}`, own.id)
      await store.checks.update(own.id, uuid, { changes: {}, parents: [parent], now: clock.now() })
      if (rack === 'B' && n === 7) await pingCheck(world, uuid, 'fail')
    }
  }
  const { text } = await alice.get(`/projects/${own.uuid}/dependencies/`)
  const folded = text.match(/<details><summary class="muted">[^<]*<\/summary>.*?<\/details>/gs) ?? []
  assert.equal(folded.length, 1)
  assert.match(wordsOf(folded[0]!), /30 checks under it, none down.*Host A29/s)
})
