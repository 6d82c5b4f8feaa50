/** A planned deletion or move is carried out only if its author may still do it; otherwise the check stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemberRole } from '../../../src/core/people/role.js'
import { carryOutLater } from '../../_support/carry-out.js'
import { openWebWorld, type Person } from '../../_support/worlds/web-world.js'

const world = await openWebWorld({ store: { checkLimit: 20 } })
const { alice, bob, store, clock, project, charlies } = world
const put = async (projectId: number, { id: userId }: Person, role: MemberRole) =>
  await store.projects.putMember({ projectId, userId, role, now: clock.now() })
const isIn = async (uuid: string, projectId: number) =>
  uuid in (await store.checks.fingerprints(projectId, [uuid], clock.now()))
const moved = async (person: Person, uuid: string, target: { uuid: string }) => {
  await person.post(`/checks/${uuid}/transfer/`, { project: target.uuid })
  const { text } = await person.get(`/projects/${project.uuid}/checks/`)
  return /<p>(.*?)<\/p>/.exec(text.split('id="flash"')[1] ?? '')?.[1]
}

/** The ways in which a person loses the right to change things in a project. */
const LOSSES: Record<string, (projectId: number, person: Person) => Promise<void>> = {
  removed: async (projectId, { uuid }) => await store.projects.removeMember(projectId, uuid, 1),
  'read-only': async (projectId, person) => await put(projectId, person, 'readonly'),
  disabled: async (_, { id }) => await store.people.setDisabled(id, clock.now()),
}

for (const [loss, lose] of Object.entries(LOSSES)) {
  test(`what a person planned who is ${loss} by then is not carried out`, async () => {
    const person = await world.person(`leaver-${loss}`)
    const own = await world.projectOf(person, 'Own')
    await put(project.id, person, 'member')
    const [moving, leaving] = [await world.addCheck('Moving'), await world.addCheck('Leaving')]
    assert.match((await moved(person, moving, own))!, /^Moving moves/)
    await person.post(`/checks/${leaving}/remove/`)
    await lose(project.id, person)
    const dropped = await carryOutLater(world)
    const plans = dropped.map(({ plan, checks }) => `${plan} ${checks}`).sort()
    assert.deepEqual(plans, [`delete ${leaving}`, `move ${moving}`])
    assert.deepEqual([await isIn(moving, project.id), await isIn(leaving, project.id)], [true, true])
    assert.match((await alice.get(`/projects/${project.uuid}/checks/`)).text, /Leaving<\/a>/)
    assert.equal(await store.checks.nextUndoEnd(), null, 'it is not tried again')
  })
}

test('a move into a project whose author may only read there by then is not carried out', async () => {
  const uuid = await world.addCheck('Kept out')
  await put(charlies.id, bob, 'member')
  assert.match((await moved(bob, uuid, charlies))!, /moves to/)
  await put(charlies.id, bob, 'readonly')
  assert.equal((await carryOutLater(world)).length, 1)
  assert.deepEqual([await isIn(uuid, project.id), await isIn(uuid, charlies.id)], [true, false])
})

test('a member who stays one deletes and moves', async () => {
  const own = await world.projectOf(bob, 'Bob’s jobs')
  const [moving, leaving] = [await world.addCheck('Moving on'), await world.addCheck('Going')]
  await moved(bob, moving, own)
  await bob.post(`/checks/${leaving}/remove/`)
  assert.deepEqual(await carryOutLater(world), [])
  assert.equal(await isIn(moving, own.id), true)
  assert.equal(await isIn(leaving, project.id), false)
})

test('a move into a project that is deleted meanwhile is dropped', async () => {
  const uuid = await world.addCheck('Going nowhere')
  const gone = await world.projectOf(alice, 'Gone')
  await moved(alice, uuid, gone)
  await alice.post(`/projects/${gone.uuid}/remove/`, { name: 'Gone' })
  assert.equal((await alice.get(`/projects/${gone.uuid}/checks/`)).status, 404)
  assert.equal((await carryOutLater(world)).length, 1)
  assert.equal(await store.checks.nextUndoEnd(), null, 'it is not tried again')
  assert.equal(await isIn(uuid, project.id), true)
})

test('a move to an account that is full is refused, and dropped if it becomes full meanwhile', async () => {
  const [first, second] = [await world.addCheck('First'), await world.addCheck('Second')]
  await put(charlies.id, alice, 'member')
  for (let n = 1; n < 20; n++) await world.addCheck(`Filler ${n}`, charlies.id)
  assert.match((await moved(alice, first, charlies))!, /^First moves/)
  assert.match((await moved(alice, second, charlies))!, /^Second moves/)
  const [dropped, ...others] = await carryOutLater(world)
  const reason = 'that account has reached its limit of 20 checks'
  assert.equal(others.length, 0)
  assert.equal(dropped!.reason, reason)
  assert.equal(await isIn(dropped!.checks[0]!, project.id), true)
  assert.equal(
    await moved(alice, dropped!.checks[0]!, charlies),
    'That account has reached its limit of 20 checks.',
  )
  assert.equal(await store.checks.nextUndoEnd(), null, 'nothing is planned')
})
