/** Forms, and requests with keys, that wait are carried out only if they would be admitted when their turn comes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SESSION_COOKIE } from '../../src/http/web/people/session.js'
import { digestOf, newApiKey } from '../../src/lib/secrets/secrets.js'
import { Turns } from '../../src/storage/turns.js'
import { behindTurns } from '../_support/behind-turns.js'
import { Visitor } from '../_support/browser/visitor.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

/** Longer than a look at what a caller may do counts, in ms. */
const LONG = 150

const world = await openWebWorld()
const { store, project, clock, bob, mike } = world
const key = newApiKey('ro')
await store.projects.addApiKey({
  projectId: project.id,
  kind: 'ro',
  digest: digestOf(key),
  hint: key.slice(0, 8),
  now: clock.now(),
})
const turns = new Turns({ inAll: Number.POSITIVE_INFINITY, perKey: 1 })
const root = await world.serveOn(behindTurns(store, turns))

/** Lets what this actor writes wait. The returned function ends that. */
function hold(kind: 'person' | 'key', id: string): () => void {
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  void turns.of('write', () => gate).call({ actor: { kind, id, name: '', address: null } })
  return open
}

const statusOf = async (uuid: string) => (await world.get(`/api/v3/checks/${uuid}`, key)).json.status

/** What posting a form answers if `end` is called while it waits. */
async function post(
  person: typeof bob,
  end: () => Promise<unknown>,
): Promise<[status: number, isPaused: boolean]> {
  const uuid = await world.addCheck('Kept')
  const browser = new Visitor(root)
  browser.cookies.set(SESSION_COOKIE, person.cookies.get(SESSION_COOKIE)!)
  const page = `/checks/${uuid}/`
  await browser.get(page)
  const open = hold('person', person.uuid)
  const posted = browser.post(`${page}pause/`)
  await sleep(LONG)
  await end()
  // So that no look from before counts, however late the form was admitted.
  await sleep(LONG)
  open()
  const { status } = await posted
  return [status, (await statusOf(uuid)) === 'paused']
}

test('a form that waits is refused once its sender has left the project', async () => {
  const leave = () => store.projects.removeMember(project.id, bob.uuid, clock.now())
  assert.deepEqual(await post(bob, leave), [404, false])
})

test('a form that waits leads to the sign-in once the session has ended', async () => {
  assert.deepEqual(await post(mike, () => store.people.closeSessions(mike.id, null)), [302, false])
})

test('a request that waits is refused once its key is revoked', async () => {
  const owner = await world.account('Keys')
  const { uuid } = await world.check(owner, { name: 'Kept' })
  const open = hold('key', owner.rw.slice(0, 8))
  const sent = world.send('POST', `/api/v3/checks/${uuid}`, {
    root,
    key: owner.rw,
    body: { name: 'Changed' },
  })
  await sleep(LONG)
  await store.projects.revokeApiKeys({ projectId: owner.projectId, kind: 'rw', now: clock.now() })
  world.changes.emit('access', {})
  await sleep(LONG)
  open()
  assert.equal((await sent).status, 401)
  assert.equal((await store.checks.facts(owner.projectId, uuid, clock.now())).check.name, 'Kept')
})
