/** The client as other packages get it: built, and named by this package's exports. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { packageRoot } from '../../../src/lib/package-root.js'
import { tempFolder } from '../../_support/worlds/store.js'

const TYPED = `
const client = new PunctualClient({ url: 'http://localhost', apiKey: 'x' })
export async function name(uuid: string): Promise<string> {
  const check: Check = await client.getCheck(uuid)
  // @ts-expect-error A check has no such field.
  check.nothing
  return check.name
}
export const pinger = new Pinger({ url: 'http://localhost' }, { uuid: '' })
`

/** A folder in which `punctual` is installed. */
async function consumer(t: TestContext): Promise<string> {
  const folder = await tempFolder(t)
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(packageRoot, join(folder, 'node_modules/punctual'))
  symlinkSync(join(packageRoot, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  return folder
}

function run(folder: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  return stdout
}

for (const module of ['node16', 'nodenext']) {
  test(`CommonJS and ES modules are compiled against the client (module ${module})`, async t => {
    const folder = await consumer(t)
    for (const file of ['a.cts', 'b.mts']) {
      writeFileSync(
        join(folder, file),
        `import { type Check, Pinger, PunctualClient } from 'punctual/client'\n${TYPED}`,
      )
    }
    run(folder, [
      join(packageRoot, 'node_modules/typescript/bin/tsc'),
      ...[
        '--module',
        module,
        '--target',
        'es2022',
        '--strict',
        '--noEmit',
        '--types',
        'node',
        'a.cts',
        'b.mts',
      ],
    ])
  })
}

test('the client can be required and imported', async t => {
  const folder = await consumer(t)
  const names = 'Object.keys(client).sort().join()'
  const exported = 'ApiError,Pinger,PunctualApi,PunctualClient,verifyEventSignature'
  assert.equal(
    run(folder, ['-e', `const client = require('punctual/client'); process.stdout.write(${names})`]),
    exported,
  )
  assert.equal(
    run(folder, [
      '--input-type=module',
      '-e',
      `import * as client from 'punctual/client'; process.stdout.write(${names})`,
    ]),
    exported,
  )
})
