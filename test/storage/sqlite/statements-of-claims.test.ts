/** How often a claim asks the database the same. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Take } from '../../../src/storage/alerts/messages.js'
import { takeMessages } from '../../../src/storage/alerts/take-messages.js'
import { CheckCache } from '../../../src/storage/sqlite/check-cache.js'
import { openDatabase } from '../../../src/storage/sqlite/connection.js'
import { openSqliteStore } from '../../../src/storage/sqlite/open.js'
import { dbOf } from '../../../src/storage/sqlite/queries.js'
import { ANY } from '../../_support/claim.js'
import { countedStatements } from '../../_support/counted-statements.js'
import { borrowThread } from '../../_support/worlds/shared-threads.js'
import { tempFolder, testSettings } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

test('a claim for many channels reads the silences of a project, and the tags of a check, once', async t => {
  const file = join(await tempFolder(t), 'punctual.db')
  const store = await openSqliteStore(file, testSettings, { create: true }, borrowThread)
  t.after(() => store.close())
  const { id } = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(store, id)
  const { now } = scene
  await scene.ping('backup')
  const channels: number[] = []
  for (let n = 0; n < 20; n++) channels.push((await scene.addChannel(`C${n}`)).id)
  for (let n = 0; n < 3; n++) {
    const times = { kind: 'once', from: now, to: now + 60_000 } as const
    const asked = { mode: 'hold', scope: { tags: ['other'] }, channels: null, times, reason: '' } as const
    await store.silences.create(id, { ...asked, createdBy: 'Alice', now })
  }
  await scene.ping('backup', 'fail')
  const database = openDatabase(file, { mustExist: true })
  t.after(() => database.close())
  const statements = countedStatements(database)
  const take: Take = {
    worker: 'me',
    now,
    leaseUntil: now + 10_000,
    inHand: [],
    channels: channels.map(channelId => ({
      channelId,
      rules: ANY,
      messages: 1,
      deliveries: 5,
      sending: { down: 0, other: 0 },
      leavesLarge: true,
    })),
  }
  const { messages } = await takeMessages(dbOf(database, testSettings, new CheckCache(database)), take)
  assert.equal(messages.length, channels.length)
  const reads = (table: string) => statements.filter(text => text.includes(`from "${table}" where`)).length
  assert.deepEqual([reads('silences'), reads('check_details')], [1, 1])
})
