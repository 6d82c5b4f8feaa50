/** Importing into a distributed database. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importRules } from '../../../../src/actions/instance/import-rules.js'
import { openSide } from '../../../../src/storage/copy/side.js'
import { importHealthchecks } from '../../../../src/storage/import/import-healthchecks.js'
import { openSource } from '../../../../src/storage/import/source.js'
import { distributePostgres } from '../../../../src/storage/postgres/migrate.js'
import { arrivedPing } from '../../../_support/arrived-ping.js'
import { healthchecksFile } from '../../../_support/healthchecks.js'
import { citusWorld, onCitus } from './citus-world.js'

const now = Date.parse('2026-11-22T00:00:00Z')

test('checks that are imported into a distributed database take pings', onCitus, async t => {
  const world = await citusWorld(t)
  await distributePostgres(world.url, 4)
  const source = await openSource(await healthchecksFile(t))
  t.after(() => source.close())
  const side = await openSide(world.url, { create: true })
  try {
    for (let round = 0; round < 2; round++)
      await importHealthchecks(
        source,
        side,
        importRules('a key of the tests', {}, { name: 'Punctual', root: 'http://localhost:8000' }, now),
      )
  } finally {
    await side.close()
  }
  const counted = await world.ask('SELECT count(*) AS checks FROM checks JOIN check_names ON check_id = id')
  assert.deepEqual(counted, [{ checks: 42 }])
  const [up] = await world.ask(`SELECT uuid FROM checks WHERE status = 'up' AND manual_resume = 0 LIMIT 1`)
  await world.withStore(async store => {
    const { outcomes } = await store.pings.record([arrivedPing({ uuid: up!.uuid as string }, now)])
    assert.deepEqual(outcomes, ['ok'])
  })
})
