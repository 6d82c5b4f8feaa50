/** On PostgreSQL, writes that wait for locks are undone if their author loses access in the meantime. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../src/core/errors.js'
import { actingStore } from '../../../src/storage/events/acting.js'
import { eventually } from '../../_support/eventually.js'
import { addCheck, LockedRows } from '../../_support/worlds/locked-rows.js'

const BOB = { kind: 'token', id: 'b', name: 'bob@example.org', address: null } as const
const LOST = { code: 'not-found', message: 'project not found' }

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
