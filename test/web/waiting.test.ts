/** Forms, and requests with keys, that wait are carried out only if they would be admitted when their turn comes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { NATIVE_PREFIX } from '../../src/http/native/native-routes.js'
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
function hold(kind: 'person' | 'token' | 'key', id: string, address: string | null = null): () => void {
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  void turns.of('write', () => gate).call({ actor: { kind, id, name: '', address } })
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

/** A member of another project of Alice's, with a project of their own and a browser that waits for turns. */
async function memberOfTwo(name: string) {
  const person = await world.person(name)
  const own = await world.projectOf(person, 'Own')
  const shared = await world.projectOf(world.alice, 'Shared')
  await store.projects.putMember({
    projectId: shared.id,
    userId: person.id,
    role: 'member',
    now: clock.now(),
  })
  const browser = new Visitor(root)
  browser.cookies.set(SESSION_COOKIE, person.cookies.get(SESSION_COOKIE)!)
  const check = await world.addCheck('Kept', shared.id)
  return {
    person,
    own,
    shared,
    browser,
    check,
    tags: async () => (await store.checks.facts(shared.id, check, clock.now())).check.tags,
    leave: () => store.projects.removeMember(shared.id, person.uuid, clock.now()),
  }
}

/** What `send` answers if `end` is called while the writes of this actor wait. */
async function answerAfter<T>(
  actor: Parameters<typeof hold>,
  end: () => Promise<unknown>,
  send: () => Promise<T>,
) {
  const open = hold(...actor)
  const sent = send()
  await sleep(LONG)
  await end()
  await sleep(LONG)
  open()
  return await sent
}

/** Shows a change of this check's tags on the page of all projects. Returns the form that makes it. */
async function previewTags(browser: Visitor, check: string, tags: string) {
  const fields = { part: 'tags', tagsWay: 'add', tags, kind: 'simple' }
  const { text } = await browser.post('/checks/bulk/edit/', { ...fields, check: [check], preview: '1' })
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)![1]!
  return { ...fields, check: hidden('check'), shown: hidden('shown'), apply: '1' }
}

test('a change on the page of all projects that waits is refused once its sender has left one', async () => {
  const { person, browser, check, tags, leave } = await memberOfTwo('editor')
  const form = await previewTags(browser, check, 'changed')
  const send = () => browser.post('/checks/bulk/edit/', form)
  assert.equal((await answerAfter(['person', person.uuid], leave, send)).status, 403)
  assert.equal(await tags(), '')
})

test('an undo that waits is refused once its sender has left the project of the checks', async () => {
  const { person, own, browser, check, tags, leave } = await memberOfTwo('undoer')
  await browser.post('/checks/bulk/edit/', await previewTags(browser, check, 'changed'))
  assert.equal(await tags(), 'changed')
  const { text } = await browser.get('/checks/')
  const [, undo] = /action="\/projects\/[^/]+\/undo\/([^/]+)\/"/.exec(text) ?? []
  const send = () => browser.post(`/projects/${own.uuid}/undo/${undo}/`)
  assert.equal((await answerAfter(['person', person.uuid], leave, send)).status, 403)
  assert.equal(await tags(), 'changed')
})

test('a move that waits is refused once its sender has left the other project', async () => {
  const { person, own, shared, leave } = await memberOfTwo('mover')
  const check = await world.addCheck('Kept', own.id)
  const { token, uuid } = await world.token({ userId: person.id })
  const path = `${NATIVE_PREFIX}/checks/${check}/move?project=${own.uuid}`
  const headers = { Authorization: `Bearer ${token}` }
  const send = () => world.send('POST', path, { root, headers, body: { project: shared.uuid } })
  assert.equal((await answerAfter(['token', uuid, '127.0.0.1'], leave, send)).status, 404)
  assert.ok(await store.checks.facts(own.id, check, clock.now()))
})

test('a page of all projects that waits shows nothing of a project that its reader has left', async () => {
  const { person, browser, leave } = await memberOfTwo('reader')
  let open = () => {}
  const gate = new Promise<void>(resolve => {
    open = resolve
  })
  const read = turns.of('longRead', () => gate) as (projectId: number) => Promise<unknown>
  for (const projectId of [-1, -2]) void read(projectId)
  const sent = browser.get('/checks/?search=kept')
  await sleep(LONG)
  await leave()
  await sleep(LONG)
  open()
  const { status, text } = await sent
  assert.equal(status, 200)
  assert.ok(text.includes(person.email))
  assert.doesNotMatch(text, />Kept<|>Shared</)
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
