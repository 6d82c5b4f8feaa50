import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRecorder } from '../../_support/servers/recorder.js'
import { openWebWorld, type Person } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, rita, charlie, project, store } = world
const list = `/projects/${project.uuid}/integrations/`

/** Adds a webhook through the form and returns its page's path. */
async function addWebhook(fields: Record<string, string> = {}, who: Person = alice): Promise<string> {
  await who.get(`${list}add/webhook/`)
  const { status, location, text } = await who.post(`${list}add/webhook/`, {
    url_down: 'https://hooks.example.org/secret-path',
    method_down: 'POST',
    body_down: '$NAME',
    method_up: 'GET',
    ...fields,
  })
  assert.equal(status, 303, text)
  return location!
}

const settingsOf = async (path: string) => (await store.channels.find(path.split('/')[2]!))!

test('a new integration is made from its form and assigned to every check', async () => {
  const check = await world.addCheck('Backup')
  const path = await addWebhook({ channel_name: 'Status page', headers_down: 'Authorization: Bearer t0p' })
  const { text } = await alice.get(path)
  assert.match(text, /Status page/)
  assert.match(text, /1 of 1/)
  const { settings, name } = await settingsOf(path)
  assert.equal(name, 'Status page')
  assert.equal(settings.headers_down, 'Authorization: Bearer t0p')
  assert.ok((await alice.get(list)).text.includes('Status page'))
  assert.match(text, new RegExp(`value="${check}" name="check" checked`))
})

test('the form of a new integration says for how many checks it alerts, and asks', async () => {
  const { text: asked } = await alice.get(`${list}add/webhook/`)
  assert.match(asked, /<legend>Alert for<\/legend>/)
  assert.match(asked, /All \d+ checks of the project|The only check of the project/)
  assert.match(asked, /value="all"[^>]* checked/)
  const path = await addWebhook({ checks: 'none' })
  const { text } = await alice.get(path)
  assert.match(text, /It alerts for no check yet: choose the checks on this page\./)
  assert.match(text, /0 of \d/)
})

test('the form begins in its first field, also where its fields are under tabs', async () => {
  const { text } = await alice.get(`${list}add/webhook/`)
  assert.deepEqual(
    [...text.matchAll(/<[^>]* name="(\w+)"[^>]* autofocus/g)].map(([, name]) => name),
    ['url_down'],
  )
})

test('a form that is shown again keeps the answer for which checks it alerts', async () => {
  await alice.get(`${list}add/webhook/`)
  const { text } = await alice.post(`${list}add/webhook/`, {
    url_up: 'no body',
    body_up: 'said',
    checks: 'none',
  })
  assert.match(text, /value="none"[^>]* checked/)
})

test('what is wrong stands beside its field, and what was typed stays', async () => {
  await alice.get(`${list}add/webhook/`)
  const { status, text } = await alice.post(`${list}add/webhook/`, {
    url_up: 'no body',
    body_up: 'said',
    channel_name: 'Ops',
  })
  assert.equal(status, 400)
  assert.match(text, /aria-invalid="true"/)
  assert.match(text, /Enter a valid URL\./)
  assert.match(text, />said</)
  assert.match(text, /value="Ops"/)
})

test('the form of a webhook lists what may stand in its fields, also when it is changed', async () => {
  const path = await addWebhook()
  for (const page of [`${list}add/webhook/`, `${path}edit/`]) {
    const { text } = await alice.get(page)
    const folded = /<details class="disclosure"><summary>Placeholders<\/summary>.*?<\/details>/s.exec(
      text,
    )?.[0]
    assert.match(folded ?? '', /<code>\$STATUS<\/code><\/dt><dd><code>down<\/code> or <code>up<\/code>/)
    assert.match(folded ?? '', /\$TAG1/)
  }
  assert.doesNotMatch((await alice.get(`${list}add/ntfy/`)).text, /Placeholders/)
})

test('what most leave as it is stands folded away in the form, once', async () => {
  const { text } = await alice.get(`${list}add/gotify/`)
  const [shown = '', folded = ''] = text.split('<summary>What is sent, and how often</summary>')
  assert.doesNotMatch(shown, /name="hourly_limit"/)
  assert.match(folded, /name="hourly_limit"/)
})

test('two webhooks without a name that lead to one host can be told apart', async () => {
  await addWebhook({ url_down: 'https://one.example/hooks/0123456789abcdef', url_up: '' })
  await addWebhook({ url_down: 'https://one.example/hooks/fedcba9876543210', method_down: 'PUT', url_up: '' })
  const { text } = await alice.get(list)
  assert.match(text, />POST one\.example\/hooks\/0123… \(down\)</)
  assert.match(text, />PUT one\.example\/hooks\/fedc… \(down\)</)
  assert.doesNotMatch(text, /abcdef|fedcba/)
})

test('secrets are shown nowhere, and stay where their field is left empty', async () => {
  const path = await addWebhook({ headers_down: 'X-Token: hunter2' })
  for (const page of [path, `${path}edit/`, list]) {
    const { text } = await alice.get(page)
    assert.ok(!text.includes('hunter2') && !text.includes('secret-path'), page)
  }
  const edited = await alice.post(`${path}edit/`, { channel_name: 'New name', method_down: 'PUT' })
  assert.equal(edited.status, 303, edited.text)
  const kept = await settingsOf(path)
  assert.equal(kept.name, 'New name')
  assert.equal(kept.settings.url_down, 'https://hooks.example.org/secret-path')
  assert.equal(kept.settings.headers_down, 'X-Token: hunter2')
  assert.equal(kept.settings.method_down, 'PUT')
  await alice.post(`${path}edit/`, { method_down: 'PUT', remove_headers_down: 'true' })
  assert.equal((await settingsOf(path)).settings.headers_down, '')
})

const MOVES: [kind: string, secret: string, address: string, fields: Record<string, string>][] = [
  ['ntfy', 'token', 'url', { topic: 'jobs', url: 'https://ntfy.one.example', token: 't0ken-of-ntfy' }],
  ['gotify', 'token', 'url', { url: 'https://gotify.one.example', token: 't0ken-of-gotify' }],
  [
    'zulip',
    'api_key',
    'site',
    {
      site: 'https://zulip.one.example',
      bot_email: 'bot@one.example',
      api_key: 'k3y0fZulip'.padEnd(32, 'x'),
      to: 'ops',
    },
  ],
  [
    'webhook',
    'headers_down',
    'url_down',
    { url_down: 'https://hooks.one.example', headers_down: 'X-Key: k3y-of-hook' },
  ],
]

for (const [kind, secret, address, fields] of MOVES) {
  test(`the stored secret of ${kind} goes to no other address unless it is typed again`, async () => {
    await alice.get(`${list}add/${kind}/`)
    const path = (await alice.post(`${list}add/${kind}/`, fields)).location!
    const kept = { ...fields, [secret]: '' }
    const stored = async () => (await settingsOf(path)).settings
    const elsewhere = 'https://evil.example/'

    const moved = await bob.post(`${path}edit/`, { ...kept, [address]: elsewhere })
    assert.equal(moved.status, 400)
    assert.match(moved.text, /The address has changed: enter this again/)
    assert.ok(!moved.text.includes(fields[secret]!), 'it is not shown')
    assert.equal((await stored())[address], fields[address])

    for (const same of [fields[address]!, `${fields[address]}/`]) {
      assert.equal((await bob.post(`${path}edit/`, { ...kept, [address]: same })).status, 303)
      assert.equal((await stored())[secret], fields[secret])
    }
    assert.equal((await bob.post(`${path}edit/`, { ...fields, [address]: elsewhere })).status, 303)
    assert.equal((await stored())[address], elsewhere)
  })
}

test('another direction of a webhook may get an address while the secrets of the first stay', async () => {
  const path = await addWebhook({ headers_down: 'X-Key: k3y-of-hook' })
  const edit = { method_down: 'POST', url_up: 'https://up.example/' }
  assert.equal((await alice.post(`${path}edit/`, edit)).status, 303)
  assert.equal((await settingsOf(path)).settings.headers_down, 'X-Key: k3y-of-hook')
  const moved = await alice.post(`${path}edit/`, {
    url_down: 'https://evil.example/',
    remove_headers_down: 'true',
  })
  assert.equal(moved.status, 303, 'what is removed goes nowhere')
})

test('a test notification arrives, and its outcome is told and kept', async t => {
  const recorder = await openRecorder(t)
  const path = await addWebhook({ url_down: `${recorder.url}/hook` })
  const { location } = await alice.post(`${path}test/`)
  const { text } = await alice.get(location!)
  assert.match(text, /The test was delivered/)
  assert.equal(recorder.requests.at(-1)?.body, 'TEST')
  assert.match(text, /delivered/)
})

test('a test that fails says why', async () => {
  const path = await addWebhook({ url_down: `${world.root}/nothing-here` })
  const { location } = await alice.post(`${path}test/`)
  const { text } = await alice.get(location!)
  assert.match(text, /not delivered: Received status code 404/)
  assert.match((await alice.get(list)).text, /Received status code 404/)
})

test('those who only read may send a test', async () => {
  const path = await addWebhook({ url_down: `${world.root}/accounts/login/`, method_down: 'GET' })
  await rita.get(path)
  assert.equal((await rita.post(`${path}test/`)).status, 303)
})

test('an integration tells of the checks that are ticked, and of no others', async () => {
  const [one, two] = [await world.addCheck('One'), await world.addCheck('Two')]
  const path = await addWebhook()
  await alice.post(`${path}checks/`, { check: [two, 'not-a-uuid'] })
  const assigned = await store.channels.assignableChecks(project.id, (await settingsOf(path)).id)
  assert.deepEqual(
    assigned.filter(check => check.assigned).map(check => check.uuid),
    [two],
  )
  assert.ok(assigned.some(check => check.uuid === one))
})

test('a check without a name is listed by its slug, and by none if it has neither', async () => {
  for (const slug of ['only-a-slug', ''])
    await store.checks.create(project.id, {
      changes: { name: '', slug },
      unique: null,
      now: world.clock.now(),
    })
  const { text } = await alice.get(await addWebhook())
  assert.match(text, /<input[^>]*name="check"[^>]*\/>\s*(<span>)?only-a-slug/)
  assert.match(text, /Unnamed check/)
})

test('a check of another project cannot be assigned', async () => {
  const foreign = await world.addCheck('Charlie’s', world.charlies.id)
  const path = await addWebhook()
  await alice.post(`${path}checks/`, { check: foreign })
  const assigned = await store.channels.assignableChecks(world.charlies.id, (await settingsOf(path)).id)
  assert.deepEqual(
    assigned.filter(check => check.assigned),
    [],
  )
})

test('an integration is disabled, enabled and deleted', async () => {
  const path = await addWebhook()
  await alice.post(`${path}enabled/`, { enabled: 'false' })
  assert.equal((await settingsOf(path)).disabled, true)
  assert.match((await alice.get(path)).text, /Disabled/)
  await alice.post(`${path}enabled/`, { enabled: 'true' })
  assert.equal((await settingsOf(path)).disabled, false)
  assert.equal((await alice.post(`${path}remove/`)).location, list)
  assert.equal((await alice.get(path)).status, 404)
})

test('a group is made of other integrations and tells each of them', async t => {
  const recorder = await openRecorder(t)
  const member = await addWebhook({ url_down: `${recorder.url}/member`, channel_name: 'Member' })
  await alice.get(`${list}add/group/`)
  const uuid = member.split('/')[2]!
  const { location } = await alice.post(`${list}add/group/`, { members: uuid, channel_name: 'On-call' })
  assert.match((await alice.get(location!)).text, /Member/)
  await alice.post(`${location}test/`)
  assert.equal(recorder.requests.at(-1)?.url, '/member')
})

test('an outsider finds nothing, and a read-only member changes nothing', async () => {
  const path = await addWebhook()
  const reads = [list, path]
  const writes = [`${list}add/webhook/`, `${path}edit/`]
  const posts = [...writes, `${path}enabled/`, `${path}checks/`, `${path}remove/`]
  for (const page of [...reads, ...writes]) assert.equal((await charlie.get(page)).status, 404, page)
  for (const page of [...posts, `${path}test/`]) {
    assert.equal((await charlie.post(page)).status, 404, page)
  }
  for (const page of reads) assert.equal((await rita.get(page)).status, 200, page)
  for (const page of writes) assert.equal((await rita.get(page)).status, 403, page)
  for (const page of posts) assert.equal((await rita.post(page)).status, 403, page)
  assert.equal((await bob.get(`${path}edit/`)).status, 200)
  assert.equal((await world.stranger().get(list)).status, 302)
  assert.ok(await settingsOf(path))
})

test('an unknown kind is not found', async () => {
  assert.equal((await alice.get(`${list}add/telepathy/`)).status, 404)
})
