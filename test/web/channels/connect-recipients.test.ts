/** Conversations with whoever is to be told: by a bot, or with a code; recorders stand for the services. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { openRpcServer, type RpcCall } from '../../_support/servers/rpc-server.js'
import { openConnectWorld } from '../../_support/worlds/connect-world.js'
import type { Person } from '../../_support/worlds/web-world.js'

let reply: (call: RpcCall) => object = () => ({ result: {} })
const signalCli = await openRpcServer({ after }, call => reply(call))
const world = await openConnectWorld(['https://api.telegram.org'], {
  TELEGRAM_TOKEN: '1:telegram-token',
  TELEGRAM_BOT_NAME: 'ExampleBot',
  TELEGRAM_WEBHOOK_SECRET: 'hook-secret',
  SIGNAL_CLI_SOCKET: signalCli.address,
})
const { alice, rita, bob, charlie, project, charlies, clock, config, services, add, newest } = world

beforeEach(() => {
  services.requests.length = 0
  signalCli.calls.length = 0
  reply = () => ({ result: {} })
})

// Telegram: somebody writes to the bot

const HOOK = '/integrations/hook/telegram/'
const chat = { id: -100123, type: 'supergroup', title: 'Ops <b>' }

/** Telegram calls, with the right secret unless another is given. */
async function tell(update: object, secret = 'hook-secret') {
  return await world.send('POST', HOOK, {
    headers: { 'Content-Type': 'application/json', 'X-Telegram-Bot-Api-Secret-Token': secret },
    body: update,
  })
}

const start = (text = '/start', more: object = {}) => ({ update_id: 1, message: { chat, text, ...more } })

/** The link that the bot answered with last, as a path. */
function linkSent(): string {
  const { text } = JSON.parse(services.requests.at(-1)!.body)
  const url = /https?:\S+/.exec(text)![0]
  assert.ok(url.startsWith(`${config.SITE_ROOT}/integrations/invite/`))
  return url.slice(config.SITE_ROOT.length)
}

test('Telegram: the bot answers /start with a link, behind which a project is chosen', async () => {
  services.answers['POST api.telegram.org/bot1:telegram-token/sendMessage'] = { ok: true, result: {} }
  assert.match((await alice.get(add('telegram'))).text, /href="https:\/\/t\.me\/ExampleBot"/)
  const update = start('/start@examplebot', { message_thread_id: 5, is_topic_message: true })
  assert.equal((await tell(update)).status, 200)
  const answer = JSON.parse(services.requests[0]!.body)
  assert.equal(answer.chat_id, -100123)
  assert.equal(answer.message_thread_id, 5)
  const link = linkSent()
  assert.equal((await world.stranger().get(link)).status, 302)
  const page = await alice.get(link)
  assert.match(page.text, /Ops &lt;b&gt;/)
  assert.match(page.text, new RegExp(`<option value="${project.uuid}">`))
  assert.ok(!page.text.includes(charlies.uuid))
  assert.equal((await alice.post(link, { project: project.uuid })).status, 303)
  assert.deepEqual((await newest('telegram'))?.settings, {
    chat_id: '-100123',
    thread_id: '5',
    chat_type: 'supergroup',
    chat_name: 'Ops <b>',
  })
})

test('Telegram: a project is for those who may change it', async () => {
  await tell(start())
  const link = linkSent()
  assert.equal((await charlie.post(link, { project: project.uuid })).status, 404)
  assert.match((await rita.get(link)).text, /You have no project that you may change/)
  assert.equal((await rita.post(link, { project: project.uuid })).status, 403)
  assert.equal((await alice.post(link, { project: project.uuid, csrf: 'wrong' })).status, 403)
})

test('Telegram: a link lasts ten minutes, and one that was changed is none', async () => {
  await tell(start())
  const link = linkSent()
  clock.advance(599)
  assert.equal((await alice.get(link)).status, 200)
  const changed = `${link.slice(0, 60)}${link[60] === 'A' ? 'B' : 'A'}${link.slice(61)}`
  assert.equal((await alice.get(changed)).status, 400)
  clock.advance(2)
  const late = await alice.get(link)
  assert.equal(late.status, 400)
  assert.match(late.text, /ask the bot for a new one/i)
})

test('Telegram: other talk, other bots’ commands and things that are no message get no answer', async () => {
  const quiet = [
    start('hello'),
    start('/startle'),
    start('/start@OtherBot'),
    start('please /start'),
    { update_id: 2, edited_message: { chat, text: '/start' } },
    { update_id: 3, message: { chat: { id: 'x', type: 'group' }, text: '/start' } },
    {},
  ]
  for (const update of quiet) assert.equal((await tell(update)).status, 200)
  const broken = await world.send('POST', HOOK, {
    headers: { 'X-Telegram-Bot-Api-Secret-Token': 'hook-secret' },
    body: '{',
  })
  assert.equal(broken.status, 200)
  assert.equal(services.requests.length, 0)
  assert.equal((await tell({ channel_post: { chat, text: '/start now' } })).status, 200)
  assert.equal(services.requests.length, 1)
})

test('Telegram: who does not know the secret is not heard, and a chat that cannot be answered is no error', async () => {
  for (const secret of ['', 'wrong', 'hook-secret2']) assert.equal((await tell(start(), secret)).status, 404)
  assert.equal(services.requests.length, 0)
  assert.equal((await world.send('POST', '/integrations/hook/slack/', { body: start() })).status, 404)
  services.answers['POST api.telegram.org/bot1:telegram-token/sendMessage'] = () => ({
    status: 403,
    body: '{"ok":false,"description":"Forbidden: bot was kicked"}',
  })
  assert.equal((await tell(start())).status, 200)
})

// Signal: the recipient is asked

const NUMBER = '+37100000000'

/** Asks for a code; returns it, and the page on which it is typed. */
async function askForCode(who: Person = alice, fields: Record<string, string> = {}) {
  const page = await who.post(add('signal'), { value: '+371 0000 0000', down: 'true', ...fields })
  const code = /^(\d{6}) /.exec(signalCli.calls.at(-1)?.params.message ?? '')?.[1] ?? ''
  return { ...page, code }
}

test('Signal: the channel is made when the code that was sent is typed', async () => {
  assert.match((await alice.get(add('signal'))).text, /Send the code/)
  const { location, code } = await askForCode(alice, { channel_name: 'My phone' })
  assert.equal(location, `${add('signal')}finish/`)
  assert.deepEqual(signalCli.calls[0]?.params.recipient, [NUMBER])
  const asked = await alice.get(location!)
  assert.match(asked.text, /A code was sent to \+37100000000/)
  assert.ok(!asked.text.includes(code))
  const wrong = await alice.post(location!, { code: code === '000000' ? '111111' : '000000' })
  assert.equal(wrong.status, 400)
  assert.match(wrong.text, /This is not the code/)
  assert.equal(await newest('signal'), undefined)
  assert.equal((await alice.post(location!, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status, 303)
  const { name, settings, uuid } = (await newest('signal'))!
  assert.equal(name, 'My phone')
  assert.deepEqual(settings, { value: NUMBER, down: 'true', up: 'false' })
  assert.equal(
    (await alice.post(`/integrations/${uuid}/edit/`, { value: '+4900000', up: 'true' })).status,
    303,
  )
  assert.deepEqual((await newest('signal'))?.settings, { value: NUMBER, down: 'false', up: 'true' })
})

test('Signal: what is wrong is said on the form, and nothing is sent where the number is none', async () => {
  const none = await alice.post(add('signal'), { value: '12' })
  assert.equal(none.status, 400)
  assert.match(none.text, /Enter a phone number or a username/)
  assert.equal(signalCli.calls.length, 0)
  reply = () => ({
    error: { code: -1, message: 'x', data: { response: { results: [{ type: 'UNREGISTERED_FAILURE' }] } } },
  })
  const unknown = await alice.post(add('signal'), { value: '+37199999999', channel_name: 'Kept' })
  assert.equal(unknown.status, 503)
  assert.match(unknown.text, /Signal: Recipient not found\./)
  assert.match(unknown.text, /value="Kept"/)
})

test('Signal: nobody is sent codes without end, and codes cannot be tried without end', async () => {
  const value = '+37111111111'
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) statuses.push((await askForCode(n % 2 ? alice : bob, { value })).status)
  assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429])
  const guess = async (times: number) => {
    const { location } = await askForCode(bob)
    const seen = new Set<number>()
    for (let n = 0; n < times; n++) seen.add((await bob.post(location!, { code: 'wrong' })).status)
    return [...seen]
  }
  assert.deepEqual(await guess(15), [400])
  const own = await askForCode(bob, { value: '+37122222222' })
  assert.equal((await bob.post(own.location!, { code: own.code })).status, 303)
  assert.deepEqual(await guess(6), [400, 429], 'a number of one\u2019s own earns no further guesses')
})
