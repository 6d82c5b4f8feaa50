/** The built program started while another program has its database. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sqliteEngine } from '../../../src/storage/sqlite/engines/index.js'
import { type Env, installationWithProject, starting } from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'
import { freePort } from '../../_support/servers/free-port.js'

/** Runs these statements as another program that has the database open. Returns how that program ends. */
function hold(t: TestContext, env: Env, statements: string): () => void {
  const holder = sqliteEngine().open(join(env.DATA_DIR!, 'punctual.db'), { mustExist: true })
  holder.exec(statements)
  let isOpen = true
  const end = () => {
    if (isOpen) holder.close()
    isOpen = false
  }
  t.after(end)
  return end
}

test('a start waits while another program writes, and is not ready until then', async t => {
  const { env, pingKey } = await installationWithProject(t, { PORT: String(await freePort()) })
  const url = `http://127.0.0.1:${env.PORT}`
  const release = hold(t, env, 'BEGIN EXCLUSIVE')
  const server = starting(t, env)
  const ready = () =>
    fetch(`${url}/ready`).then(
      async answer => [answer.status, await answer.text()],
      () => null,
    )
  assert.deepEqual(await eventually(ready), [503, 'starting'])
  // More than once: it goes on waiting.
  await eventually(() => server.output.stderr.split('"msg":"the database is unavailable"').length > 2)
  assert.match(server.output.stderr, /"reason":"database is locked"/)
  assert.equal((await ready())?.[0], 503)
  release()
  await eventually(() => server.output.stderr.includes('"msg":"serving"'))
  await eventually(async () => (await ready())?.[0] === 200)
  assert.equal((await fetch(`${url}/ping/${pingKey}/job?create=1`)).status, 201)
  assert.equal(await server.end('SIGTERM'), 0)
})

test('a start waits for a database that cannot even be read, and can be stopped while waiting', async t => {
  const { env } = await installationWithProject(t)
  const release = hold(t, env, 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  const stopped = starting(t, env)
  const waits = starting(t, env)
  for (const { output } of [stopped, waits]) {
    const isWaiting = () => output.stderr.includes('the database is not available yet')
    await eventually(isWaiting, () => `it does not wait: ${output.stdout}${output.stderr}`)
  }
  assert.equal(await stopped.end('SIGTERM'), 0)
  release()
  await eventually(() => waits.output.stderr.includes('"msg":"serving"'))
  assert.equal(await waits.end('SIGTERM'), 0)
})
