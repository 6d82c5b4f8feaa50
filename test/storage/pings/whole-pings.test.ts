/** A ping is recorded whole or not at all, whichever of its writes fails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordedPings } from '../../../src/core/pings/arrived-ping.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { engine, type FreshStore, openFreshStore } from '../../_support/worlds/store.js'

for (const [table, event] of [
  ['checks', 'UPDATE'],
  ['pings', 'INSERT'],
  ['uploads', 'INSERT'],
] as const) {
  test(`a ping whose write to ${table} fails leaves nothing behind`, async t => {
    const fresh = await openFreshStore({ objectStorage: true })
    t.after(fresh.remove)
    const { store, raw } = fresh
    const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
    const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: 1 })
    const large = { method: 'POST', body: new Uint8Array(1_000) }
    const ping = arrivedPing({ uuid: check.uuid }, 1_000, large)
    // The first changes the status; what comes after it is written in the shortest way.
    assert.deepEqual((await store.pings.record([ping])).outcomes, ['ok'])
    const allow = await refuse(raw, table, event)
    try {
      assert.deepEqual(await outcomes(store.pings.record([ping])), ['refused'])
    } finally {
      await allow()
    }
    assert.deepEqual(await kept(raw), { pings: [1], bodies: [1], counted: 1 })
    assert.deepEqual((await store.pings.record([ping])).outcomes, ['ok'])
    assert.deepEqual(await kept(raw), { pings: [1, 2], bodies: [1, 2], counted: 2 })
  })
}

/** On several servers a refusal is an outcome, because others may have recorded their pings. */
async function outcomes(recorded: Promise<RecordedPings>) {
  return (await recorded.catch(() => ({ outcomes: ['refused'] }))).outcomes
}

async function kept(raw: FreshStore['raw']) {
  const numbers = async (table: string) => (await raw(`SELECT n FROM ${table} ORDER BY n`)).map(row => row.n)
  const [check] = await raw('SELECT n_pings FROM checks')
  return { pings: await numbers('pings'), bodies: await numbers('uploads'), counted: check!.n_pings }
}

/**
 * Makes writes to a table fail: on SQLite as a full disk does, which rolls the transaction back by itself, on
 * PostgreSQL as a deadlock does, after which it is tried again. Returns what ends that.
 */
async function refuse(raw: FreshStore['raw'], table: string, event: string): Promise<() => Promise<void>> {
  if (engine === 'sqlite') {
    await raw(
      `CREATE TRIGGER refused BEFORE ${event} ON ${table} BEGIN SELECT RAISE(ROLLBACK, 'refused'); END`,
    )
    return async () => void (await raw('DROP TRIGGER refused'))
  }
  await raw(`CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '40P01'; END $$`)
  await raw(`CREATE TRIGGER refused BEFORE ${event} ON ${table} FOR EACH ROW EXECUTE FUNCTION refused()`)
  return async () => void (await raw('DROP FUNCTION refused CASCADE'))
}
