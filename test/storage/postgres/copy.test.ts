import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ArrivedPing } from '../../../src/core/pings/arrived-ping.js'
import { copyDatabase } from '../../../src/storage/copy/copy-database.js'
import { openSide, type Side } from '../../../src/storage/copy/side.js'
import { COPIED_LAST, COPIED_TABLES } from '../../../src/storage/copy/tables.js'
import { openPostgresStore } from '../../../src/storage/postgres/open.js'
import { openSqliteStore } from '../../../src/storage/sqlite/open.js'
import type { Store } from '../../../src/storage/store.js'
import { freshDatabase } from '../../_support/postgres.js'
import { tempFolder, testSettings } from '../../_support/worlds/store.js'

const NOW = Date.UTC(2026, 0, 15, 12)
const LATER = NOW + 60_000

const settings = { ...testSettings, objectStorage: true }

function ping(slug: string, more: Partial<ArrivedPing> = {}): ArrivedPing {
  return {
    target: { pingKey: 'key', slug, create: true },
    arrivedAt: NOW,
    arrivedUs: 7,
    action: 'success',
    exitStatus: null,
    rid: null,
    durationMs: null,
    ranAt: null,
    invalid: null,
    scheme: 'http',
    remoteAddr: '192.0.2.1',
    method: 'POST',
    ua: 'curl "quoted" \\ ünïcode',
    body: null,
    ...more,
  }
}

/** A project with people, channels, checks, pings with bodies of every byte, a flip and its delivery. */
async function fill(store: Store): Promise<void> {
  const user = await store.people.createUser({ email: 'alice@example.org', passwordHash: 'x', now: NOW })
  const { id: projectId } = await store.projects.create({
    name: 'Alice',
    ownerId: user.id,
    pingKey: 'key',
    apiKeys: [{ kind: 'rw', digest: 'digest', hint: 'hint' }],
    now: NOW,
  })
  const channel = { projectId, name: '', kind: 'webhook', settings: { url_down: 'http://x/' }, now: NOW }
  const { uuid } = await store.channels.create({ ...channel, members: [] })
  await store.channels.create({ ...channel, kind: 'group', members: [uuid] })
  const body = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  const slugs = Array.from({ length: 30 }, (_, index) => `job-${index}`)
  for (let round = 0; round < 50; round++) await store.pings.record(slugs.map(slug => ping(slug, { body })))
  await store.pings.record([ping('job-3', { action: 'fail', exitStatus: 3 })])
  await store.instance.beat('me', NOW)
}

async function onSqlite(t: TestContext) {
  const file = join(await tempFolder(t), 'punctual.db')
  const open = () => openSqliteStore(file, settings, { create: true })
  return { address: `sqlite:${file}`, open }
}

async function onPostgres(t: TestContext) {
  const { url, drop } = await freshDatabase()
  t.after(drop)
  return { address: url, open: () => openPostgresStore(url, settings, { create: true }) }
}

async function copy(from: string, to: string, now = LATER) {
  const source = await openSide(from, { create: false })
  const target = await openSide(to, { create: true })
  try {
    return await copyDatabase(source, target, now, () => {})
  } finally {
    await target.close()
    await source.close()
  }
}

for (const [name, openFrom, openTo] of [
  ['SQLite to PostgreSQL', onSqlite, onPostgres],
  ['PostgreSQL to SQLite', onPostgres, onSqlite],
] as const) {
  test(`everything is copied from ${name}, and IDs continue in the copy`, async t => {
    const [from, to] = [await openFrom(t), await openTo(t)]
    const source = await from.open()
    await fill(source)
    const viewer = { projectId: 1, version: 3, access: 'rw', now: LATER } as const
    const all = { slug: null, tags: [] }
    const shown = Buffer.from(await source.checks.showList(viewer, all)).toString()
    const waiting = await source.alerts.dueChannels({ now: LATER, cursor: 0 })
    const { uuid } = JSON.parse(shown).checks[0]
    const body = await source.pings.body(1, uuid, 1)
    await source.close()

    const tables = await copy(from.address, to.address)
    const rows = Object.fromEntries(tables.map(table => [table.name, table.rows]))
    assert.equal(rows.pings, 1_501)
    assert.equal(rows.uploads, 1_500)
    assert.equal(rows.checks, 30)
    assert.equal(rows.group_members, 1)
    assert.equal(rows.deliveries, 1)

    const target = await to.open()
    t.after(() => target.close())
    assert.equal(Buffer.from(await target.checks.showList(viewer, all)).toString(), shown)
    assert.deepEqual(await target.alerts.dueChannels({ now: LATER, cursor: 0 }), waiting)
    assert.ok('bytes' in body && body.bytes.length === 256)
    assert.deepEqual(await target.pings.body(1, uuid, 1), body)
    const { outcomes } = await target.pings.record([ping('job-0'), ping('another')])
    assert.deepEqual(outcomes, ['ok', 'created'])
    // Punctual was away since the source's last beat.
    const { outages } = await target.instance.beat('me', LATER, { phase: 'starting' })
    assert.equal(outages[0]?.startedAt, NOW)
  })
}

for (const [name, openFrom, openTo] of [
  ['SQLite to PostgreSQL', onSqlite, onPostgres],
  ['PostgreSQL to SQLite', onPostgres, onSqlite],
] as const) {
  test(`a copy from ${name} reuses no ID of a row that was deleted before`, async t => {
    const [from, to] = [await openFrom(t), await openTo(t)]
    const source = await from.open()
    await fill(source)
    const bob = await source.people.createUser({ email: 'bob@example.org', passwordHash: null, now: NOW })
    await source.people.deleteUser(bob.id, NOW)
    await source.close()
    const reading = await openSide(from.address, { create: false })
    t.after(() => reading.close())
    const event = {
      project_id: 1,
      created_at: 1,
      type: 'check.created' as const,
      object_id: '',
      object_name: '',
    }
    const added = await reading.sql
      .insertInto('events')
      .values(event)
      .returning('id')
      .executeTakeFirstOrThrow()
    await reading.sql.deleteFrom('events').execute()
    await copy(from.address, to.address)

    const target = await to.open()
    const mallory = await target.people.createUser({ email: 'm@example.org', passwordHash: null, now: NOW })
    await target.close()
    assert.ok(mallory.id > bob.id)
    const writing = await openSide(to.address, { create: false })
    t.after(() => writing.close())
    const next = await writing.sql
      .insertInto('events')
      .values(event)
      .returning('id')
      .executeTakeFirstOrThrow()
    assert.ok(Number(next.id) > Number(added.id))
  })
}

test('an interrupted copy is continued', async t => {
  const [from, to] = [await onSqlite(t), await onPostgres(t)]
  const source = await from.open()
  await fill(source)
  await source.close()
  const interrupted = await openSide(to.address, { create: true })
  let commits = 0
  const failing: Side = {
    ...interrupted,
    commit: async () => {
      if (++commits === 9) throw new Error('interrupted')
      await interrupted.commit()
    },
  }
  const reading = await openSide(from.address, { create: false })
  await assert.rejects(
    copyDatabase(reading, failing, LATER, () => {}),
    /interrupted/,
  )
  await reading.close()
  await interrupted.close()
  const tables = await copy(from.address, to.address)
  assert.equal(tables.find(({ name }) => name === 'pings')!.rows, 1_501)
})

test('a copy that differs from its source is reported, and other data is not overwritten', async t => {
  const [from, to] = [await onSqlite(t), await onPostgres(t)]
  const source = await from.open()
  await fill(source)
  await source.close()
  const target = await openSide(to.address, { create: true })
  const spoiling: Side = {
    ...target,
    commit: async () => {
      await target.sql.updateTable('checks').set({ grace_s: 1 }).execute()
      await target.commit()
    },
  }
  const reading = await openSide(from.address, { create: false })
  await assert.rejects(
    copyDatabase(reading, spoiling, LATER, () => {}),
    {
      name: 'Refusal',
      message: /^checks differs: 30 rows there, 30 in the copy/,
    },
  )
  await reading.close()
  await target.close()
  await assert.rejects(copy(to.address, from.address, LATER), {
    name: 'Refusal',
    message: /the target holds data already/,
  })
})

test('a source whose server has just accepted pings is not copied', async t => {
  const [from, to] = [await onSqlite(t), await onPostgres(t)]
  const source = await from.open()
  await fill(source)
  await source.close()
  await assert.rejects(copy(from.address, to.address, NOW + 5_000), {
    name: 'Refusal',
    message: /took pings on the source 5 s ago/,
  })
})

test('every table is copied except the target’s record of migrations', async t => {
  const { address } = await onSqlite(t)
  const side = await openSide(address, { create: true })
  const tables = await side.sql.introspection.getTables()
  await side.close()
  const copied = [...COPIED_TABLES.map(({ name }) => name), ...COPIED_LAST, 'migrations']
  assert.deepEqual(copied.sort(), tables.map(({ name }) => name).sort())
})
