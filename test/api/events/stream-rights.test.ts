/** What the stream of events shows after the role of its reader has changed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemberRole } from '../../../src/core/people/role.js'
import { listenEvents, type SentEvent } from '../../_support/servers/event-stream.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, store, clock, root } = world
const API = '/api/punctual/v1'
const ofAlice = await world.token({ userId: alice.id })
const ofBob = await world.token({ userId: bob.id })

/** A project of Alice with Bob as a manager, and a token of the project that Bob made. */
async function projectWithManager() {
  const { projectId, projectUuid } = await world.account('Shared', alice.id)
  const now = clock.now()
  await store.projects.putMember({ projectId, userId: bob.id, role: 'manager', now })
  const query = `?project=${projectUuid}`
  const body = { name: 'CI', scopes: ['log:read', 'config:write', 'channels:write'], expires_at: null }
  const made = await world.send('POST', `${API}/tokens${query}`, { key: ofBob.token, body })
  assert.equal(made.status, 201)
  const rename = async (name: string) => {
    const asked = { key: ofAlice.token, body: { name } }
    assert.equal((await world.send('PATCH', `${API}/projects/${projectUuid}`, asked)).status, 200)
  }
  return { projectId, projectUuid, query, ofProject: made.json.token as string, rename }
}

const addressIn = ({ actor }: SentEvent) => (actor as { address?: string } | null)?.address

const CHANGES: Record<string, (projectUuid: string, role: MemberRole) => Promise<{ status: number }>> = {
  'on the page': (projectUuid, role) =>
    alice.post(`/projects/${projectUuid}/members/${bob.uuid}/role/`, { role }),
  'by API': (projectUuid, role) =>
    world.send('PATCH', `${API}/members/${bob.uuid}?project=${projectUuid}`, {
      key: ofAlice.token,
      body: { role },
    }),
}

for (const [where, change] of Object.entries(CHANGES)) {
  test(`streams of a manager, and of tokens they made, show no addresses once demoted ${where}`, async () => {
    const { projectUuid, query, ofProject, rename } = await projectWithManager()
    const streams = [
      await listenEvents(root, ofBob.token, { query: `${query}&type=project` }),
      await listenEvents(root, ofProject, { query: '?type=project' }),
    ]
    const next = () => Promise.all(streams.map(stream => stream.next()))
    await rename('Before')
    for (const event of await next()) assert.ok(addressIn(event))
    assert.ok((await change(projectUuid, 'member')).status < 400)
    await rename('After')
    for (const event of await next()) {
      assert.equal(event.after?.name, 'After')
      assert.ok(!addressIn(event))
    }
    for (const stream of streams) stream.close()
  })

  test(`a token that a manager made manages nothing as soon as they are demoted ${where}`, async () => {
    const { projectUuid, ofProject } = await projectWithManager()
    const webhooks = () => world.get(`${API}/event-webhooks`, ofProject)
    assert.equal((await webhooks()).status, 200)
    assert.ok((await change(projectUuid, 'member')).status < 400)
    assert.equal((await webhooks()).status, 403)
  })
}

test('the former owner of a project sees no addresses as soon as another owns it', async () => {
  const { projectUuid, query, rename } = await projectWithManager()
  const stream = await listenEvents(root, ofAlice.token, { query: `${query}&type=project` })
  const asked = { key: ofAlice.token, body: { member: bob.uuid } }
  await world.send('POST', `${API}/projects/${projectUuid}/transfer`, asked)
  await rename('Before')
  while ((await stream.next()).after?.name !== 'Before');
  await world.send('POST', `${API}/projects/${projectUuid}/transfer/accept`, { key: ofBob.token, body: {} })
  const event = await stream.next()
  assert.ok(event.after?.owner)
  assert.ok(!addressIn(event))
  stream.close()
})
