/** Presses of the button under alerts in Telegram, as its webhook reports them; a recorder stands for the Bot API. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { incidentToken } from '../../../src/actions/incidents/message-link.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { openConnectWorld } from '../../_support/worlds/connect-world.js'

const world = await openConnectWorld(['https://api.telegram.org'], {
  TELEGRAM_TOKEN: '1:telegram-token',
  TELEGRAM_BOT_NAME: 'ExampleBot',
  TELEGRAM_WEBHOOK_SECRET: 'hook-secret',
})
const { store, project, charlies, clock, config, services } = world

beforeEach(() => {
  services.requests.length = 0
  for (const name of Object.keys(services.answers)) delete services.answers[name]
})

const CHAT = { id: -1_001_234_567_890, type: 'supergroup', title: 'Ops' }

async function addTelegram(projectId = project.id, chatId = String(CHAT.id)): Promise<string> {
  const settings = { chat_id: chatId, thread_id: '', chat_type: 'supergroup', chat_name: 'Ops' }
  const channel = { projectId, name: 'Ops', kind: 'telegram', settings, members: [], now: clock.now() }
  return (await store.channels.create(channel)).uuid
}

const ops = await addTelegram()

/** A check that is down, and of which Telegram was alerted. */
async function goDown(name: string, projectId = project.id) {
  const uuid = await world.addCheck(name, projectId)
  for (const { uuid: channel } of await store.channels.list(projectId))
    await store.channels.switchForCheck(projectId, { check: uuid, channel }, true, clock.now())
  await world.send('GET', `/ping/${uuid}/fail`)
  const id = (await store.incidents.openIncident(uuid))!
  return { uuid, id, openedAt: (await store.incidents.find(projectId, id, clock.now())).openedAt }
}

type Down = Awaited<ReturnType<typeof goDown>>

const linked = (uuid: string) => ({ uuid, linkVersion: 0 })
const tokenOf = (down: Down, channel = ops) => incidentToken(config.SECRET_KEY, linked(channel), down)
const ackOf = async ({ id }: Down, projectId = project.id) =>
  (await store.incidents.find(projectId, id, clock.now())).acknowledged

const ANN = { id: 5_000_000_001, is_bot: false, first_name: 'Ann', last_name: 'Lee', language_code: 'en' }

/** The message with the button, as the Bot API returns it. */
const MESSAGE = {
  message_id: 365,
  from: { id: 1, is_bot: true, first_name: 'Punctual', username: 'ExampleBot' },
  chat: CHAT,
  date: 1_700_000_000,
  text: '🔴 Backup is DOWN\n\nView the check · Acknowledge or snooze',
  entities: [{ offset: 3, length: 14, type: 'bold' }],
  reply_markup: { inline_keyboard: [[{ text: 'Acknowledge', callback_data: 'x' }]] },
}

/** A press of a button that reports `data`, called by Telegram with the right secret unless another is given. */
async function press(data: string, changes: object = {}, secret = 'hook-secret') {
  const callback_query = {
    id: '4382bfdwdsb323b2d9',
    from: ANN,
    message: MESSAGE,
    chat_instance: '-3787483',
    data,
    ...changes,
  }
  return await world.send('POST', '/integrations/hook/telegram/', {
    headers: { 'Content-Type': 'application/json', 'X-Telegram-Bot-Api-Secret-Token': secret },
    body: { update_id: 10_000, callback_query },
  })
}

const calls = () =>
  services.requests.map(request => ({ method: request.url!.split('/').at(-1), ...jsonOf(request) }))

/** Asserts that only a sentence was answered, which the user has to close. */
function assertRefused(sentence: RegExp): void {
  const [{ method, text, show_alert, callback_query_id }, ...more] = calls() as [Record<string, unknown>]
  assert.deepEqual(
    [method, show_alert, callback_query_id],
    ['answerCallbackQuery', true, '4382bfdwdsb323b2d9'],
  )
  assert.match(String(text), sentence)
  assert.match(String(text), /Nothing was changed\.$/)
  assert.deepEqual(more, [])
}

test('the button acknowledges in the name of the user, and says so in the message', async () => {
  const down = await goDown('Backup')
  assert.equal((await press(tokenOf(down))).status, 200)
  assert.deepEqual(await ackOf(down), { by: 'Ann Lee (Telegram)', at: clock.now(), note: '', until: null })
  assert.deepEqual(calls(), [
    {
      method: 'answerCallbackQuery',
      callback_query_id: '4382bfdwdsb323b2d9',
      text: 'Acknowledged. Repeats and further steps stop; the recovery is sent.',
    },
    {
      method: 'editMessageText',
      chat_id: CHAT.id,
      message_id: 365,
      text: `${MESSAGE.text}\n\n✅ Acknowledged by Ann Lee (Telegram)`,
      entities: MESSAGE.entities,
    },
  ])
})

test('a second press, by whomever, changes nothing', async () => {
  const down = await goDown('Pressed twice')
  await press(tokenOf(down))
  services.requests.length = 0
  await press(tokenOf(down), { from: { ...ANN, first_name: 'Zoe' } })
  assertRefused(/^It is acknowledged already/)
  assert.equal((await ackOf(down))!.by, 'Ann Lee (Telegram)')
  const { entries } = await store.incidents.timeline(project.id, down.id, clock.now())
  assert.equal(entries.filter(({ type }) => type === 'acknowledged').length, 1)
})

test('a press in another chat changes nothing', async () => {
  const down = await goDown('Forwarded')
  await press(tokenOf(down), { message: { ...MESSAGE, chat: { ...CHAT, id: -77 } } })
  assertRefused(/^This button belongs to an alert in another chat\./)
  services.requests.length = 0
  await press(tokenOf(down), { message: undefined, inline_message_id: 'AAAA' })
  assertRefused(/another chat/)
  assert.equal(await ackOf(down), null)
})

test('a press for an integration of another kind, or for another project’s incident, changes nothing', async () => {
  const [own, foreign] = [await goDown('Own'), await goDown('Of Charlie', charlies.id)]
  const settings = { value: 'ops@example.org', down: 'true', up: 'true' }
  const asked = {
    projectId: project.id,
    name: 'Mail',
    kind: 'email',
    settings,
    members: [],
    now: clock.now(),
  }
  const mail = (await store.channels.create(asked)).uuid
  await press(tokenOf(own, mail))
  assertRefused(/another chat/)
  services.requests.length = 0
  await press(tokenOf(foreign))
  assertRefused(/^This button is not valid/)
  assert.equal(await ackOf(own), null)
  assert.equal(await ackOf(foreign, charlies.id), null)
})

test('a press for another integration’s button in the same chat is that integration’s', async () => {
  const theirs = await addTelegram(charlies.id)
  const down = await goDown('Of both chats', charlies.id)
  await press(tokenOf(down, theirs))
  assert.equal((await ackOf(down, charlies.id))!.by, 'Ann Lee (Telegram)')
})

test('a press for a closed incident changes nothing', async () => {
  const down = await goDown('Over')
  await world.send('GET', `/ping/${down.uuid}`)
  await press(tokenOf(down))
  assertRefused(/^The incident is over: there is nothing to acknowledge\./)
  assert.equal(await ackOf(down), null)
})

test('forged, changed and old buttons change nothing', async () => {
  const [down, other] = [await goDown('Forged'), await goDown('Other')]
  const token = tokenOf(down)
  const wrong = [
    token.replace(/.$/, last => (last === 'A' ? 'Q' : 'A')),
    token.replace(`:${down.id.toString(36)}:`, `:${other.id.toString(36)}:`),
    token.replace(/^a:./, first => (first === 'a:A' ? 'a:B' : 'a:A')),
    incidentToken('another key', linked(ops), down),
    tokenOf({ ...down, openedAt: down.openedAt - 1 }),
    'a:::',
    'x'.repeat(64),
    '',
  ]
  for (const data of wrong) {
    services.requests.length = 0
    assert.equal((await press(data)).status, 200)
    assertRefused(/^This button is not valid/)
  }
  assert.deepEqual([await ackOf(down), await ackOf(other)], [null, null])
})

test('a press whose caller does not know the secret is not heard', async () => {
  const down = await goDown('Unknown caller')
  for (const secret of ['', 'wrong', 'hook-secret2']) {
    assert.equal((await press(tokenOf(down), {}, secret)).status, 404)
  }
  assert.equal(services.requests.length, 0)
  assert.equal(await ackOf(down), null)
})

test('a button of a deleted integration changes nothing', async () => {
  const gone = await addTelegram()
  const down = await goDown('Integration deleted')
  const { id } = (await store.channels.find(gone))!
  await store.channels.delete(id, clock.now())
  await press(tokenOf(down, gone))
  assertRefused(/^This button is not valid/)
  assert.equal(await ackOf(down), null)
})

test('an answer that comes too late, and a message that cannot be changed, are no error', async () => {
  const tooLate =
    '{"ok":false,"error_code":400,"description":"Bad Request: query is too old and response timeout expired or query ID is invalid"}'
  services.answers['POST api.telegram.org/bot1:telegram-token/answerCallbackQuery'] = () => ({
    status: 400,
    body: tooLate,
  })
  const [late, old] = [await goDown('Late'), await goDown('Old message')]
  assert.equal((await press(tokenOf(late))).status, 200)
  assert.deepEqual(
    calls().map(({ method }) => method),
    ['answerCallbackQuery', 'editMessageText'],
  )
  const inaccessible = { chat: CHAT, message_id: 365, date: 0 }
  assert.equal((await press(tokenOf(old), { message: inaccessible })).status, 200)
  assert.equal(calls().length, 3)
  assert.notEqual(await ackOf(late), null)
  assert.notEqual(await ackOf(old), null)
})

test('a channel that is configured by its public name knows its chat by that', async () => {
  const named = await addTelegram(project.id, '@Ops_Alerts')
  const down = await goDown('Public channel')
  const chat = { id: -100_777, type: 'channel', title: 'Alerts' }
  await press(tokenOf(down, named), { message: { ...MESSAGE, chat: { ...chat, username: 'others' } } })
  assertRefused(/another chat/)
  const own = { message: { ...MESSAGE, chat: { ...chat, username: 'ops_alerts' } } }
  await press(tokenOf(down, named), own)
  assert.equal((await ackOf(down))!.by, 'Ann Lee (Telegram)')
})

test('the name of a user is recorded on one line and without control characters', async () => {
  const down = await goDown('Odd name')
  const from = { id: 2, is_bot: false, first_name: '\u202ealice@example.org\n', last_name: 'x'.repeat(200) }
  await press(tokenOf(down), { from })
  const { by } = (await ackOf(down))!
  assert.match(by, /^alice@example\.org x+… \(Telegram\)$/)
  assert.ok(by.length < 100)
})
