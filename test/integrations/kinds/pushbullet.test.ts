import assert from 'node:assert/strict'
import { pushbullet } from '../../../src/integrations/kinds/pushbullet/pushbullet.js'
import { jsonOf } from '../../_support/recorded-text.js'
import { integrationCases } from '../../_support/worlds/integration-cases.js'

integrationCases({
  integration: pushbullet,
  settings: () => ({ access_token: 'o.t0kent0kent0ken' }),
  operator: () => ({ PUSHBULLET_CLIENT_ID: 'client', PUSHBULLET_CLIENT_SECRET: 's3cretsecret' }),
  origins: ['https://api.pushbullet.com'],
  down([request]) {
    assert.equal(`${request?.method} ${request?.url}`, 'POST /v2/pushes')
    assert.equal(request!.headers['access-token'], 'o.t0kent0kent0ken')
    const { body, ...push } = jsonOf(request!)
    const guid = '6f9f2c56-5c1d-4f60-a5f4-95d0f1d5a1b3'
    assert.deepEqual(push, { type: 'note', title: 'Backup is DOWN, exit status 2', guid })
    assert.match(body, /^Backup is DOWN, exit status 2\.\n/)
  },
  up([request]) {
    const { title, body } = jsonOf(request!)
    assert.equal(title, 'Backup is UP')
    assert.match(body, /^Backup is UP: it was down for 1 hour, 30 minutes\.\n/)
  },
  hostile([request]) {
    const { title } = jsonOf(request!)
    assert.ok(title.length <= 250)
    assert.doesNotMatch(title, /[\p{Cc}\u202e]/u)
  },
  permanent: [
    {
      status: 401,
      body: '{"error":{"code":"invalid_access_token","type":"invalid_request","message":"Access token is missing or invalid."}}',
      error: 'Received status code 401',
    },
  ],
  notice([request], notice) {
    const { type, body } = jsonOf(request!)
    assert.equal(type, 'note')
    assert.equal(body, `${notice.text}\n\n${notice.url}`)
  },
})
