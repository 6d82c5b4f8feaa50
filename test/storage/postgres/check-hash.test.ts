import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashBigint } from '../../../src/storage/postgres/citus/hash.js'
import { freshDatabase } from '../../_support/postgres.js'

test('IDs of checks are hashed as the server hashes them', async t => {
  const database = await freshDatabase()
  t.after(() => database.drop())
  const ids = [0, 1, 2, 42, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 7, 2 ** 48 + 1, Number.MAX_SAFE_INTEGER, -1]
  const rows = await database.ask(`SELECT hashint8(id) AS hash FROM unnest('{${ids}}'::bigint[]) AS id`)
  assert.deepEqual(
    ids.map(hashBigint),
    rows.map(({ hash }) => hash),
  )
})
