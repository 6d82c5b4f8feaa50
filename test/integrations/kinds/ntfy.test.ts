import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { ntfy } from '../../../src/integrations/kinds/ntfy.js'
import { aDestination, anAlert, aPing, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { FALL, integrationCases, RECOVERY, withoutLinks } from '../../_support/worlds/integration-cases.js'

integrationCases({
  integration: ntfy,
  settings: url => ({ topic: 'jobs', url, token: 'tk_s3cr3t', priority_down: '5', priority_up: '2' }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /')
    assert.equal(request?.headers.authorization, 'Bearer tk_s3cr3t')
    const { message, ...rest } = jsonOf(request!)
    assert.deepEqual(rest, {
      topic: 'jobs',
      priority: 5,
      title: 'Backup is DOWN, exit status 2',
      markdown: true,
      tags: ['red_circle'],
      actions: [{ action: 'view', label: 'View on Punctual', url: FALL.checkUrl }],
    })
    assert.match(
      message,
      /^Down since 11:50 UTC: the job exited with status 2\.\n\nLast ping: Exit status 2, 11:50 UTC \(10 minutes ago\) {2}\nLast run:/,
    )
    assert.match(
      message,
      /\n\nLast ping body:\n```\nline 1\nfatal: disk full\n```\n\nThe following checks are also/,
    )
  },
  up([request]) {
    const { priority, title, tags, actions } = jsonOf(request!)
    assert.deepEqual([priority, title, tags], [2, 'Backup is UP', ['green_circle']])
    assert.equal(actions[0].url, RECOVERY.checkUrl)
  },
  hostile([request]) {
    const { topic, title, message } = jsonOf(request!)
    assert.equal(topic, 'jobs')
    assert.doesNotMatch(title, /[\n\p{Cc}\u202e]/u)
    assert.doesNotMatch(message.replace(/```.*```/s, ''), /]\(|<https/)
  },
  permanent: [],
  notice([request], notice) {
    const { priority, tags, actions } = jsonOf(request!)
    assert.deepEqual([priority, tags], [3, ['warning']])
    assert.equal(actions[0].url, notice.url)
  },
  digest([request]) {
    const { message, priority, tags } = jsonOf(request!)
    assert.deepEqual([priority, tags], [5, ['red_circle']])
    assert.ok(Buffer.byteLength(message) <= 4000)
    assert.doesNotMatch(withoutLinks(message), /]\(|<https/)
  },
})

test('an address or an invalid topic is refused', () => {
  for (const topic of ['http://ntfy.home/jobs', 'ntfy.home/jobs', 'a b', 'jobs?']) {
    assert.throws(() => checkSettings(ntfy, { topic }), { name: 'Refusal', field: 'topic' }, topic)
  }
  assert.equal(checkSettings(ntfy, { topic: 'Home_jobs-2' }).topic, 'Home_jobs-2')
})

test('a direction with priority 0 sends nothing', () => {
  const settings = checkSettings(ntfy, { topic: 'jobs', priority_up: '0' })
  assert.deepEqual([ntfy.wants?.(settings, 'down'), ntfy.wants?.(settings, 'up')], [true, false])
  assert.throws(() => checkSettings(ntfy, { topic: 'jobs', priority_up: '6' }), {
    field: 'priority_up',
    message: 'Choose one of: 5, 4, 3, 2, 1, 0.',
  })
})

test("the operator's token is sent only to ntfy.sh, and only if the channel has none", async t => {
  const recorder = await openRecorder(t)
  const transports = testWays(null, { routes: { 'https://ntfy.sh': recorder.url } })
  const operator = { NTFY_SH_TOKEN: 'tk_operator' }
  const send = async (settings: Record<string, string>) => {
    await ntfy.send(anAlert(), aDestination(ntfy, { topic: 'jobs', ...settings }, { operator }), transports)
    return recorder.requests.at(-1)!.headers.authorization
  }
  assert.equal(await send({}), 'Bearer tk_operator')
  assert.equal(await send({ token: 'tk_own' }), 'Bearer tk_own')
  assert.equal(await send({ url: recorder.url }), undefined)
  assert.equal(await send({ url: 'https://ntfy.sh/' }), undefined)
})

test('a long message is cut, so that it does not become an attachment', async t => {
  const recorder = await openRecorder(t)
  const alert = anAlert({
    check: { desc: '\u{1f525}'.repeat(500), tags: '\u{1f525} '.repeat(300) },
    lastPing: aPing({ body: Buffer.from('\u{1f525}'.repeat(2000)) }),
  })
  await ntfy.send(alert, aDestination(ntfy, { topic: 'jobs', url: recorder.url }), testWays())
  const { message } = jsonOf(recorder.requests[0]!)
  assert.ok(Buffer.byteLength(message) <= 4000)
  assert.match(message, /\u{1f525}\u2026$/u)
})

test('a channel is described by its topic, and by its server unless it is ntfy.sh', () => {
  const describe = (settings: Record<string, string>) => ntfy.describe(checkSettings(ntfy, settings))
  assert.equal(describe({ topic: 'jobs' }), 'jobs')
  assert.equal(describe({ topic: 'jobs', url: 'http://ntfy.example:8080/' }), 'jobs at ntfy.example:8080')
})
