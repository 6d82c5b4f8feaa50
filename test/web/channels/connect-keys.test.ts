/** Connecting at services that hand over keys in an address of ours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openConnectWorld } from '../../_support/worlds/connect-world.js'

const world = await openConnectWorld([], {
  PD_APP_ID: 'P-APP',
  PUSHOVER_API_TOKEN: 'po-token',
  PUSHOVER_SUBSCRIPTION_URL: 'https://pushover.net/subscribe/Example-1',
})
const { alice, bob, clock, config, list, add, channelsOf, newest, setOut, pathOf, flashOf } = world

test('PagerDuty hands over a key for each service that was chosen', async () => {
  const away = await setOut('pd')
  assert.equal(away.origin + away.pathname, 'https://app.pagerduty.com/install/integration')
  assert.equal(away.searchParams.get('app_id'), 'P-APP')
  const back = pathOf(away.searchParams.get('redirect_url')!)
  const keyOf = (name: string) => name.padEnd(32, '0')
  const key = (name: string, type = 'service') => ({
    integration_key: keyOf(name),
    name,
    id: 'P1',
    type,
  })
  const config = {
    account: { subdomain: 'example', name: 'Example Ltd' },
    integration_keys: [key('web'), key('db'), key('rules', 'team_rule_set')],
  }
  const { location } = await alice.get(`${back}?${new URLSearchParams({ config: JSON.stringify(config) })}`)
  assert.equal(location, list)
  const own = { account: 'Example Ltd', api: 'v2', severity: 'critical' }
  const made = (await channelsOf('pd')).map(({ name, settings }) => [name, settings])
  assert.deepEqual(made, [
    ['web', { ...own, service_key: keyOf('web') }],
    ['db', { ...own, service_key: keyOf('db') }],
  ])
})

test('what PagerDuty does not say is refused', async () => {
  for (const config of ['', '{', '{"account":{}}', '{"account":{"name":"x"},"integration_keys":[]}']) {
    const back = pathOf((await setOut('pd')).searchParams.get('redirect_url')!)
    const { location } = await alice.get(`${back}?${new URLSearchParams({ config })}`)
    assert.match(await flashOf(location), /Nothing was connected\. /, config)
  }
})

test('Pushover sends the key of a subscription, and the priorities are chosen here', async () => {
  const key = 'u'.repeat(30)
  const away = await setOut('po')
  assert.equal(away.origin + away.pathname, 'https://pushover.net/subscribe/Example-1')
  assert.equal(away.searchParams.get('failure'), config.SITE_ROOT + add('po'))
  const success = pathOf(away.searchParams.get('success')!)
  const { location } = await alice.get(`${success}?pushover_user_key=${key}`)
  assert.equal(location, `${add('po')}finish/`)
  const asked = await alice.get(location!)
  assert.match(asked.text, /name="priority_down"/)
  assert.ok(!asked.text.includes(key) && !asked.text.includes('name="user_key"'))
  const fields = { priority_down: '2', priority_up: '-3', channel_name: 'Phone', user_key: 'mine' }
  const wrong = await alice.post(location!, { ...fields, priority_up: '9' })
  assert.equal(wrong.status, 400)
  assert.equal((await alice.post(location!, fields)).status, 303)
  const { name, settings } = (await newest('po'))!
  assert.equal(name, 'Phone')
  assert.deepEqual(settings, { user_key: key, priority_down: '2', priority_up: '-3' })
  assert.match(await flashOf((await alice.post(location!, fields)).location), /start again/)
})

test('a subscription that was ended, and a key that is none, are said', async () => {
  for (const query of ['pushover_unsubscribed=1', 'pushover_user_key=short', '']) {
    const success = pathOf((await setOut('po')).searchParams.get('success')!)
    const { location } = await alice.get(`${success}?${query}`)
    assert.match(await flashOf(location), /Nothing was connected\. /)
  }
})

test('a draft is of use to nobody else, for no other project, and half an hour long', async () => {
  const success = pathOf((await setOut('po')).searchParams.get('success')!)
  const { location } = await alice.get(`${success}?pushover_user_key=${'k'.repeat(30)}`)
  const cookie = alice.cookies.get('punctual_draft')!
  bob.cookies.set('punctual_draft', cookie)
  assert.match(await flashOf((await bob.get(location!)).location, bob), /start again/)
  const own = await world.projectOf(alice, 'Yet another')
  const other = `/projects/${own.uuid}/integrations/add/po/finish/`
  assert.equal((await alice.get(other)).location, `/projects/${own.uuid}/integrations/add/po/`)
  assert.equal((await alice.get(location!)).status, 200)
  clock.advance(1_801)
  assert.equal((await alice.get(location!)).location, add('po'))
  bob.cookies.delete('punctual_draft')
})
