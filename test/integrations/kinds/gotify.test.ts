import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { gotify } from '../../../src/integrations/kinds/gotify.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { openRecorder } from '../../_support/servers/recorder.js'
import { integrationCases, withoutLinks } from '../../_support/worlds/integration-cases.js'

integrationCases({
  integration: gotify,
  settings: url => ({ url, token: 'As3cr3tt0ken', priority_down: '9', priority_up: '2' }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /message?token=As3cr3tt0ken')
    const { message, ...rest } = jsonOf(request!)
    assert.deepEqual(rest, {
      title: 'Backup is DOWN, exit status 2',
      priority: 9,
      extras: { 'client::display': { contentType: 'text/markdown' } },
    })
    assert.match(message, /^Down since 11:50 UTC: the job exited with status 2\.\n\n/)
  },
  up([request]) {
    const { title, priority } = jsonOf(request!)
    assert.deepEqual([title, priority], ['Backup is UP', 2])
  },
  hostile([request]) {
    assert.equal(request?.url, '/message?token=As3cr3tt0ken')
    const { message } = jsonOf(request!)
    assert.doesNotMatch(message.replace(/```.*```/s, ''), /]\(|<https/)
  },
  permanent: [],
  notice([request]) {
    assert.equal(jsonOf(request!).priority, 5)
  },
  digest([request]) {
    const { message, priority } = jsonOf(request!)
    assert.equal(priority, 9)
    assert.doesNotMatch(withoutLinks(message), /]\(|<https/)
  },
})

test('the server may have a path, and the token is sent unchanged', async t => {
  const recorder = await openRecorder(t)
  const to = aDestination(gotify, { url: `${recorder.url}/push/`, token: 'a+b&c=d' })
  await gotify.send(anAlert(), to, testWays())
  assert.equal(recorder.requests[0]?.url, '/push/message?token=a%2Bb%26c%3Dd')
})

test('a direction with priority 0 sends nothing', () => {
  const settings = checkSettings(gotify, { url: 'https://x', token: 't', priority_down: '0' })
  assert.deepEqual([gotify.wants?.(settings, 'down'), gotify.wants?.(settings, 'up')], [false, true])
})
