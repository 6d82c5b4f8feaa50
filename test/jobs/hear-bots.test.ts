import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { telegram } from '../../src/integrations/kinds/telegram/telegram.js'
import { type HearDeps, hearBotsJob } from '../../src/jobs/hear-bots.js'
import { testWays } from '../_support/alert.js'
import { FakeClock } from '../_support/clock.js'
import { type Answer, openRecorder, type RecordedRequest } from '../_support/servers/recorder.js'

const message = (update_id: number, text: string) => ({
  update_id,
  message: { chat: { id: 7, type: 'private', first_name: 'Alice' }, text },
})

const ok = (result: unknown): Answer => ({ body: JSON.stringify({ ok: true, result }) })

/** A Telegram that gives these answers to questions, one after another and then none, and the job that asks it. */
async function open(
  t: TestContext,
  answers: Answer[],
  options: { operator?: Record<string, string>; onMessage?: () => Answer; onTrouble?: () => void } = {},
) {
  const waiting = new EventTarget()
  const telegramApi = await openRecorder(t, request => {
    if (request.url?.endsWith('/answerCallbackQuery')) return ok(true)
    if (isMessage(request)) return options.onMessage?.() ?? ok({})
    const answer = answers.shift()
    // The last question is kept waiting, as Telegram does while nobody writes.
    if (!answer) waiting.dispatchEvent(new Event('idle'))
    return answer
  })
  const troubles: { kind: string; reason: string }[] = []
  const deps: HearDeps = {
    integrations: [telegram],
    // Nothing in these tests is about an incident.
    store: {} as HearDeps['store'],
    clock: new FakeClock(),
    secretKey: 'known to the tests alone',
    secretKeys: ['known to the tests alone'],
    siteRoot: 'https://monitor.example',
    operator: { TELEGRAM_TOKEN: '1:token', TELEGRAM_BOT_NAME: 'ExampleBot', ...options.operator },
    transports: signal => testWays(null, { signal, routes: { 'https://api.telegram.org': telegramApi.url } }),
    onTrouble(trouble) {
      troubles.push(trouble)
      options.onTrouble?.()
    },
    onError: assert.fail,
  }
  return { job: hearBotsJob(deps), requests: telegramApi.requests, troubles, idle: once(waiting, 'idle') }
}

const isMessage = ({ url }: RecordedRequest) => url === '/bot1:token/sendMessage'
const bodies = (requests: readonly RecordedRequest[]) => requests.map(({ body }) => JSON.parse(body))

test('each message to the bot is fetched and answered once', async t => {
  const first = ok([message(41, '/start'), message(42, 'hello'), { update_id: 43, edited_message: {} }])
  const { job, requests, troubles, idle } = await open(t, [first, ok([])])
  job.start()
  await idle
  await job.stop()
  const questions = bodies(requests.filter(request => !isMessage(request)))
  assert.deepEqual(
    questions.map(({ offset }) => offset),
    [0, 44, 44],
  )
  assert.deepEqual(questions[0].allowed_updates, ['message', 'channel_post', 'callback_query'])
  const answers = bodies(requests.filter(isMessage))
  assert.equal(answers.length, 1)
  assert.equal(answers[0].chat_id, 7)
  assert.match(answers[0].text, /https:\/\/monitor\.example\/integrations\/invite\/[\w-]{40,}\//)
  assert.deepEqual(troubles, [])
})

test('a press of a button is heard, too', async t => {
  const from = { id: 5, is_bot: false, first_name: 'Alice' }
  const pressed = { id: '99', from, chat_instance: '1', data: 'of another program' }
  const { job, requests, idle } = await open(t, [ok([{ update_id: 7, callback_query: pressed }])])
  job.start()
  await idle
  await job.stop()
  const answers = requests.filter(({ url }) => url === '/bot1:token/answerCallbackQuery')
  assert.equal(bodies(answers)[0].callback_query_id, '99')
})

test('a chat that cannot be answered delays no other', async t => {
  const first = ok([message(1, '/start'), message(2, '/start')])
  const { job, requests, troubles, idle } = await open(t, [first], {
    onMessage: () => ({ status: 403, body: '{"ok":false}' }),
  })
  job.start()
  await idle
  await job.stop()
  assert.equal(requests.filter(isMessage).length, 2)
  assert.deepEqual(troubles, Array(2).fill({ kind: 'telegram', reason: 'Received status code 403' }))
})

test('an error of Telegram is logged in its own words, without the token', async t => {
  const conflict = { ok: false, description: 'Conflict: terminated by other getUpdates request' }
  const told = new EventTarget()
  const { job, troubles } = await open(t, [{ status: 409, body: JSON.stringify(conflict) }], {
    onTrouble: () => told.dispatchEvent(new Event('told')),
  })
  const heard = once(told, 'told')
  job.start()
  await heard
  await job.stop()
  const reason = 'Telegram answered: Conflict: terminated by other getUpdates request'
  assert.deepEqual(troubles, [{ kind: 'telegram', reason }])
})

test('Telegram is not polled if it calls the webhook, or if there is no bot', async t => {
  for (const operator of [{ TELEGRAM_WEBHOOK_SECRET: 'secret' }, { TELEGRAM_TOKEN: '' }]) {
    const { job, requests } = await open(t, [], { operator })
    job.start()
    await job.stop()
    assert.equal(requests.length, 0)
  }
})
