/** Channels in Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeAttempt } from '../../src/core/alerts/delivery/drop-notes.js'
import { NATIVE_PREFIX } from '../../src/http/native/native-routes.js'
import { claimMessages, settleMessage } from '../_support/claim.js'
import { OPERATOR } from '../_support/native/owned-project.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const sent: { to: string; text: string }[] = []
const mailer = { send: async (mail: { to: string; text: string }) => void sent.push(mail) }
const GITHUB = {
  GITHUB_CLIENT_ID: 'id',
  GITHUB_CLIENT_SECRET: 'secret',
  GITHUB_PRIVATE_KEY: 'key',
  GITHUB_PUBLIC_LINK: 'https://github.example/app',
}
const operator = { ...OPERATOR, ...GITHUB, SHELL_ENABLED: 'true', SIGNAL_CLI_SOCKET: '/nowhere' }
const world = await openWebWorld({ app: { EMAIL_USE_VERIFICATION: true }, mailer, delivery: { operator } })
const { alice, bob, charlie, project, charlies } = world
const IN = `?project=${project.uuid}`
const [ofAlice, ofBob, ofCharlie] = await Promise.all(
  [alice, bob, charlie].map(({ id: userId }) => world.token({ userId })),
)
const check = await world.addCheck('Backup')

async function call(method: string, path: string, body?: unknown, key = ofAlice!.token, query = IN) {
  const url = NATIVE_PREFIX + path + query
  return await world.send(method, url, { key, ...(body === undefined ? {} : { body }) })
}

const WEBHOOK = {
  kind: 'webhook',
  name: 'Hook',
  settings: { url_down: 'https://example.org/a?token=s3cret' },
}

test('a channel is created, assigned to every check, changed, disabled and deleted', async () => {
  const made = await call('POST', '/channels', WEBHOOK)
  assert.equal(made.status, 201, made.text)
  const path = `/channels/${made.json.uuid}`
  assert.deepEqual((await call('GET', `${path}/checks`)).json, { checks: [check] })
  assert.deepEqual((await call('PUT', `${path}/checks`, { checks: [] })).json, { checks: [] })
  const changed = await call('PATCH', path, { name: 'Other', enabled: false })
  assert.deepEqual([changed.json.name, changed.json.enabled], ['Other', false])
  const stored = await world.store.channels.find(made.json.uuid)
  assert.equal(stored?.settings.url_down, WEBHOOK.settings.url_down, 'what was not sent stays')
  const { items } = (await call('GET', '/channels')).json
  assert.ok(items.some(({ uuid }: { uuid: string }) => uuid === made.json.uuid))
  assert.equal((await call('DELETE', path)).status, 200)
  assert.equal((await call('GET', path)).status, 404)
})

test('a channel is assigned to no checks at all if one of them is not in the project', async () => {
  const foreign = await world.addCheck('Hers', charlies.id)
  const path = `/channels/${(await call('POST', '/channels', WEBHOOK)).json.uuid}/checks`
  const missing = [foreign, '00000000-0000-4000-8000-000000000000']
  const { status, json } = await call('PUT', path, { checks: [missing[0], check, missing[1]] })
  const detail = `no such checks in the project: ${missing.join(', ')}`
  assert.deepEqual([status, json.errors], [422, [{ detail, pointer: '/checks' }]])
  assert.deepEqual((await call('GET', path)).json, { checks: [check] })
  const many = Array.from({ length: 12 }, (_, n) => `00000000-0000-4000-8000-0000000000${n + 10}`)
  assert.match((await call('PUT', path, { checks: many })).text, /0019 and 2 more/)
})

test('secrets of a channel are masked, and kept when others are changed', async () => {
  const settings = { url: 'https://gotify.example.org', token: 'very-secret' }
  const made = await call('POST', '/channels', { kind: 'gotify', settings })
  assert.equal(made.status, 201, made.text)
  assert.ok(!made.text.includes('very-secret'))
  const path = `/channels/${made.json.uuid}`
  const renamed = await call('PATCH', path, { name: 'Phone' })
  assert.equal(renamed.status, 200, renamed.text)
  assert.ok(!(await call('GET', path)).text.includes('very-secret'))
  assert.equal((await world.store.channels.find(made.json.uuid))?.settings.token, 'very-secret')
  const moved = await call('PATCH', path, { settings: { url: 'https://elsewhere.example.org' } })
  assert.equal(moved.status, 422, 'a secret does not go to another address')
})

test('wrong kinds and settings are answered with their place', async () => {
  for (const [body, pointer] of [
    [{ kind: 'pigeon' }, '/kind'],
    [{ kind: 'webhook', settings: { url_down: 'ftp://example.org' } }, '/settings/url_down'],
    [{ kind: 'webhook', settings: { colour: 'red' } }, '/settings/colour'],
  ] as const) {
    const { status, json, text } = await call('POST', '/channels', body)
    assert.deepEqual([status, json.errors?.[0].pointer], [422, pointer], text)
  }
})

test('a kind that needs the consent of a person is finished on a page', async () => {
  const { status, json } = await call('POST', '/channels', { kind: 'telegram' })
  assert.equal(status, 202)
  const page = json.setup_url.slice(world.config.SITE_ROOT.length)
  assert.equal((await alice.get(page)).status, 200)
  const { kinds } = (await call('GET', '/channel-kinds')).json
  const telegram = kinds.find(({ kind }: { kind: string }) => kind === 'telegram')
  assert.deepEqual([telegram.available, telegram.by_api], [true, false])
})

test('the owner of an e-mail address is asked before anything goes there', async () => {
  const own = await call('POST', '/channels', { kind: 'email', settings: { value: alice.email } })
  assert.equal(own.json.confirmed, true)
  const other = await call('POST', '/channels', { kind: 'email', settings: { value: 'zoe@example.org' } })
  assert.deepEqual([other.status, other.json.confirmed], [201, false])
  assert.ok(sent.some(mail => mail.to === 'zoe@example.org' && mail.text.includes('/verify/')))
  const { results } = (await call('POST', `/channels/${other.json.uuid}/test`, {})).json
  assert.notEqual(results[0].error, '')
})

test('a token of a project has no address of its own, because it outlives the membership of who made it', async () => {
  const body = { name: 'CI', scopes: ['channels:write'], expires_at: null }
  const { token } = (await call('POST', '/tokens', body, ofBob!.token)).json
  const toBob = { kind: 'email', settings: { value: bob.email } }
  const byHim = await call('POST', '/channels', toBob, ofBob!.token)
  assert.deepEqual([byHim.status, byHim.json.confirmed], [201, true], byHim.text)
  const byToken = await call('POST', '/channels', toBob, token)
  assert.deepEqual([byToken.status, byToken.json.confirmed], [201, false], byToken.text)
  assert.ok(sent.some(mail => mail.to === bob.email && mail.text.includes('/verify/')))
  assert.equal((await call('POST', '/channels:test', toBob, token)).status, 422)
  const elsewhere = { kind: 'email', settings: { value: 'mallory@example.org' } }
  assert.equal((await call('POST', '/channels', elsewhere, token)).json.confirmed, false)
  const mail = sent.find(({ to }) => to === 'mallory@example.org')
  assert.ok(mail && !mail.text.includes(bob.email))
})

test('kinds that only owners may set are refused to members', async () => {
  const body = { kind: 'shell', settings: { cmd_down: 'true' } }
  const byBob = await call('POST', '/channels', body, ofBob!.token)
  const byAlice = await call('POST', '/channels', body)
  assert.deepEqual([byBob.status, byAlice.status], [403, 201], byAlice.text)
  const path = `/channels/${byAlice.json.uuid}`
  for (const [method, sentBody] of [
    ['PATCH', { enabled: false }],
    ['DELETE', undefined],
  ] as const) {
    assert.equal((await call(method, path, sentBody, ofBob!.token)).status, 403)
  }
})

test('tests are limited and listed among the notifications', async () => {
  const settings = { url_down: 'http://127.0.0.1:1/' }
  const { uuid } = (await call('POST', '/channels', { kind: 'webhook', settings })).json
  const replies = []
  for (let count = 0; count < 21; count++) replies.push(await call('POST', `/channels/${uuid}/test`, {}))
  assert.deepEqual(
    replies.map(({ status }) => status),
    [...Array(20).fill(200), 429],
  )
  const { notifications } = (await call('GET', `/channels/${uuid}/notifications`)).json
  assert.ok(notifications.length > 0)
  assert.ok(
    notifications.every(({ test: isTest, check: of }: { test: boolean; check: null }) => isTest && !of),
  )
})

test('tests by tokens that a person makes count as the person’s own', async () => {
  const settings = { url_down: 'http://127.0.0.1:1/' }
  const { uuid } = (await call('POST', '/channels', { kind: 'webhook', settings })).json
  const scopes = ['channels:write', 'config:write']
  const tokenBy = async (key: string, query: string) => {
    const body = { name: 'Made', scopes, expires_at: null }
    return (await call('POST', '/tokens', body, key, query)).json.token as string
  }
  const made = await tokenBy(ofAlice!.token, IN)
  const next = await tokenBy(made, '')
  const statuses: number[] = []
  for (let count = 0; count < 20; count++) {
    statuses.push((await call('POST', `/channels/${uuid}/test`, {})).status)
  }
  for (const key of [made, next]) {
    statuses.push((await call('POST', `/channels/${uuid}/test`, {}, key, '')).status)
  }
  assert.deepEqual(statuses, [...Array(20).fill(200), 429, 429])
})

test('the owner of an address is asked again until the address is confirmed', async () => {
  const email = async (value: string) =>
    (await call('POST', '/channels', { kind: 'email', settings: { value } })).json
  const { uuid } = await email('yves@example.org')
  const path = `/channels/${uuid}/confirmation`
  const asked = () => sent.filter(({ to }) => to === 'yves@example.org').length
  assert.equal((await call('POST', path, {})).status, 200)
  assert.equal(asked(), 2)
  await world.store.channels.confirm({ ...(await world.store.channels.find(uuid))!, now: world.clock.now() })
  assert.equal((await call('POST', path, {})).status, 409)
  assert.equal(
    (await call('POST', `/channels/${(await email(alice.email)).uuid}/confirmation`, {})).status,
    409,
  )
  const hook = (await call('POST', '/channels', WEBHOOK)).json
  assert.equal((await call('POST', `/channels/${hook.uuid}/confirmation`, {})).status, 409)
  assert.equal(asked(), 2)
})

test('a channel is tested before it is created, and nothing is stored', async () => {
  const before = (await call('GET', '/channels')).text
  const settings = { url_down: 'http://127.0.0.1:1/' }
  const tried = await call('POST', '/channels:test', { kind: 'webhook', settings })
  assert.equal(tried.status, 200, tried.text)
  assert.equal(tried.json.status, 'down')
  assert.notEqual(tried.json.error, '')
  const wrong = await call('POST', '/channels:test', {
    kind: 'webhook',
    settings: { url_down: 'ftp://example.org' },
  })
  assert.deepEqual([wrong.status, wrong.json.errors?.[0].pointer], [422, '/settings/url_down'], wrong.text)
  const unproven = { kind: 'email', settings: { value: 'stranger@example.org' } }
  assert.equal((await call('POST', '/channels:test', unproven)).status, 422)
  const shell = { kind: 'shell', settings: { cmd_down: 'true' } }
  assert.equal((await call('POST', '/channels:test', shell, ofBob!.token)).status, 403)
  assert.equal((await call('POST', '/channels:test', { kind: 'slack' })).status, 422)
  for (const toOthers of [
    { kind: 'signal', settings: { value: '+491700000009' } },
    { kind: 'github', settings: { installation_id: '1', repo: 'someone/else' } },
  ]) {
    const refused = await call('POST', '/channels:test', toOthers)
    assert.equal(refused.status, 422, refused.text)
    assert.match(refused.text, /once it is added/)
  }
  assert.equal((await call('GET', '/channels')).text, before)
  assert.ok(!sent.some(({ to }) => to === 'stranger@example.org'))
  for (let count = 1; count < 20; count++) await call('POST', '/channels:test', { kind: 'webhook', settings })
  assert.equal((await call('POST', '/channels:test', { kind: 'webhook', settings })).status, 429)
})

test('a notification that was dropped counts as no attempt', async () => {
  const { id: projectId, uuid: projectUuid } = await world.projectOf(alice, 'Dropped')
  const uuid = await world.addCheck('Dropped', projectId)
  const query = `?project=${projectUuid}`
  const hook = (await call('POST', '/channels', WEBHOOK, ofAlice!.token, query)).json.uuid
  const { store, clock } = world
  const settle = async (outcome: Parameters<typeof settleMessage>[3]) => {
    for (const message of await claimMessages(store, clock.now()))
      await settleMessage(store, message, clock.now(), outcome)
  }
  await world.send('GET', `/ping/${uuid}/fail`)
  for (let n = 0; n < 2; n++) {
    await settle({ type: 'retry', error: 'no answer', retryAt: clock.now() + 60_000 })
    clock.advance(60)
  }
  clock.advance(180)
  await world.send('GET', `/ping/${uuid}`)
  await settle('sent')
  const path = `/channels/${hook}/notifications`
  const { notifications } = (await call('GET', path, undefined, ofAlice!.token, query)).json
  assert.deepEqual(
    notifications
      .map(({ attempt, error }: { attempt: number | null; error: string }) => [attempt, error])
      .filter(([, error]: [unknown, string]) => error !== ''),
    [
      [null, 'Superseded by a newer status change'],
      [2, 'no answer'],
      [1, 'no answer'],
    ],
  )
})

test('a row that says why a message was dropped records no attempt', async () => {
  assert.equal(madeAttempt({ attempt: 3, error: 'Given up after a day' }), null)
  assert.equal(madeAttempt({ attempt: 3, error: 'no answer' }), 3)
  assert.equal(madeAttempt({ attempt: 1, error: '' }), 1)
})

test('a channel of another project does not exist', async () => {
  const { uuid } = (await call('POST', '/channels', WEBHOOK)).json
  const theirs = `?project=${charlies.uuid}`
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'Mine' }],
    ['DELETE', '', undefined],
    ['PUT', '/checks', { checks: [] }],
    ['POST', '/test', {}],
    ['POST', '/confirmation', {}],
    ['GET', '/notifications', undefined],
  ] as const) {
    const reply = await call(method, `/channels/${uuid}${path}`, body, ofCharlie!.token, theirs)
    assert.equal(reply.status, 404, `${method} ${path}`)
  }
})
