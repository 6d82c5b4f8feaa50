import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettings } from '../../../src/integrations/fields.js'
import { apprise } from '../../../src/integrations/kinds/apprise.js'
import { isPublicAddress } from '../../../src/lib/http/public-address.js'
import { aDestination, anAlert, testWays } from '../../_support/alert.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { type Answer, openRecorder } from '../../_support/servers/recorder.js'
import { integrationCases } from '../../_support/worlds/integration-cases.js'

const settings = { apprise_url: 'tgram://123456:s3cr3t/987654' }
const ERROR = 'Apprise is disabled and/or not installed'

integrationCases({
  integration: apprise,
  enabled: { setting: 'APPRISE_ENABLED', error: ERROR },
  settings: () => settings,
  operator: url => ({ APPRISE_API_URL: `${url}/base/` }),
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /base/notify/')
    const { body, ...rest } = jsonOf(request!)
    assert.deepEqual(rest, {
      urls: settings.apprise_url,
      title: 'Backup is DOWN, exit status 2',
      type: 'failure',
      format: 'text',
    })
    assert.match(body, /^Down since 11:50 UTC: the job exited with status 2\.\n\nLast ping: /)
  },
  up([request]) {
    const { title, type } = jsonOf(request!)
    assert.deepEqual([title, type], ['Backup is UP', 'success'])
  },
  hostile([request]) {
    const { urls, title } = jsonOf(request!)
    assert.equal(urls, settings.apprise_url)
    assert.doesNotMatch(title, /\p{Cc}/u)
  },
  permanent: [],
  notice([request]) {
    assert.equal(jsonOf(request!).type, 'warning')
  },
  digest([request]) {
    assert.equal(jsonOf(request!).type, 'failure')
  },
})

test("the operator's server may have a private address", async t => {
  const recorder = await openRecorder(t)
  const to = aDestination(apprise, settings, { operator: { APPRISE_API_URL: recorder.url } })
  await apprise.send(anAlert(), to, testWays(null, { permits: isPublicAddress }))
  assert.equal(recorder.requests.length, 1)
})

test('a response that nothing was sent is a failure', async t => {
  let answer: Answer = {}
  const recorder = await openRecorder(t, () => answer)
  const to = aDestination(apprise, settings, { operator: { APPRISE_API_URL: recorder.url } })
  for (const status of [204, 400, 424]) {
    answer = { status, body: '' }
    await assert.rejects(async () => apprise.send(anAlert(), to, testWays()), {
      message: 'Failed',
      options: {},
    })
  }
})

test('without a server nothing can be sent', async () => {
  for (const APPRISE_API_URL of ['', 'apprise']) {
    const to = aDestination(apprise, settings, { operator: { APPRISE_API_URL } })
    await assert.rejects(async () => apprise.send(anAlert(), to, testWays()), { message: ERROR })
  }
})

test('a channel is described by the kind of service', () => {
  const describe = (apprise_url: string) => apprise.describe(checkSettings(apprise, { apprise_url }))
  assert.equal(describe('tgram://123:secret/1'), 'tgram://123…')
  // Of a version that took anything.
  assert.equal(apprise.describe({ apprise_url: 'secret' }), 'unknown://…')
})
