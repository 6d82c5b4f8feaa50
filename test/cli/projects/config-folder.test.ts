/** CONFIG_DIR with the built program: at the start, and at SIGHUP. */
import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { installationWithProject, starting } from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'
import { tempFolder } from '../../_support/worlds/store.js'

test('the files of CONFIG_DIR are applied at the start, and again at SIGHUP', async t => {
  const { env, uuid } = await installationWithProject(t)
  const folder = join(await tempFolder(t), 'config')
  await mkdir(folder)
  const write = (text: string) => writeFile(join(folder, 'home.yaml'), `project: ${uuid}\n${text}\n`)
  await write(`checks: {db: {desc: "\${WHAT}"}}`)
  const more = { CONFIG_DIR: folder, WHAT: 'the database', SECRET_KEY: 'a-secret-that-no-file-may-name' }
  const server = starting(t, { ...env, ...more })
  const applied = () =>
    server.output.stderr.split('\n').filter(line => line.includes('of CONFIG_DIR was applied'))
  await eventually(() => applied().length === 1)
  assert.match(applied()[0]!, /"file":"home\.yaml","changed":1/)

  await write(`checks: {db: {desc: "\${SECRET_KEY}"}}`)
  assert.ok(server.signal('SIGHUP'))
  await eventually(() => server.output.stderr.includes('The variable SECRET_KEY is not set'))
  assert.doesNotMatch(server.output.stderr, /a-secret-that/)

  await write('checks: {db: {grace: 2h}, mail: {}}')
  server.signal('SIGHUP')
  await eventually(() => applied().length === 2)
  assert.match(applied()[1]!, /"changed":2/)
  assert.equal(await server.end('SIGTERM'), 0)
})
