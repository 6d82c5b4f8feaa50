/** What happens when a file of the embedded database is deleted, moved or replaced under the running program. */
import assert from 'node:assert/strict'
import { copyFileSync, linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { isDatabaseAtFault, isMovedFile, isUnavailable } from '../../../src/storage/errors.js'
import { inPlace } from '../../../src/storage/sqlite/in-place.js'
import { openSqliteStore } from '../../../src/storage/sqlite/open.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { tempFolder, testSettings } from '../../_support/worlds/store.js'

/** A store with a check, and how to ping it. */
async function openStore(t: TestContext) {
  const file = join(await tempFolder(t), 'punctual.db')
  const store = await openSqliteStore(file, testSettings, { create: true })
  t.after(() => store.close())
  const project = await store.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const { check } = await store.checks.create(project.id, { changes: {}, unique: null, now: 1 })
  let now = 1_000
  const ping = () => store.pings.record([arrivedPing({ uuid: check.uuid }, ++now)])
  await ping()
  await store.instance.probe()
  return { file, store, ping }
}

/** Long enough for the next write to look at the files again. */
const untilLooked = () => setTimeout(20)

const isRefused = (error: unknown) => isMovedFile(error) && isUnavailable(error) && isDatabaseAtFault(error)

for (const suffix of ['', '-wal']) {
  test(`nothing is written while punctual.db${suffix} is moved away, and it goes on when it is back`, async t => {
    const { file, store, ping } = await openStore(t)
    renameSync(file + suffix, `${file}.away`)
    await untilLooked()
    await assert.rejects(ping(), isRefused)
    await assert.rejects(store.instance.beat('me', 2_000), isRefused)
    await assert.rejects(store.instance.probe(), isMovedFile)
    assert.equal((await store.projects.list()).length, 1, 'what is there can be read')
    renameSync(`${file}.away`, file + suffix)
    await ping()
    await store.instance.beat('me', 3_000)
    await store.instance.probe()
  })
}

test('a copy in the place of the database is not taken for it', async t => {
  const { file, ping } = await openStore(t)
  renameSync(file, `${file}.away`)
  copyFileSync(`${file}.away`, file)
  await untilLooked()
  await assert.rejects(ping(), { message: /punctual\.db was deleted, moved or replaced.*restore a backup/ })
  renameSync(`${file}.away`, file)
  await ping()
})

test('a deleted database refuses pings, and takes them again from another name of the same file', async t => {
  const { file, ping } = await openStore(t)
  linkSync(file, `${file}.other`)
  rmSync(file)
  await untilLooked()
  await assert.rejects(ping(), isRefused)
  linkSync(`${file}.other`, file)
  await ping()
})

test('what has no file is not judged', () => {
  const assertInPlace = inPlace(':memory:')
  assertInPlace()
  assertInPlace()
})
