import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const path = `/projects/${world.project.uuid}/problems/`

test('a tab learns how many checks are down, of a project or of all', async () => {
  await pingCheck(world, await world.addCheck('Broken'), 'fail')
  await pingCheck(world, await world.addCheck('Fine'))
  const other = await world.projectOf(world.rita, 'Other')
  await pingCheck(world, await world.addCheck('Broken too', other.id), 'fail')
  assert.deepEqual(JSON.parse((await world.rita.get(path)).text), { down: 1 })
  assert.deepEqual(JSON.parse((await world.rita.get('/problems/')).text), { down: 2 })
  assert.deepEqual(JSON.parse((await world.charlie.get('/problems/')).text), { down: 0 })
})

test('strangers and outsiders learn nothing of it', async () => {
  assert.equal((await world.charlie.get(path)).status, 404)
  for (const one of [path, '/problems/']) {
    const { status, location } = await world.stranger().get(one)
    assert.deepEqual([status, location], [302, `/accounts/login/?next=${encodeURIComponent(one)}`])
  }
})
