/** Who may do what, for every page and action of checks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pingCheck } from '../../_support/ping-check.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, project } = world
const uuid = await world.addCheck('Guarded')
await pingCheck(world, uuid, 'success', { body: new TextEncoder().encode('secret output') })
const channel = await store.channels.create({
  projectId: project.id,
  name: 'x',
  kind: 'webhook',
  settings: {},
  members: [],
  now: 1,
})

const pages = [
  `/projects/${project.uuid}/checks/`,
  `/checks/${uuid}/details/`,
  `/checks/${uuid}/pings/1/`,
  `/checks/${uuid}/pings/1/body/`,
]

const cloaked = `/cloaked/${(await store.checks.facts(project.id, uuid, world.clock.now())).check.uniqueKey}/`

const streams = [
  cloaked,
  `/checks/${uuid}/log/`,
  `/projects/${project.uuid}/checks/live/`,
  `/checks/${uuid}/live/`,
]

const forms = [
  `/projects/${project.uuid}/checks/add/`,
  `/checks/${uuid}/edit/`,
  `/checks/${uuid}/transfer/`,
  `/checks/${uuid}/clear_events/`,
  `/checks/${uuid}/remove/`,
]

const actions = [
  ...forms,
  `/projects/${project.uuid}/checks/bulk/`,
  `/projects/${project.uuid}/checks/bulk/edit/`,
  `/checks/${uuid}/pause/`,
  `/checks/${uuid}/resume/`,
  `/checks/${uuid}/copy/`,
  `/checks/${uuid}/channels/${channel.uuid}/enabled`,
]

/** All that could have been changed. */
async function everything() {
  const [list, facts] = [
    await store.checks.list(
      [project],
      { search: '', states: [], tags: [], sort: 'created', group: null, folded: [], page: 1, pageSize: 100 },
      world.clock.now(),
    ),
    await store.checks.facts(project.id, uuid, world.clock.now()),
  ]
  return JSON.stringify([list, facts])
}

for (const path of [...pages, ...streams, ...forms]) {
  const name = path.replaceAll(/[0-9a-f-]{36}/g, '…')
  test(`GET ${name} is not there for an outsider, and asks a stranger to sign in`, async () => {
    assert.equal((await world.charlie.get(path)).status, 404)
    const { status, location } = await world.stranger().get(path)
    assert.equal(status, 302)
    assert.match(location!, /^\/accounts\/login\//)
  })
}

for (const path of pages) {
  const name = path.replaceAll(/[0-9a-f-]{36}/g, '…')
  test(`GET ${name} is for every member`, async () => {
    for (const member of [world.alice, world.mike, world.bob, world.rita]) {
      assert.equal((await member.get(path)).status, 200)
    }
  })
}

for (const path of forms) {
  const name = path.replaceAll(/[0-9a-f-]{36}/g, '…')
  test(`GET ${name} is for members who may change things`, async () => {
    assert.equal((await world.rita.get(path)).status, 403)
    assert.equal((await world.bob.get(path)).status, 200)
  })
}

for (const path of actions) {
  const name = path.replaceAll(/[0-9a-f-]{36}/g, '…')
  test(`POST ${name} changes nothing for outsiders, readers, strangers and without a token`, async () => {
    const before = await everything()
    const fields = {
      check: uuid,
      action: 'delete',
      sure: '1',
      state: 'off',
      name: 'stolen',
      kind: 'simple',
      period: '1 day',
      grace: '1 hour',
      project: project.uuid,
    }
    assert.equal((await world.charlie.post(path, fields)).status, 404)
    assert.equal((await world.rita.post(path, fields)).status, 403)
    assert.equal((await world.stranger().post(path, fields)).status, 302)
    assert.equal((await world.bob.post(path, { ...fields, csrf: 'wrong' })).status, 403)
    assert.equal(await everything(), before)
  })
}

test('a reader sees no button that changes something, and no ping key', async () => {
  for (const path of pages.slice(0, 2)) {
    const { text } = await world.rita.get(path)
    const forms = text.replace(/<header class="masthead">.*?<\/header>/s, '')
    assert.doesNotMatch(forms, /formaction=|method="post" action="\/checks/)
    assert.ok(!text.includes(project.pingKey!))
  }
})

test('the address in a message leads members to the check', async () => {
  assert.equal((await world.rita.get(cloaked)).location, `/checks/${uuid}/details/`)
  assert.equal((await world.rita.get(`/cloaked/${'0'.repeat(40)}/`)).status, 404)
})

test('addresses that name nothing are not found', async () => {
  for (const path of [
    '/checks/nonsense/details/',
    `/checks/${project.uuid}/details/`,
    `/checks/${uuid}/pings/x/`,
  ]) {
    assert.equal((await world.alice.get(path)).status, 404)
  }
})
