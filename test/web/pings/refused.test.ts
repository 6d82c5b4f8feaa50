/** Pings that the database refuses, for whatever reason of its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTemporary, QueueFull } from '../../../src/actions/pings/ping-refusals.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, raw, bugs, root } = world

const failure = (code?: string) => Object.assign(new Error('refused'), code === undefined ? {} : { code })

test('whatever the database is at fault of, the sender is asked to send the ping again', () => {
  const codes = [
    'XX001',
    '42501',
    '28P01',
    '3D000',
    '23505',
    '53100',
    'SQLITE_FULL',
    'SQLITE_CONSTRAINT_UNIQUE',
  ]
  for (const code of codes) assert.equal(isTemporary(failure(code)), true, code)
  assert.equal(isTemporary(new QueueFull('too many pings are waiting')), true)
})

test('what a ping itself says is not worth sending again, nor is what nobody thought of', () => {
  for (const code of ['22021', '54000', undefined]) assert.equal(isTemporary(failure(code)), false)
})

test('a broken table of pings answers 503 with a time to come again, and the log names the error', async () => {
  const uuid = await world.addCheck('Refused')
  await world.ping({ uuid })
  await raw('CREATE UNIQUE INDEX broken ON pings (check_id, kind)')
  const answers = [
    await fetch(`${root}/ping/${uuid}`),
    await fetch(`${root}/ping/${uuid}`, { method: 'POST', body: 'with a body' }),
  ]
  const page = await alice.post(`/checks/${uuid}/ping/`, {})
  await raw('DROP INDEX broken')
  for (const { status, headers } of answers) {
    assert.deepEqual([status, headers.get('Retry-After')], [503, '10'])
  }
  assert.equal(page.status, 503)
  const named = bugs.splice(0)
  assert.equal(named.length, 3)
  for (const error of named) assert.match(String((error as Error).message), /UNIQUE|broken/)
  await world.ping({ uuid })
})
