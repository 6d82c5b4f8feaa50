/** On PostgreSQL, writes that wait for locks are undone if their author loses access in the meantime. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { Refusal } from '../../../src/core/errors.js'
import { actingStore } from '../../../src/storage/events/acting.js'
import type { User } from '../../../src/storage/people/users.js'
import { FakeClock } from '../../_support/clock.js'
import { eventually } from '../../_support/eventually.js'
import { ownSession } from '../../_support/own-session.js'
import { addCheck, LockedRows } from '../../_support/worlds/locked-rows.js'

const BOB = { kind: 'token', id: 'b', name: 'bob@example.org', address: null } as const
const LOST = { code: 'not-found', message: 'project not found' }

test('an invitation that is accepted while the access of others ends makes nobody a member', async t => {
  const rows = await LockedRows.open(t)
  const clock = new FakeClock()
  const { people, projects } = rows.store
  const [owner, member, guest] = (await Promise.all(
    ['owner', 'member', 'guest'].map(name =>
      people.createUser({ email: `${name}@example.org`, passwordHash: null, now: 1 }),
    ),
  )) as [User, User, User]
  const given = { name: 'Payroll', ownerId: owner.id, pingKey: null, now: 1 }
  const { id: projectId } = await projects.create(given)
  await projects.putMember({ projectId, userId: member.id, role: 'member', now: 1 })
  const user = { ...owner, credentialsVersion: 0 }
  await beginSession(rows.store, clock, { user, method: 'password', visitor: { ua: '', address: '' } })
  const by = await ownSession(rows.store, owner, clock)
  const invited = {
    projectId,
    digest: 'link',
    role: 'manager' as const,
    email: null,
    now: 1,
    expiresAt: clock.now() + 99,
  }
  await projects.addInvitation({ ...invited, by })
  const release = await rows.lock('members', `user_id = ${member.id}`)
  const ended = projects.endOthersAccess(owner.id, 2)
  const waits = async () => {
    const query =
      "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    return (await rows.query(query)).length > 0
  }
  await eventually(waits)
  const accepted = projects.acceptInvitation('link', guest.id, 2)
  // Either it waits, too, or it is through.
  const through = await Promise.race([accepted.then(() => true), sleep(500).then(() => false)])
  await release()
  await ended
  assert.equal(await accepted, null)
  assert.equal(through, false)
  assert.deepEqual(
    (await projects.listMembers(projectId)).map(({ role }) => role),
    ['owner'],
  )
})

test('a change, and creations, that waited for a row are refused once their author has left', async t => {
  const rows = await LockedRows.open(t)
  const { projectId } = rows.alice
  const uuid = await addCheck(rows.alice, 'Kept')
  let isMember = true
  const requireAccess = async () => {
    if (!isMember) throw new Refusal('not-found', 'project not found')
  }
  const store = actingStore(rows.store, BOB, { requireAccess })
  const end = await rows.lockEach([
    { name: 'projects', condition: `id = ${projectId}` },
    { name: 'checks', condition: `uuid = '${uuid}'` },
  ])
  const create = (name: string) => store.checks.create(projectId, { changes: { name }, unique: null, now: 2 })
  const change = store.checks.update(projectId, uuid, { changes: { name: 'Changed' }, now: 2 })
  const first = create('First')
  const refused = [change, first].map(one => assert.rejects(one, LOST))
  const waiting = async () => {
    const query = "SELECT count(*) AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return Number((await rows.query(query))[0]!.n) === 2
  }
  await eventually(waiting)
  // They wait for the first one.
  const others = [create('Second'), create('Third')].map(one => assert.rejects(one, LOST))
  isMember = false
  await end()
  await Promise.all([...refused, ...others])
  assert.deepEqual(await rows.alice.checkUuids(), [uuid])
  assert.equal((await rows.store.checks.facts(projectId, uuid, 3)).check.name, 'Kept')
})
