/** What a page says was undone and what was not, and a form that was sent twice. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { openWebWorld, type Person } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, mike, rita, store, clock, project } = world
const list = `/projects/${project.uuid}/checks/`

async function message(person: Person = alice, path = list): Promise<{ text: string; undo: string | null }> {
  const { text } = await person.get(path)
  const [, part = ''] = /<div role="status" id="flash"><div (.*?)<\/div><\/div>/s.exec(text) ?? []
  return {
    text: /<p>(.*?)<\/p>/.exec(part)?.[1] ?? '',
    undo: /action="([^"]+)"/.exec(part)?.[1] ?? null,
  }
}

async function undone(path: string, person: Person = alice, home = list): Promise<string> {
  await person.post(path)
  return (await message(person, home)).text
}

const statusOf = async (uuid: string) =>
  (await store.checks.facts(project.id, uuid, clock.now())).state.status

test('a bulk edit over two projects, one of which may not be changed any more, is undone in the other', async () => {
  const own = await world.projectOf(bob, 'Own')
  const [there, here] = [await world.addCheck('There'), await world.addCheck('Here', own.id)]
  const projectIds = [own.id, project.id]
  const edit = { timing: { graceSeconds: 600 } }
  const rows = await store.checks.previewEdit({ projectIds, uuids: [here, there], edit })
  const seen = new Map(rows.map(({ check, seen }) => [check.uuid, seen]))
  const done = await store.checks.edit({ projectIds, seen, edit, userId: bob.id, now: clock.now() })
  const role = { projectId: project.id, userId: bob.id, now: clock.now() }
  await store.projects.putMember({ ...role, role: 'readonly' })
  const path = `/projects/${own.uuid}/undo/${done.undo!.uuid}/`
  const words = await undone(path, bob, `/projects/${own.uuid}/checks/`)
  assert.equal(words, 'Undone for 1 of 2 checks: 1 check in projects that you may not change any more.')
  const graces = [(await store.checks.facts(own.id, here, clock.now())).check.graceSeconds]
  graces.push((await store.checks.facts(project.id, there, clock.now())).check.graceSeconds)
  assert.deepEqual(graces, [3600, 600])
  await store.projects.putMember({ ...role, role: 'member' })
})

test('a deletion that a newer one replaced is not said to be undone', async () => {
  const [one, two] = [await world.addCheck('One'), await world.addCheck('Two')]
  const planned = { action: 'delete', sure: '1' }
  await alice.post(`${list}bulk/`, { ...planned, check: [one, two] })
  const first = (await message()).undo!
  await alice.post(`/checks/${one}/remove/`)
  const second = (await message()).undo!
  assert.equal(
    await undone(first),
    'Undone for 1 of 2 checks: 1 check that you moved or deleted again since.',
  )
  await alice.post(`/checks/${one}/remove/`)
  assert.equal(await undone(second), 'Not undone: 1 check that you moved or deleted again since.')
})

test('a double click on Pause, Resume or an integration leaves the button', async () => {
  const uuid = await world.addCheck('Twice')
  await pingCheck(world, uuid)
  await Promise.all([alice.post(`/checks/${uuid}/pause/`), alice.post(`/checks/${uuid}/pause/`)])
  const paused = await message()
  assert.equal(paused.text, 'Paused Twice.')
  assert.equal(await undone(paused.undo!), 'Undone.')
  assert.equal(await statusOf(uuid), 'up')

  await alice.post(`/checks/${uuid}/pause/`)
  await alice.post(`/checks/${uuid}/resume/`)
  await alice.post(`/checks/${uuid}/resume/`)
  const resumed = await message()
  assert.equal(resumed.text, 'Resumed Twice.')
  assert.equal(await undone(resumed.undo!), 'Undone.')
  assert.equal(await statusOf(uuid), 'paused')

  const made = { projectId: project.id, name: 'Pager', kind: 'webhook', settings: {}, members: [] }
  const { uuid: channel } = await store.channels.create({ ...made, now: clock.now() })
  const off = async () => await alice.post(`/checks/${uuid}/channels/${channel}/enabled`, { state: 'off' })
  await off()
  await off()
  assert.equal(await undone((await message()).undo!), 'Undone.')
  const { channels } = await store.checks.facts(project.id, uuid, clock.now())
  assert.equal(channels.find(({ uuid: one }) => one === channel)!.on, true)
})

test('a second click of somebody else leaves no button to undo what the first person did', async () => {
  const uuid = await world.addCheck('Ours')
  await alice.post(`/checks/${uuid}/pause/`)
  const { undo } = await message()
  await bob.post(`/checks/${uuid}/pause/`)
  assert.deepEqual(await message(bob), { text: 'Paused Ours.', undo: null })
  assert.match(await undone(undo!, bob), /^Not undone/)
  assert.equal((await rita.post(undo!)).status, 403)
  assert.equal(await statusOf(uuid), 'paused')
  assert.equal(await undone(undo!), 'Undone.')
})

test('the button is on every page until its time is over, and undoing leads back to the page', async () => {
  const uuid = await world.addCheck('Carried')
  await pingCheck(world, uuid)
  await alice.post(`/checks/${uuid}/pause/`)
  const { undo } = await message()
  const log = `/projects/${project.uuid}/log/?kind=flip`
  clock.advance(8)
  for (const path of [log, '/projects/', `/checks/${uuid}/edit/`, '/timeline/'])
    assert.deepEqual(await message(alice, path), { text: 'Paused Carried.', undo }, path)
  const from = async (path: string) =>
    (await alice.post(undo!, {}, { Referer: `${world.root}${path}` })).location
  assert.equal(await from(log), log)
  assert.deepEqual(await message(alice, '/projects/'), { text: 'Undone.', undo: null })
  assert.deepEqual(await message(alice, '/projects/'), { text: '', undo: null })
  assert.equal(await from(`/checks/${uuid}/edit/`), list, 'not to a form, where nothing typed is left')
  assert.equal(await from('//evil.example/'), list)
})

test('the button goes when its time is over, and when the person signs out', async () => {
  const uuid = await world.addCheck('Brief')
  const pause = async (person: Person) => {
    await person.post(`/checks/${uuid}/resume/`)
    await person.post(`/checks/${uuid}/pause/`)
  }
  await pause(alice)
  assert.notEqual((await message()).undo, null)
  clock.advance(10)
  assert.equal((await message()).undo, null)
  assert.deepEqual(await message(), { text: '', undo: null })
  await pause(mike)
  assert.notEqual((await message(mike)).undo, null)
  await mike.post('/accounts/logout/')
  assert.deepEqual(await message(mike, '/accounts/login/'), { text: '', undo: null })
})

test('very many checks are paused in several transactions, and one click undoes all', async () => {
  const own = await world.projectOf(alice, 'Very many')
  for (let n = 0; n < 310; n++) await world.addCheck(`Job ${n}`, own.id)
  const home = `/projects/${own.uuid}/checks/`
  await alice.post(`${home}bulk/`, { action: 'pause', all: '1' })
  const { text, undo } = await message(alice, home)
  assert.equal(text, 'Paused 310 checks.')
  const statuses = async () => {
    const query = { search: '', states: [], tags: [], sort: 'created', group: null, folded: [] } as const
    const uuids = await store.checks.findUuids([{ id: own.id, uuid: '' }], query, clock.now())
    const facts = await Promise.all(uuids.map(uuid => store.checks.facts(own.id, uuid, clock.now())))
    return [...new Set(facts.map(({ state }) => state.status))]
  }
  assert.deepEqual(await statuses(), ['paused'])
  assert.equal(await undone(undo!, alice, home), 'Undone.')
  assert.deepEqual(await statuses(), ['new'])
})
