import assert from 'node:assert/strict'
import { test } from 'node:test'
import { migrations } from '../../../src/storage/migrate.js'
import { openBareDatabase } from '../../_support/bare-database.js'

test('a check that is down before there were incidents gets one, to which its alerts belong', async t => {
  const database = await openBareDatabase(t)
  const later = migrations().flatMap(({ name }) => (name >= '0024' ? [name] : []))
  await database.run('CREATE TABLE migrations (name VARCHAR(100) PRIMARY KEY, applied_at BIGINT NOT NULL)')
  for (const name of later) await database.run(`INSERT INTO migrations VALUES ('${name}', 1)`)
  await database.migrate()
  await database.run(
    "INSERT INTO projects (id, uuid, name, badge_key, created_at) VALUES (1, 'p', '', 'b', 1)",
  )
  for (const [id, status] of ['down', 'up', 'down'].entries())
    await database.run(`INSERT INTO checks (id, uuid, project_id, status, status_since, period_s, grace_s)
      VALUES (${id + 1}, 'c${id}', 1, '${status}', 1, 1, 1)`)
  for (const [check, at, status, since] of [
    [1, 10, 'down', 'NULL'],
    [1, 20, 'up', 'NULL'],
    [1, 30, 'down', '25'],
    [2, 10, 'down', 'NULL'],
    [2, 20, 'up', 'NULL'],
    // Of the third the flip is gone.
    [3, 10, 'up', 'NULL'],
  ])
    await database.run(`INSERT INTO flips (check_id, created_at, old_status, new_status, reason, since_at)
      VALUES (${check}, ${at}, '', '${status}', 'failed', ${since})`)
  await database.run(`INSERT INTO deliveries (uuid, channel_id, check_id, due_at, created_at)
    VALUES ('a', 1, 1, 1, 1), ('b', 1, 2, 1, 1), ('c', 1, NULL, 1, 1)`)
  await database.run("DELETE FROM migrations WHERE name >= '0024'")
  assert.deepEqual(await database.migrate(), later)
  const incidents = await database.rows(
    'SELECT project_id, check_id, opened_at, since_at, down_at, cause, closed_at, label FROM incidents',
  )
  assert.deepEqual(incidents.map(Object.values), [[1, 1, 30, 25, 30, 'failed', null, '']])
  const deliveries = await database.rows(
    'SELECT d.uuid, i.check_id FROM deliveries d LEFT JOIN incidents i ON i.id = d.incident_id ORDER BY d.uuid',
  )
  assert.deepEqual(deliveries.map(Object.values), [
    ['a', 1],
    ['b', null],
    ['c', null],
  ])
})

test('how far policies are gets the project of its incident', async t => {
  const database = await openBareDatabase(t)
  const later = migrations().flatMap(({ name }) => (name >= '0066' ? [name] : []))
  await database.run('CREATE TABLE migrations (name VARCHAR(100) PRIMARY KEY, applied_at BIGINT NOT NULL)')
  for (const name of later) await database.run(`INSERT INTO migrations VALUES ('${name}', 1)`)
  await database.migrate()
  for (const id of [1, 2]) {
    await database.run(
      `INSERT INTO projects (id, uuid, name, badge_key, created_at) VALUES (${id}, 'p${id}', '', 'b${id}', 1)`,
    )
    await database.run(`INSERT INTO checks (id, uuid, project_id, status, status_since, period_s, grace_s)
      VALUES (${id}, 'c${id}', ${id}, 'down', 1, 1, 1)`)
    await database.run(`INSERT INTO channels (id, uuid, project_id, kind, settings, created_at)
      VALUES (${id}, 'h${id}', ${id}, 'webhook', '{}', 1)`)
    await database.run(`INSERT INTO incidents (id, project_id, check_id, opened_at, since_at, cause, down_at, flip_id)
      VALUES (${id}, ${id}, ${id}, 1, 1, 'failed', 1, 1)`)
    await database.run(`INSERT INTO incident_channels (incident_id, check_id, channel_id, clock_at)
      VALUES (${id}, ${id}, ${id}, 1)`)
  }
  await database.run("DELETE FROM migrations WHERE name >= '0066'")
  assert.deepEqual(await database.migrate(), later)
  const rows = await database.rows(
    'SELECT incident_id, project_id FROM incident_channels ORDER BY incident_id',
  )
  assert.deepEqual(rows.map(Object.values), [
    [1, 1],
    [2, 2],
  ])
})
