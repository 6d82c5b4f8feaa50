/** Who may do what, for every route of the table: an outsider finds nothing, a read-only member changes nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../../src/http/web/routes.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, rita, charlie, project } = world
const check = await world.addCheck('Backup')

const channel = await world.store.channels.create({
  projectId: project.id,
  name: 'Hook',
  kind: 'webhook',
  settings: {},
  members: [],
  now: world.clock.now(),
})

const silence = await world.store.silences.create(project.id, {
  mode: 'hold',
  scope: { project: true },
  channels: null,
  times: { kind: 'cron', schedule: '0 2 * * *', tz: 'UTC', durationSeconds: 3600, from: null },
  reason: 'Backup window',
  createdBy: 'alice@example.org',
  now: world.clock.now(),
})

const policy = await world.store.incidents.createPolicy(project.id, {
  name: 'On call',
  isDefault: true,
  steps: [{ after: 0, channels: [channel.uuid] }],
  repeat: null,
  now: world.clock.now(),
})

const webhook = bob.uuid
await world.store.events.createWebhook(project.id, {
  name: 'Audit',
  url: 'https://example.org/events',
  types: [],
  enabled: true,
  uuid: webhook,
  secret: 'sealed',
  by: null,
  now: world.clock.now(),
})

/** What a path is about, by its first part, and what stands for the other parameters. */
const subjects: Record<string, string> = {
  projects: project.uuid,
  checks: check,
  integrations: channel.uuid,
}
const failing = await world.addCheck('Failing')
await world.send('GET', `/ping/${failing}/fail`)
const incident = await world.store.incidents.openIncident(failing)

const parameters: Record<string, string> = {
  id: String(incident),
  member: bob.uuid,
  webhook,
  kind: 'webhook',
  n: '1',
  channel: channel.uuid,
  silence: String(silence.id),
  policy: String(policy.id),
}

const guarded = routes
  .filter(route => !route.signed && /^\/(projects|checks|integrations)\/:uuid\//.test(route.path))
  .map(route => ({
    ...route,
    url: route.path
      .replace(/^\/(\w+)\/:uuid/, (_, noun: string) => `/${noun}/${subjects[noun]}`)
      .replace(/:(\w+)\??/g, (_, name: string) => parameters[name] ?? bob.uuid),
  }))

/** Routes about no one's project in their address, and those that other tests hold to the same rules. */
const ELSEWHERE = [
  /^\/accounts\//,
  /^\/(docs|dev|tv)\//,
  // One's own, or nobody's; problems.test.ts
  /^\/((live|problems|problems\/live|projects)\/)?$/,
  // search.test.ts
  /^\/search\/(options\/)?$/,
  // timeline.test.ts
  /^\/timeline\/$/,
  // list-groups.test.ts
  /^\/checks\/(live\/)?$/,
  // bulk-edit.test.ts
  /^\/checks\/bulk\/edit\/$/,
  // incidents.test.ts
  /^\/incidents\/((live|acknowledge)\/)?$/,
  /^\/projects\/add\/$/,
  /^\/checks\/preview\/$/,
  /^\/silences\/preview\/$/,
  // checks-access.test.ts, connect.test.ts and connect-choices.test.ts
  /^\/cloaked\//,
  /^\/integrations\/(callback|invite)\//,
]

test('no route about a project goes without the tests below', () => {
  const walked = new Set(guarded.map(({ method, path }) => `${method} ${path}`))
  const left = routes
    .filter(route => !route.signed && !ELSEWHERE.some(known => known.test(route.path)))
    .map(({ method, path }) => `${method} ${path}`)
    .filter(route => !walked.has(route))
  assert.deepEqual(left, [])
})

for (const { method, path, open } of routes) {
  if (open) continue
  test(`${method} ${path} asks a stranger to sign in`, async () => {
    const url = path.replace(/:\w+\??/g, bob.uuid)
    const stranger = world.stranger()
    const asked = method === 'GET' ? await stranger.get(url) : await stranger.post(url)
    assert.equal(asked.status, 302)
    assert.match(asked.location!, /^\/accounts\/login\//)
  })
}

/** What somebody who only reads may do: go, accept what they are offered, decline it, and test an integration. */
const OPEN_TO_READERS = /\/(leave|transfer\/(accept|cancel)|integrations\/:uuid\/test)\/$/

for (const { method, path, url } of guarded) {
  test(`${method} ${path} is not there for an outsider`, async () => {
    const outsider = method === 'GET' ? await charlie.get(url) : await charlie.post(url)
    assert.equal(outsider.status, 404)
  })

  if (method === 'POST' && !OPEN_TO_READERS.test(path)) {
    test(`POST ${path} is refused to a member who only reads`, async () => {
      const page = await rita.post(url)
      assert.equal(page.status, 403)
      assert.match(page.text, /You may look at this project|Only the project’s owner/)
    })
  }

  if (method === 'POST') {
    test(`POST ${path} needs the token of a form`, async () => {
      assert.equal((await alice.post(url, { csrf: 'wrong' })).status, 403)
    })
  }
}
