/** What is done on pages can be undone for a few seconds; deletions and moves are carried out after that. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { carryOutPlans } from '../../../src/actions/checks/carry-out-plans.js'
import { carryOut, carryOutLater } from '../../_support/carry-out.js'
import { pingCheck } from '../../_support/ping-check.js'
import { openWebWorld, type Person } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, rita, charlie, store, clock, project } = world
const list = `/projects/${project.uuid}/checks/`
const facts = async (uuid: string, projectId = project.id) =>
  await store.checks.facts(projectId, uuid, clock.now())
const stateOf = async (uuid: string) => {
  const { check, state } = await facts(uuid)
  return [state.status, check.statusSince, check.lastPing, check.dueAt, check.alertAfter]
}
const bulk = async (action: string, checks: string[], fields = {}) =>
  await alice.post(`/projects/${project.uuid}/checks/bulk/`, { action, check: checks, ...fields })

/** The message of the next page, and where its button leads. */
async function message(person: Person = alice, path = list): Promise<{ text: string; undo: string | null }> {
  const { text } = await person.get(path)
  const [, part = ''] = /<div role="status" id="flash">(.*?)<\/div><\/div>/s.exec(text) ?? []
  return {
    text: /<p>(.*?)<\/p>/.exec(part)?.[1] ?? '',
    undo: /action="([^"]+)"/.exec(part)?.[1] ?? null,
  }
}

async function undoLast(): Promise<string> {
  const { undo } = await message()
  await alice.post(undo!)
  return (await message()).text
}

const endTime = async () => assert.deepEqual(await carryOutLater(world), [])

test('a pause is undone: the check is as it was, with its deadline', async () => {
  const uuid = await world.addCheck('Paused')
  await pingCheck(world, uuid)
  clock.advance(100)
  const before = await stateOf(uuid)
  await alice.post(`/checks/${uuid}/pause/`)
  const { text, undo } = await message()
  assert.equal(text, 'Paused Paused.')
  assert.equal((await stateOf(uuid))[0], 'paused')
  clock.advance(9)
  await alice.post(undo!)
  assert.equal((await message()).text, 'Undone.')
  assert.deepEqual(await stateOf(uuid), before)
  const log = (await alice.get(`/projects/${project.uuid}/log/`)).text.replaceAll(/<[^>]*>/g, ' ')
  assert.match(log, /Resumed(?! by a ping)/)
  assert.doesNotMatch(log, /by a ping/, 'no ping came')
  await alice.post(undo!)
  assert.match((await message()).text, /time to undo has passed/, 'it is undone once')
})

test('a resume is undone, and a check that was down is down again for its reason', async () => {
  const uuid = await world.addCheck('Down')
  await pingCheck(world, uuid, 'fail')
  clock.advance(100)
  const down = await stateOf(uuid)
  await alice.post(`/checks/${uuid}/pause/`)
  const paused = await stateOf(uuid)
  const { undo } = await message()
  await alice.post(`/checks/${uuid}/resume/`)
  assert.equal(await undoLast(), 'Undone.')
  assert.deepEqual(await stateOf(uuid), paused)
  await alice.post(undo!)
  assert.deepEqual(await stateOf(uuid), down)
  assert.match((await alice.get(`/checks/${uuid}/details/`)).text, /reported a failure/)
})

test('what a ping has changed since is not undone', async () => {
  const [pinged, quiet] = [await world.addCheck('Pinged'), await world.addCheck('Quiet')]
  await bulk('pause', [pinged, quiet])
  clock.advance(1)
  await pingCheck(world, pinged)
  assert.equal(await undoLast(), 'Undone for 1 of 2 checks: the others have been changed or pinged since.')
  assert.equal((await stateOf(pinged))[0], 'up')
  assert.equal((await stateOf(quiet))[0], 'new')
  await alice.post(`/checks/${pinged}/pause/`)
  clock.advance(1)
  await pingCheck(world, pinged)
  assert.equal(await undoLast(), 'Not undone: it has been changed or pinged since.')
})

test('pauses of many checks are undone together, each as it was, with its incident', async () => {
  const [one, two, three, fresh] = await Promise.all(['1', '2', '3', 'New'].map(name => world.addCheck(name)))
  const all = [one!, two!, three!, fresh!]
  for (const uuid of [one!, two!]) await pingCheck(world, uuid, 'fail')
  await pingCheck(world, three!)
  clock.advance(100)
  const states = () => Promise.all(all.map(stateOf))
  const incidents = async () =>
    await Promise.all(
      [one!, two!].map(async uuid => {
        const { check } = await facts(uuid)
        const found = await store.incidents.ofCheck({ id: check.id, projectId: project.id }, 5, clock.now())
        return found.map(({ id, closedAt }) => [id, closedAt])
      }),
    )
  const before = { states: await states(), incidents: await incidents() }
  await bulk('pause', all)
  clock.advance(1)
  assert.deepEqual(
    (await states()).map(([status]) => status),
    ['paused', 'paused', 'paused', 'paused'],
  )
  assert.equal(await undoLast(), 'Undone.')
  assert.deepEqual({ states: await states(), incidents: await incidents() }, before)
})

const CHANGED = 'Not undone: it has been changed or pinged since.'

test('a pause is not undone after the schedule was changed: the old deadline is gone', async () => {
  const changes = [
    { periodSeconds: 60 },
    { periodSeconds: 30 * 86_400 },
    { schedule: '*/5 * * * *' },
    { graceSeconds: 60 },
    { failuresToAlert: 3 },
  ]
  for (const change of changes) {
    const uuid = await world.addCheck('Rescheduled')
    await pingCheck(world, uuid)
    await alice.post(`/checks/${uuid}/pause/`)
    await store.checks.update(project.id, uuid, { changes: change, now: clock.now() })
    assert.equal(await undoLast(), CHANGED, JSON.stringify(change))
    const { check, state } = await facts(uuid)
    assert.deepEqual([state.status, check.dueAt, check.alertAfter], ['paused', null, null])
  }
  const renamed = await world.addCheck('Old name')
  await alice.post(`/checks/${renamed}/pause/`)
  await store.checks.update(project.id, renamed, { changes: { name: 'New name' }, now: clock.now() })
  assert.equal(await undoLast(), 'Undone.', 'a name decides no deadline')
})

test('a pause is not undone after a ping that was only logged: the job has run', async () => {
  const uuid = await world.addCheck('Resumed by hand')
  await store.checks.update(project.id, uuid, { changes: { manualResume: true }, now: clock.now() })
  await pingCheck(world, uuid)
  clock.advance(100)
  await alice.post(`/checks/${uuid}/pause/`)
  await pingCheck(world, uuid)
  assert.equal((await stateOf(uuid))[0], 'paused')
  assert.equal(await undoLast(), CHANGED)
  assert.equal((await stateOf(uuid))[0], 'paused')
})

test('a resume is not undone after a run has started', async () => {
  const uuid = await world.addCheck('Running')
  await alice.post(`/checks/${uuid}/pause/`)
  await alice.post(`/checks/${uuid}/resume/`)
  await pingCheck(world, uuid, 'start')
  assert.equal(await undoLast(), CHANGED)
  assert.deepEqual(
    [(await stateOf(uuid))[0], (await facts(uuid)).check.lastStart],
    ['new', clock.now()],
    'the run is known',
  )
})

test('tags and integrations of a selection are undone where they changed', async () => {
  const [one, two] = [await world.addCheck('One'), await world.addCheck('Two')]
  await bulk('tag', [one], { tags: 'prod eu' })
  await bulk('untag', [one, two], { tags: 'prod' })
  assert.equal(await undoLast(), 'Undone.')
  assert.equal((await facts(one)).check.tags, 'prod eu')
  const { uuid } = await store.channels.create({
    projectId: project.id,
    name: 'Pager',
    kind: 'webhook',
    settings: {},
    members: [],
    now: clock.now(),
  })
  const isOn = async (check: string) => (await facts(check)).channels.find(({ uuid: id }) => id === uuid)!.on
  await alice.post(`/checks/${one}/channels/${uuid}/enabled`, { state: 'off' })
  assert.equal((await message()).text, 'Pager: off for One.')
  await bulk('untell', [one, two], { channel: uuid })
  assert.equal(await undoLast(), 'Undone.')
  assert.deepEqual([await isOn(one), await isOn(two)], [false, true])
  clock.advance(16)
  await alice.post(`/checks/${one}/channels/${uuid}/enabled`, { state: 'off' })
  assert.equal((await message()).undo, null, 'it was off already')
})

test('deleting a check leads back to the list from which it was asked, with its filter', async () => {
  const uuid = await world.addCheck('Filtered')
  const filtered = `${list}?search=filtered`
  const asked = await alice.get(`/checks/${uuid}/remove/`, { Referer: `${world.root}${filtered}` })
  const sent = /name="list" value="([^"]+)"/.exec(asked.text)![1]!
  assert.equal((await alice.post(`/checks/${uuid}/remove/`, { list: sent })).location, filtered)

  for (const wrong of ['//evil.example/checks/', `${list}?a\r\nb`]) {
    const other = await world.addCheck('Elsewhere')
    assert.equal((await alice.post(`/checks/${other}/remove/`, { list: wrong })).location, list)
  }
})

test('a deleted check leaves the pages at once, and comes back with its pings if that is undone', async () => {
  const uuid = await world.addCheck('Regretted')
  await pingCheck(world, uuid, 'fail')
  const counts = async () => await store.checks.stateCounts(project.id, clock.now())
  const before = await counts()
  const problems = async (path = '') => JSON.parse((await alice.get(`${path}/problems/`)).text).down
  const down = await problems()
  assert.match((await alice.get(`/checks/${uuid}/remove/`)).text, /undo this for 10 seconds/)
  assert.equal((await alice.post(`/checks/${uuid}/remove/`)).location, list)
  assert.doesNotMatch((await alice.get(list)).text, /Regretted<\/a>/)
  assert.deepEqual([(await counts()).all, (await counts()).down], [before.all - 1, before.down - 1])
  assert.doesNotMatch((await alice.get('/projects/')).text, /Regretted(?!\.<\/p>)/, 'only in the message')
  assert.deepEqual(
    [await problems(), await problems(`/projects/${project.uuid}`)],
    [down - 1, before.down - 1],
  )
  const [overview] = await store.projects.overviews([project.uuid], clock.now())
  assert.equal(overview!.checks, before.all - 1)

  await bulk('delete', [uuid], { sure: '1' })
  const { text, undo } = await message()
  assert.equal(text, 'Deleted 1 check.')
  await alice.post(undo!)
  assert.match((await alice.get(list)).text, /Regretted<\/a>/, 'although it was deleted twice')
  assert.deepEqual(await counts(), before)
})

test('pings are recorded until a check is deleted, also if that is undone', async () => {
  const uuid = await world.addCheck('Pinged on')
  await alice.post(`/checks/${uuid}/remove/`)
  const reply = await world.send('POST', `/ping/${uuid}`, { body: 'still here' })
  assert.deepEqual([reply.status, reply.text], [200, 'OK'])
  assert.equal(await undoLast(), 'Undone.')
  await endTime()
  assert.equal((await facts(uuid)).check.nPings, 1)
  assert.match((await alice.get(list)).text, /Pinged on<\/a>/)
})

test('a deletion is carried out when its time is over, and a program deletes at once', async () => {
  const [page, program] = [await world.addCheck('By page'), await world.addCheck('By program')]
  await bulk('delete', [page, program], { sure: '1' })
  const { undo } = await message()
  clock.advance(14)
  assert.deepEqual(await carryOut(world), [])
  assert.equal((await alice.get(`/checks/${page}/details/`)).status, 200)
  await store.checks.delete(project.id, program, clock.now())
  clock.advance(1)
  assert.deepEqual(await carryOut(world), [])
  for (const uuid of [page, program]) assert.equal((await alice.get(`/checks/${uuid}/details/`)).status, 404)
  await alice.post(undo!)
  assert.match((await message()).text, /time to undo has passed/)
  assert.equal(await store.checks.nextUndoEnd(), null)
})

test('a check moves when the time to undo it is over', async () => {
  const other = await world.projectOf(alice, 'Elsewhere')
  const uuid = await world.addCheck('Moving')
  await alice.post(`/checks/${uuid}/transfer/`, { project: other.uuid })
  assert.equal((await message()).text, 'Moving moves to Elsewhere in a few seconds.')
  await alice.post(`/checks/${uuid}/transfer/`, { project: other.uuid })
  assert.equal(await undoLast(), 'Undone.')
  await endTime()
  assert.equal((await facts(uuid)).check.name, 'Moving')
  await alice.post(`/checks/${uuid}/transfer/`, { project: other.uuid })
  await endTime()
  assert.equal((await facts(uuid, other.id)).check.name, 'Moving')
})

test('a planned change that fails is reported and tried again after a minute', async () => {
  const uuid = await world.addCheck('Stubborn')
  await alice.post(`/checks/${uuid}/remove/`)
  const { undo } = await message()
  clock.advance(15)
  const errors: unknown[] = []
  const broken = { ...store, checks: { ...store.checks, delete: async () => assert.fail('disk') } }
  await carryOutPlans({
    store: broken,
    clock,
    onDropped: () => assert.fail(),
    onError: error => errors.push(error),
  })
  assert.equal(errors.length, 1)
  assert.deepEqual(await carryOut(world), [])
  assert.equal((await alice.get(`/checks/${uuid}/details/`)).status, 200)
  await alice.post(undo!)
  assert.match((await message()).text, /time to undo has passed/)
  clock.advance(60)
  assert.deepEqual(await carryOut(world), [])
  assert.equal((await alice.get(`/checks/${uuid}/details/`)).status, 404)
})

test('only the person who did it can undo it', async () => {
  const uuid = await world.addCheck('Guarded')
  await alice.post(`/checks/${uuid}/pause/`)
  const { undo } = await message()
  assert.equal((await charlie.post(undo!)).status, 404)
  assert.equal((await rita.post(undo!)).status, 403)
  await bob.post(undo!)
  assert.match((await message(bob)).text, /time to undo has passed/)
  const own = undo!.replace(project.uuid, world.charlies.uuid)
  await charlie.post(own)
  assert.equal((await stateOf(uuid))[0], 'paused')
  assert.equal((await world.stranger().post(undo!)).status, 302)
  assert.match((await alice.post(undo!.replace(/undo\/.*/, 'undo/no-uuid/'))).location!, /\/checks\/$/)
  await alice.post(undo!)
  assert.equal((await stateOf(uuid))[0], 'new')
})
