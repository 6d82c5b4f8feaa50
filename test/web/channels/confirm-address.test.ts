import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { createMailer } from '../../../src/lib/mail/mailer.js'
import { openMailServer } from '../../_support/servers/mail-server.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const post = await openMailServer({ after } as TestContext)
const world = await openWebWorld({ mailer: createMailer(post.options) })
const { alice, bob, mike, project, store } = world

/** Adds an e-mail channel through the page and returns its UUID. */
async function add(address: string, person = alice): Promise<string> {
  const page = await person.post(`/projects/${project.uuid}/integrations/add/email/`, {
    channel_name: '',
    value: address,
    down: 'true',
    up: 'true',
  })
  assert.equal(page.status, 303, page.text)
  return /\/integrations\/([0-9a-f-]{36})\//.exec(page.location!)![1]!
}

const isConfirmed = async (uuid: string) => (await store.channels.find(uuid))!.confirmed
const lastLink = () =>
  /http:\/\/localhost:8000(\/integrations\/\S+\/verify\/\S+)/.exec(post.mails.at(-1)!.text)![1]!

test('one’s own address needs no confirmation, whatever its capitals', async () => {
  const before = post.mails.length
  assert.equal(await isConfirmed(await add('Alice@Example.org')), true)
  assert.equal(post.mails.length, before)
})

test('an address with a Kelvin sign for a k is another one', async () => {
  assert.equal(await isConfirmed(await add('MIKE@example.org', mike)), true)
  assert.equal(await isConfirmed(await add('mi\u212ae@example.org', mike)), false)
})

test('another address is told nothing until its owner confirms by the link that only they have', async () => {
  const uuid = await add('ops@example.net')
  assert.equal(await isConfirmed(uuid), false)
  const mail = post.mails.at(-1)!
  assert.deepEqual(mail.envelope.to, ['ops@example.net'])
  assert.match(mail.text, /alice@example\.org wants to have alerts/)
  const page = await alice.get(`/integrations/${uuid}/`)
  assert.match(page.text, /E-mail not verified/)
  assert.ok(!page.text.includes(lastLink()))
  await alice.post(`/integrations/${uuid}/test/`)
  assert.equal((await store.channels.find(uuid))!.lastError, 'Email not verified')
  assert.equal(post.mails.at(-1), mail)
  const owner = world.stranger()
  assert.match((await owner.get(lastLink())).text, /Confirm your address[\s\S]*<button[^>]*>Confirm</)
  assert.equal(await isConfirmed(uuid), false, 'a program that opens links confirms nothing')
  assert.match((await owner.post(lastLink())).text, /Address confirmed/)
  assert.equal(await isConfirmed(uuid), true)
  assert.match((await alice.get(`/integrations/${uuid}/`)).text, /Not used yet/)
})

test('a link with a changed signature, or of another channel, confirms nothing', async () => {
  const one = await add('one@example.net')
  const link = lastLink()
  const two = await add('two@example.net')
  for (const wrong of [
    link.replace(one, two),
    link.replace(/[^/](?=[^/]*\/$)/, first => (first === 'A' ? 'B' : 'A')),
    link.replace(/[^/]+\/$/, 'x/'),
  ]) {
    assert.match((await world.stranger().get(wrong)).text, /Incorrect link/)
    assert.match((await world.stranger().post(wrong)).text, /Incorrect link/)
  }
  assert.equal(await isConfirmed(one), false)
  assert.equal(await isConfirmed(two), false)
})

test('a changed address has to be confirmed again, and the old link is good for nothing; other changes keep it', async () => {
  const uuid = await add('before@example.net')
  const old = lastLink()
  await world.stranger().post(old)
  const change = (value: string) =>
    alice.post(`/integrations/${uuid}/edit/`, { channel_name: 'Ops', value, down: 'true' })
  await change('before@example.net')
  assert.equal(await isConfirmed(uuid), true)
  await change('after@example.net')
  assert.equal(await isConfirmed(uuid), false)
  await world.stranger().post(old)
  assert.equal(await isConfirmed(uuid), false)
  assert.deepEqual(post.mails.at(-1)!.envelope.to, ['after@example.net'])
})

test('the link can be sent again, by those who may change the integration', async () => {
  const uuid = await add('again@example.net')
  const before = post.mails.length
  await bob.post(`/integrations/${uuid}/verify/`)
  assert.equal(post.mails.length, before + 1)
  assert.equal((await world.rita.post(`/integrations/${uuid}/verify/`)).status, 403)
})

test('nobody can have a stranger’s mailbox filled with such messages', async () => {
  const uuid = await add('flooded@example.net')
  for (let count = 0; count < 12; count++) await bob.post(`/integrations/${uuid}/verify/`)
  const sent = post.mails.filter(mail => mail.envelope.to[0] === 'flooded@example.net').length
  assert.equal(sent, 10)
  assert.match((await bob.get(`/integrations/${uuid}/`)).text, /too many attempts/)
})

test('nor by other capitals of its address', async () => {
  const before = post.mails.length
  for (let n = 0; n < 12; n++) await add(`${'x'.repeat(n)}${'X'.repeat(12 - n)}@example.net`)
  assert.equal(post.mails.length - before, 10)
})

test('where the operator asks for no confirmation there is none', async () => {
  const other = await openWebWorld({
    mailer: createMailer(post.options),
    app: { EMAIL_USE_VERIFICATION: false },
  })
  const page = await other.alice.post(`/projects/${other.project.uuid}/integrations/add/email/`, {
    channel_name: '',
    value: 'ops@example.net',
    down: 'true',
  })
  const uuid = /\/integrations\/([0-9a-f-]{36})\//.exec(page.location!)![1]!
  assert.equal((await other.store.channels.find(uuid))!.confirmed, true)
})
