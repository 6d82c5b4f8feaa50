import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapChannel } from '../../../src/core/import/map-channel.js'

const CASES: [name: string, kind: string, value: string, given: Record<string, string>][] = [
  ['a plain address', 'email', 'a@example.org', { value: 'a@example.org', down: 'true', up: 'true' }],
  [
    'an address with directions',
    'email',
    '{"value": "a@example.org", "up": false, "down": true}',
    { value: 'a@example.org', down: 'true', up: 'false' },
  ],
  ['a plain number', 'sms', '+371200', { phone: '+371200', down: 'true', up: 'false' }],
  ['the oldest webhook', 'webhook', 'http://a\nhttp://b', { url_down: 'http://a', url_up: 'http://b' }],
  [
    'a webhook with headers',
    'webhook',
    '{"method_down": "POST", "url_down": "http://a", "body_down": "x", "headers_down": {"A": "1", "B": "2"}}',
    {
      url_down: 'http://a',
      method_down: 'POST',
      body_down: 'x',
      headers_down: 'A: 1\nB: 2',
      method_up: 'GET',
    },
  ],
  ['a Discord app', 'discord', '{"webhook": {"url": "https://d"}}', { url: 'https://d' }],
  ['a plain PagerDuty key', 'pd', 'k', { service_key: 'k' }],
  ['Pushover with one priority', 'po', 'u|1', { user_key: 'u', priority_down: '1', priority_up: '1' }],
  ['Pushover with two', 'po', 'u|1|0', { user_key: 'u', priority_down: '1', priority_up: '0' }],
  [
    'a chat',
    'telegram',
    '{"id": -1, "type": "group", "name": "Ops"}',
    { chat_id: '-1', chat_type: 'group', chat_name: 'Ops' },
  ],
  ['a plain room', 'matrix', '!r:matrix.org', { room_id: '!r:matrix.org' }],
  [
    'a bot without a site',
    'zulip',
    '{"bot_email": "b@z.org", "to": "ops"}',
    { bot_email: 'b@z.org', to: 'ops', site: 'https://z.org' },
  ],
  [
    'labels',
    'github',
    '{"installation_id": 7, "repo": "a/b", "labels": ["x", "y"]}',
    { installation_id: '7', repo: 'a/b', labels: 'x, y' },
  ],
]

for (const [name, kind, value, given] of CASES) {
  test(`the settings of a channel from Healthchecks: ${name}`, () => {
    assert.deepEqual(mapChannel(kind, value), { kind, given })
  })
}

test('a kind that has ended, or that nobody knows, is a problem in words', () => {
  assert.deepEqual(mapChannel('linenotify', 'token'), { problem: 'LINE Notify has ended' })
  assert.deepEqual(mapChannel('pigeon', ''), { problem: 'the kind pigeon is not known' })
})
