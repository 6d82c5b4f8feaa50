import assert from 'node:assert/strict'
import { test } from 'node:test'
import { integrationOf } from '../../src/integrations/index.js'
import { sameDestination, sentAlike } from '../../src/integrations/same-destination.js'

const CASES: [string, Record<string, string>, Record<string, string>, boolean][] = [
  ['pd', { service_key: 'a', tell: 'both' }, { service_key: 'a', tell: 'down' }, true],
  ['pd', { service_key: 'a', account: 'x' }, { service_key: 'b', account: 'x' }, false],
  ['mattermost', { url: 'https://a/', hourly_limit: '1' }, { url: 'https://a', hourly_limit: '2' }, true],
  ['mattermost', { url: 'https://a/' }, { url: 'https://b/' }, false],
  ['webhook', { url_down: 'https://a/', body_down: 'a' }, { url_down: 'https://a/', body_down: 'b' }, true],
  ['webhook', { url_down: 'https://a/' }, { url_down: 'https://a/', url_up: 'https://b/' }, false],
  ['email', { value: 'a@example.org', up: 'true' }, { value: 'a@example.org', up: 'false' }, true],
  ['email', { value: 'a@example.org' }, { value: 'b@example.org' }, false],
  ['po', { user_key: 'a', priority_down: '2' }, { user_key: 'a', priority_down: '0' }, true],
  ['group', {}, {}, true],
]

test('the address, key or chat makes another destination, but not the limits', () => {
  for (const [kind, before, after, expected] of CASES) {
    const same = sameDestination(integrationOf(kind)!, before, after)
    assert.equal(same, expected, JSON.stringify([kind, before, after]))
  }
})

const SENT: [string, Record<string, string>, Record<string, string>, boolean][] = [
  ['pd', { service_key: 'a', tell: 'down and up' }, { service_key: 'a', tell: 'down only' }, true],
  ['pd', { service_key: 'a' }, { service_key: 'a', tell: 'down and up' }, true],
  ['pd', { service_key: 'a' }, { service_key: 'b' }, false],
  ['mattermost', { url: 'https://a/', hourly_limit: '1' }, { url: 'https://a/', hourly_limit: '2' }, true],
  ['webhook', { url_down: 'https://a/', body_down: 'a' }, { url_down: 'https://a/', body_down: 'b' }, false],
  ['webhook', { url_down: 'https://a/' }, { url_down: 'https://a/', headers_down: 'Key: b' }, false],
  ['email', { value: 'a@example.org', up: 'true' }, { value: 'a@example.org', up: 'false' }, true],
  ['ntfy', { topic: 'a', priority_up: '3' }, { topic: 'a', priority_up: '0' }, true],
  ['ntfy', { topic: 'a' }, { topic: 'a', token: 'b' }, false],
  ['group', {}, {}, true],
]

test('messages are sent alike unless more changes than which alerts are sent', () => {
  for (const [kind, before, after, expected] of SENT) {
    const same = sentAlike(integrationOf(kind)!, before, after)
    assert.equal(same, expected, JSON.stringify([kind, before, after]))
  }
})
