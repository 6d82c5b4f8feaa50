import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiKey } from '../../../src/actions/projects/create-api-key.js'
import type { Person } from '../../_support/worlds/web-world.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld({
  delivery: {
    operator: { SHELL_ENABLED: 'true', SHELL_COMMANDS: '# allowed\nlogger down $NAME\n\nexit 0\n' },
  },
})
const { alice, mike, bob, rita, charlie, project, store, stranger } = world
const adding = `/projects/${project.uuid}/integrations/add/shell/`

const others: [string, Person, number][] = [
  ['a manager', mike, 403],
  ['a member', bob, 403],
  ['a reader', rita, 403],
  ['an outsider', charlie, 404],
]

const channels = async () => (await store.channels.list(project.id)).filter(({ kind }) => kind === 'shell')

async function addedByOwner(): Promise<string> {
  const { location } = await alice.post(adding, { channel_name: 'Script', cmd_down: 'exit 0' })
  return /integrations\/([0-9a-f-]{36})\//.exec(location ?? '')![1]!
}

for (const [who, person, status] of others) {
  test(`${who} can neither add a shell channel nor see the form for it`, async () => {
    const before = await channels()
    assert.equal((await person.get(adding)).status, status)
    assert.equal((await person.post(adding, { cmd_down: 'exit 0' })).status, status)
    assert.deepEqual(await channels(), before)
    const gallery = await person.get(`/projects/${project.uuid}/integrations/add/`)
    assert.ok(!gallery.text.includes(adding))
  })

  test(`${who} cannot change, disable, enable or delete a shell channel`, async () => {
    const uuid = await addedByOwner()
    const before = await store.channels.find(uuid)
    const tries = [
      await person.get(`/integrations/${uuid}/edit/`),
      await person.post(`/integrations/${uuid}/edit/`, { channel_name: '', cmd_down: 'logger down $NAME' }),
      await person.post(`/integrations/${uuid}/enabled/`, { enabled: 'false' }),
      await person.post(`/integrations/${uuid}/remove/`),
    ]
    assert.deepEqual(
      tries.map(page => page.status),
      [status, status, status, status],
    )
    assert.deepEqual(await store.channels.find(uuid), before)
    const page = await person.get(`/integrations/${uuid}/`)
    assert.ok(!page.text.includes('Delete permanently') && !page.text.includes(`${uuid}/edit/`))
  })
}

test('the owner of a project adds, changes, disables and deletes a shell channel', async () => {
  const gallery = await alice.get(`/projects/${project.uuid}/integrations/add/`)
  assert.ok(gallery.text.includes(adding))
  const uuid = await addedByOwner()
  const cmd_down = 'logger down $NAME'
  await alice.post(`/integrations/${uuid}/edit/`, { channel_name: 'Logger', cmd_down, cmd_up: 'exit 0' })
  await alice.post(`/integrations/${uuid}/enabled/`, { enabled: 'false' })
  const { name, settings, disabled } = (await store.channels.find(uuid))!
  assert.deepEqual(
    { name, settings, disabled },
    { name: 'Logger', settings: { cmd_down, cmd_up: 'exit 0' }, disabled: true },
  )
  await alice.post(`/integrations/${uuid}/remove/`)
  assert.equal(await store.channels.find(uuid), null)
})

test('a command that the operator has not listed is not stored', async () => {
  const uuid = await addedByOwner()
  for (const cmd_down of ['exit 1', 'exit 0; exit 1', '# allowed']) {
    const page = await alice.post(adding, { cmd_down })
    assert.equal(page.status, 400)
    assert.ok(page.text.includes('The operator allows only: logger down $NAME; exit 0'))
    assert.equal((await alice.post(`/integrations/${uuid}/edit/`, { cmd_down })).status, 400)
  }
  assert.equal((await store.channels.find(uuid))!.settings.cmd_down, 'exit 0')
})

test('a stranger is sent to sign in and adds no shell channel', async () => {
  const before = await channels()
  assert.match((await stranger().post(adding, { cmd_down: 'exit 0' })).location!, /accounts\/login/)
  assert.deepEqual(await channels(), before)
})

test('no API key makes or changes a shell channel', async () => {
  const uuid = await addedByOwner()
  const key = await createApiKey(store, world.clock, { projectId: project.id, kind: 'rw', by: null })
  const body = { kind: 'shell', cmd_down: 'exit 0' }
  for (const version of ['v1', 'v2', 'v3']) {
    for (const path of [`/api/${version}/channels/`, `/api/${version}/channels/${uuid}`]) {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const { status } = await world.send(method, path, { key, body })
        assert.ok(status === 404 || status === 405, `${method} ${path}: ${status}`)
      }
    }
  }
  assert.equal((await store.channels.find(uuid))!.settings.cmd_down, 'exit 0')
})
