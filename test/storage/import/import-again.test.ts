/** A second import of the same installation: what has ended here stays ended, and what the source has gained is added. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { importRules } from '../../../src/actions/instance/import-rules.js'
import { openSide, type Side } from '../../../src/storage/copy/side.js'
import { COPIED_TABLES } from '../../../src/storage/copy/tables.js'
import { importHealthchecks } from '../../../src/storage/import/import-healthchecks.js'
import { openSource } from '../../../src/storage/import/source.js'
import { sqliteEngine } from '../../../src/storage/sqlite/engines/index.js'
import { healthchecks, healthchecksFile } from '../../_support/healthchecks.js'
import { freshDatabase } from '../../_support/postgres.js'
import { engine, tempFolder } from '../../_support/worlds/store.js'

const { alice, bob, production, unnamed } = healthchecks
const site = { name: 'Punctual', root: 'http://localhost:8000' }
const rules = importRules('a key of the tests', {}, site, Date.parse('2026-11-22T00:00:00Z'))

/** A database of Healthchecks and one of ours, and ways to change both. */
async function twoDatabases(t: TestContext) {
  const file = await healthchecksFile(t)
  const database = engine === 'sqlite' ? null : await freshDatabase()
  const side = await openSide(database?.directUrl ?? `sqlite:${await tempFolder(t)}/punctual.db`, {
    create: true,
  })
  t.after(async () => {
    await side.close()
    await database?.drop()
  })
  return {
    side,
    /** Changes the source. */
    change(...statements: string[]) {
      const source = sqliteEngine().open(file, { mustExist: true })
      for (const statement of statements) source.exec(statement)
      source.close()
    },
    /** Changes what is here. */
    async here(...statements: string[]) {
      for (const statement of statements) await sql.raw(statement).execute(side.sql)
    },
    async rows<Row extends object>(query: string): Promise<Row[]> {
      return (await sql.raw<Row>(query).execute(side.sql)).rows.map(row => ({ ...row }))
    },
    /** `onCommit`: called after each commit. */
    async import(onCommit = async () => {}) {
      const source = await openSource(file)
      const target: Side = { ...side, commit: async () => await side.commit().then(onCommit) }
      try {
        return await importHealthchecks(source, target, rules)
      } finally {
        await source.close()
      }
    },
  }
}

async function contents(side: Side) {
  const content: Record<string, string[]> = {}
  for (const { name } of COPIED_TABLES) {
    const { rows } = await sql`SELECT * FROM ${sql.table(name)}`.execute(side.sql)
    content[name] = rows.map(row => JSON.stringify(row)).sort()
  }
  return content
}

const PRODUCTION = `(SELECT id FROM projects WHERE uuid = '${production.uuid}')`
const SOURCE_PRODUCTION = 3
const UNNAMED = `(SELECT id FROM projects WHERE uuid = '${unnamed.uuid}')`
const ALICE = `(SELECT id FROM users WHERE email = '${alice.email}')`
const BOB = `(SELECT id FROM users WHERE email = '${bob.email}')`
const CHECK = 'ce7338b8-fa51-4661-9a6b-d7dfb10231f0'
const CHANNEL = 'cae64f50-921d-47f8-a18e-65099f48104e'

const OTHER_PASSKEY =
  "UPDATE accounts_credential SET data = CAST(substr(data, 1, 18) || x'77' || substr(data, 20) AS BLOB) WHERE id = 50"

test('what was removed here is not brought back', async t => {
  const world = await twoDatabases(t)
  await world.import()
  await world.here(
    `DELETE FROM members WHERE project_id = ${PRODUCTION} AND user_id = ${BOB}`,
    'DELETE FROM passkeys',
    `DELETE FROM api_keys WHERE project_id = ${PRODUCTION}`,
    `DELETE FROM channels WHERE uuid = '${CHANNEL}'`,
    `DELETE FROM checks WHERE uuid = '${CHECK}'`,
    `DELETE FROM projects WHERE id = ${UNNAMED}`,
  )
  const before = await contents(world.side)
  const { added, notes } = await world.import()
  assert.deepEqual(await contents(world.side), before)
  const leftOut = notes.filter(({ text }) => text.includes('an earlier import brought it'))
  assert.deepEqual(
    leftOut.map(({ subject, text }) => `${subject}: ${text.split(':')[0]}`),
    [
      `the project ${unnamed.uuid}: left out with what is in it`,
      `${bob.email} as a member of the project Production: left out`,
      `the channel ${CHANNEL} (email): left out`,
    ],
  )
  assert.deepEqual(added, {
    'checks left out: an earlier import brought them, and they have ended here since': 1,
  })
})

test('an account that was deleted here does not come back', async t => {
  const world = await twoDatabases(t)
  await world.import()
  await world.here(
    `UPDATE projects SET owner_id = ${ALICE} WHERE owner_id = ${BOB}`,
    `DELETE FROM users WHERE id = ${BOB}`,
  )
  const before = await contents(world.side)
  const { notes } = await world.import()
  assert.deepEqual(await contents(world.side), before)
  assert.ok(
    notes.some(({ subject, text }) => subject === `the account ${bob.email}` && /left out/.test(text)),
  )
})

test('nothing comes back from a copy that keeps no microseconds', async t => {
  const world = await twoDatabases(t)
  await world.import()
  await world.here(
    `UPDATE projects SET owner_id = ${ALICE} WHERE owner_id = ${BOB}`,
    `DELETE FROM users WHERE id = ${BOB}`,
    `DELETE FROM members WHERE project_id = ${UNNAMED}`,
  )
  const before = await contents(world.side)
  // As `dumpdata` and `loaddata` of Healthchecks do, which cut instants.
  world.change(
    'UPDATE auth_user SET date_joined = substr(date_joined, 1, 23)',
    'UPDATE api_check SET created = substr(created, 1, 23)',
    'UPDATE api_flip SET created = substr(created, 1, 23)',
    'UPDATE api_ping SET created = substr(created, 1, 23)',
    'UPDATE api_notification SET created = substr(created, 1, 23)',
  )
  const { added } = await world.import()
  assert.deepEqual(await contents(world.side), before)
  assert.deepEqual(added, {})
})

test('nobody gets the roles of a deleted account whose ID they have', async t => {
  const world = await twoDatabases(t)
  await world.import()
  const [{ id } = { id: 0 }] = await world.rows<{ id: number }>(
    `SELECT id FROM users WHERE email = '${bob.email}'`,
  )
  await world.here(
    `UPDATE projects SET owner_id = ${ALICE} WHERE owner_id = ${BOB}`,
    `DELETE FROM users WHERE id = ${BOB}`,
    `INSERT INTO users (id, uuid, email, created_at) VALUES (${id}, '4b1d', 'mallory@example.org', 1)`,
  )
  world.change(...copyOf('accounts_member', 1, { id: 50, user_id: 2, project_id: 1, role: "'m'" }))
  await world.import()
  assert.deepEqual(await world.rows(`SELECT * FROM members WHERE user_id = ${id}`), [])
})

test('an owner is not made a member of their own project', async t => {
  const world = await twoDatabases(t)
  await world.import()
  world.change(
    `UPDATE accounts_project SET owner_id = 2 WHERE id = ${SOURCE_PRODUCTION}`,
    `UPDATE accounts_member SET user_id = 1 WHERE project_id = ${SOURCE_PRODUCTION}`,
  )
  await world.import()
  assert.deepEqual(
    await world.rows(
      'SELECT 1 FROM members m JOIN projects p ON p.id = m.project_id WHERE p.owner_id = m.user_id',
    ),
    [],
  )
})

test('a former owner who was removed here does not come back after the same transfer in Healthchecks', async t => {
  const world = await twoDatabases(t)
  await world.import()
  await world.here(
    `UPDATE projects SET owner_id = ${BOB} WHERE id = ${PRODUCTION}`,
    `DELETE FROM members WHERE project_id = ${PRODUCTION}`,
  )
  world.change(
    `UPDATE accounts_project SET owner_id = 2 WHERE id = ${SOURCE_PRODUCTION}`,
    `UPDATE accounts_member SET user_id = 1 WHERE project_id = ${SOURCE_PRODUCTION}`,
  )
  const { added, notes } = await world.import()
  assert.deepEqual(added, {})
  assert.deepEqual(await world.rows(`SELECT * FROM members WHERE project_id = ${PRODUCTION}`), [])
  assert.ok(notes.some(({ subject }) => subject === `${alice.email} as a member of the project Production`))
})

test('whoever an account is handed to gets nothing that its former person gains', async t => {
  const world = await twoDatabases(t)
  await world.import()
  // Bob has entered the address of another here, and has not proven it.
  await world.here(
    `UPDATE users SET email = 'carol@example.org', email_proven_at = NULL, imported_name = NULL WHERE id = ${BOB}`,
  )
  world.change(
    ...copyOf('auth_user', 1, { id: 50, username: "'carol'", email: "'carol@example.org'" }),
    ...copyOf('accounts_member', 1, { id: 50, user_id: 2, project_id: 1 }),
  )
  const carol = "(SELECT id FROM users WHERE email = 'carol@example.org')"
  const before = await world.rows(`SELECT * FROM members WHERE user_id = ${carol}`)
  const { notes } = await world.import()
  const note = notes.find(({ subject }) => subject === 'the account carol@example.org')
  assert.match(note!.text, /what opened it has ended/)
  await world.import()
  assert.deepEqual(await world.rows(`SELECT * FROM members WHERE user_id = ${carol}`), before)
})

test('of two imports at once, the one that began first ends', async t => {
  const world = await twoDatabases(t)
  let others: 'none' | 'running' | 'over' = 'none'
  const whileOthersBegin = async () => {
    if (others === 'running') {
      others = 'over'
      throw new Error('interrupted')
    }
    if (others === 'over') return
    others = 'running'
    await assert.rejects(world.import(whileOthersBegin), /interrupted/)
  }
  await assert.rejects(world.import(whileOthersBegin), /another import writes into this database/)
})

test('who has another address here gets no second account, and owns what they gained since', async t => {
  const world = await twoDatabases(t)
  await world.import()
  await world.here(
    `UPDATE users SET email = 'alice@new.example', password_hash = 'own', imported_name = NULL WHERE id = ${ALICE}`,
  )
  const before = await contents(world.side)
  await world.import()
  assert.deepEqual(await contents(world.side), before)
  // Somebody else has the former address now.
  await world.here(
    `INSERT INTO users (uuid, email, created_at) VALUES ('4b1d', '${alice.email}', 1)`,
    `UPDATE users SET email_proven_at = 1 WHERE uuid = '4b1d'`,
  )
  world.change(
    ...copyOf('accounts_project', 3, {
      id: 90,
      code: "'90909090d8044c44ab02cb9e9969ef78'",
      badge_key: "'b90'",
      ping_key: "''",
      api_key: "''",
      api_key_readonly: "''",
    }),
  )
  await world.import()
  assert.deepEqual(
    await world.rows(
      "SELECT u.email FROM projects p JOIN users u ON u.id = p.owner_id WHERE p.uuid = '90909090-d804-4c44-ab02-cb9e9969ef78'",
    ),
    [{ email: 'alice@new.example' }],
  )
})

test('what Healthchecks has gained since is added', async t => {
  const world = await twoDatabases(t)
  await world.import()
  world.change(
    ...copyOf('auth_user', 2, { id: 50, username: "'carol'", email: "'carol@example.org'" }),
    ...copyOf('accounts_profile', 2, { id: 50, user_id: 50, token: "''" }),
    ...copyOf('accounts_member', 1, { id: 50, user_id: 50 }),
    ...copyOf('accounts_credential', 1, { id: 50, user_id: 50, code: "'50505050d8044c44ab02cb9e9969ef78'" }),
    OTHER_PASSKEY,
    ...copyOf('api_channel', 3, { id: 50, code: "'51515151d8044c44ab02cb9e9969ef78'" }),
    ...copyOf('api_check', 5, {
      id: 50_000,
      code: "'52525252d8044c44ab02cb9e9969ef78'",
      badge_key: "'53535353d8044c44ab02cb9e9969ef78'",
    }),
  )
  const { added } = await world.import()
  assert.deepEqual(added, { users: 1, passkeys: 1, members: 1, channels: 1, checks: 1 })
  assert.deepEqual((await world.import()).added, {})
})

test('nothing is brought twice although the oldest project was deleted in Healthchecks', async t => {
  const world = await twoDatabases(t)
  await world.import()
  world.change(
    'PRAGMA foreign_keys = OFF',
    'DELETE FROM api_ping WHERE owner_id IN (SELECT id FROM api_check WHERE project_id = 1)',
    'DELETE FROM accounts_project WHERE id = 1',
  )
  const before = await contents(world.side)
  await world.import()
  assert.deepEqual(await contents(world.side), before)
})

test('an import adds no second step to an account that is here already', async t => {
  const world = await twoDatabases(t)
  await world.here(
    `INSERT INTO users (uuid, email, created_at, email_proven_at, password_hash) VALUES ('4b1d', '${bob.email}', 1, 1, 'own')`,
  )
  const { notes } = await world.import()
  assert.deepEqual(await world.rows('SELECT * FROM passkeys'), [])
  assert.deepEqual(await world.rows("SELECT password_hash, totp_secret FROM users WHERE uuid = '4b1d'"), [
    { password_hash: 'own', totp_secret: null },
  ])
  const note = notes.find(({ subject }) => subject === `the account ${bob.email}`)
  assert.match(note!.text, /its password, second steps and settings stay as they are/)
  assert.equal((await world.rows(`SELECT * FROM members WHERE user_id = ${BOB}`)).length, 2)
})

test('a second import adds no passkey to an account that the first one brought', async t => {
  const world = await twoDatabases(t)
  await world.import()
  world.change(
    ...copyOf('accounts_credential', 1, { id: 50, code: "'50505050d8044c44ab02cb9e9969ef78'" }),
    OTHER_PASSKEY,
  )
  assert.deepEqual((await world.import()).added, {})
})

test('an address whose invitation was never opened is not proven', async t => {
  const world = await twoDatabases(t)
  const invited = { id: 50, username: "'never'", email: "'never@example.org'", password: "'!x'" }
  world.change(
    ...copyOf('auth_user', 2, { ...invited, last_login: 'NULL' }),
    ...copyOf('accounts_member', 1, { id: 50, user_id: 50 }),
  )
  await world.import()
  assert.deepEqual(await world.rows('SELECT email FROM users WHERE email_proven_at IS NULL'), [
    { email: 'never@example.org' },
  ])
})

test('an invitation that was never opened hands nobody’s account over, and lets nobody in', async t => {
  const world = await twoDatabases(t)
  const invited = { id: 50, username: "'never'", email: "'never@example.org'", password: "'!x'" }
  world.change(
    ...copyOf('auth_user', 2, { ...invited, last_login: 'NULL' }),
    ...copyOf('accounts_member', 1, { id: 50, user_id: 50 }),
  )
  await world.here(
    "INSERT INTO users (uuid, email, created_at, password_hash) VALUES ('4b1d', 'never@example.org', 1, 'own')",
  )
  const { notes } = await world.import()
  const never = "(SELECT id FROM users WHERE uuid = '4b1d')"
  assert.deepEqual(await world.rows(`SELECT password_hash, email_proven_at FROM users WHERE id = ${never}`), [
    { password_hash: 'own', email_proven_at: null },
  ])
  assert.deepEqual(await world.rows(`SELECT * FROM members WHERE user_id = ${never}`), [])
  assert.ok(notes.some(({ text }) => /nobody has proven its address/.test(text)))
})

test('a channel that a check no longer has here is not sent its recovery', async t => {
  const world = await twoDatabases(t)
  await world.import()
  const checks = "(SELECT id FROM checks WHERE status = 'up')"
  await world.here(`DELETE FROM check_channels WHERE check_id IN ${checks}`)
  const [check] = await world.rows<{ uuid: string; id: number }>(
    "SELECT uuid, id FROM checks WHERE status = 'up' ORDER BY id",
  )
  const source = `(SELECT id FROM api_check WHERE code = '${check!.uuid.replaceAll('-', '')}')`
  world.change(
    `UPDATE api_check SET n_pings = n_pings + 1, status = 'down' WHERE id = ${source}`,
    `INSERT INTO api_flip (created, old_status, new_status, owner_id, reason) VALUES ('2026-11-21 23:00:00', 'up', 'down', ${source}, '')`,
  )
  const { added } = await world.import()
  assert.equal(added['status changes'], 1)
  assert.deepEqual(await world.rows(`SELECT * FROM reported WHERE check_id = ${check!.id}`), [])
})

test('a database into which a version without this record imported is refused', async t => {
  const world = await twoDatabases(t)
  await world.import()
  await world.here('DELETE FROM imported')
  await assert.rejects(world.import(), /an older version imported this database/)
})

/** Statements that copy a row of the source with some columns changed. */
function copyOf(table: string, id: number, changes: Record<string, string | number>): string[] {
  const set = Object.entries(changes).map(([column, value]) => `${column} = ${value}`)
  return [
    `CREATE TEMP TABLE made AS SELECT * FROM ${table} WHERE id = ${id}`,
    `UPDATE made SET ${set.join(', ')}`,
    `INSERT INTO ${table} SELECT * FROM made`,
    'DROP TABLE made',
  ]
}
