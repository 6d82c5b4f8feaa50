/** What shows a secret is kept in no cache, and nothing is after signing out. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, project, store, clock } = world
const settings = `/projects/${project.uuid}/settings/`
const cacheControl = (page: { headers: Headers }) => page.headers.get('Cache-Control')

test('a new key is shown on a page that no cache keeps', async () => {
  assert.equal(cacheControl(await alice.get(settings)), 'private, no-cache')
  await alice.post(`/projects/${project.uuid}/keys/add/`, { kind: 'rw' })
  const page = await alice.get(settings)
  assert.match(page.text, /hcw_\w{28}/)
  assert.equal(cacheControl(page), 'no-store')
})

test('so are the secret of an authenticator app and recovery codes', async () => {
  assert.equal(cacheControl(await alice.get('/accounts/totp/')), 'no-store')
  const [session] = await store.people.listSessions(alice.id, clock.now())
  await store.people.setTotp({ userId: alice.id, sessionId: session!.uuid, secret: 'A'.repeat(32) })
  assert.equal(cacheControl(await alice.post('/accounts/recovery-codes/')), 'no-store')
})

test('answers of the API and metrics with a key are kept in no cache', async () => {
  const account = await world.account()
  for (const path of [
    '/api/v3/checks/',
    '/api/v3/badges/',
    `/projects/${project.uuid}/metrics/${account.ro}`,
  ]) {
    assert.equal(cacheControl(await world.get(path, account.ro)), 'no-store', path)
  }
  assert.equal(cacheControl(await world.get('/api/v3/checks/')), 'no-store')
})

test('signing out clears what the browser has kept', async () => {
  const { headers } = await world.bob.post('/accounts/logout/')
  assert.equal(headers.get('Clear-Site-Data'), '"cache"')
})

test('a badge that is opened by itself may load nothing', async () => {
  const { headers } = await world.get('/b/2/3cba109f-0c06-47ea-8a3c-2f7d6a5f0e11.svg')
  assert.equal(headers.get('Content-Security-Policy'), "default-src 'none'; frame-ancestors 'none'")
})
