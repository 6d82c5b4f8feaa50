/** The client of Punctual's own API, as the package exports it. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Api, ApiError, PunctualApi } from '../../src/client/index.js'
import { nativeDocument } from '../../src/http/native/openapi.js'
import { inTurns } from '../../src/lib/in-turns.js'
import { packageRoot } from '../../src/lib/package-root.js'
import { openWorld } from '../_support/worlds/world.js'

const world = await openWorld()
const { alice } = world
const { token } = await world.token({ projectId: alice.projectId, role: 'member' })
const api = new PunctualApi({ url: world.root, token, project: alice.projectUuid })
const STEPS: Api.NewPolicy['steps'] = [{ after: 0, channels: 'check' }]

test('the client is up to date (else: npm run docs)', async () => {
  const { ownApiClient } = await import(pathToFileURL(join(packageRoot, 'bin/docs/own-api-client.js')).href)
  const pages: Map<string, string> = ownApiClient(await inTurns(nativeDocument('', '', '')))
  const files = readdirSync(join(packageRoot, 'src/client/own-api')).map(name => `src/client/own-api/${name}`)
  assert.deepEqual([...pages.keys()].sort(), ['src/client/own-api.ts', ...files].sort())
  for (const [path, text] of pages) assert.equal(readFileSync(join(packageRoot, path), 'utf8'), text, path)
})

test('the client reads a list through all its pages', async () => {
  for (let count = 0; count < 5; count++) await api.createPolicy({ name: `Policy ${count}`, steps: STEPS })
  const names: string[] = []
  for await (const { name } of api.listPolicies({ limit: 2 })) names.push(name)
  assert.deepEqual(names, ['Policy 4', 'Policy 3', 'Policy 2', 'Policy 1', 'Policy 0'])
})

test('the client reads and changes one resource, and repeats a request safely', async () => {
  const { uuid } = await world.check(alice, { name: 'Backup' })
  const response = await api.request({ method: 'GET', path: `/checks/${uuid}` })
  const ifMatch = response.headers.get('etag')!
  const changed = await api.patchCheck(uuid, { failures_to_alert: 3 }, { ifMatch })
  assert.equal(changed.failures_to_alert, 3)
  assert.deepEqual(await api.getCheck(uuid), changed)
  const asked = [uuid, { seconds: 60 }, { idempotencyKey: 'once' }] as const
  const snoozed = await api.snoozeCheck(...asked)
  assert.equal((await api.snoozeCheck(...asked)).id, snoozed.id)
  await assert.rejects(api.patchCheck(uuid, { name: 'Other' }, { ifMatch }), { status: 412 })
})

test('the client throws the status and the reasons of an error', async () => {
  const error = await api.createPolicy({ name: '', steps: STEPS }).catch((reason: unknown) => reason)
  assert.ok(error instanceof ApiError)
  assert.equal(error.status, 422)
  assert.equal(error.message, 'some fields of the request are wrong; empty')
})
