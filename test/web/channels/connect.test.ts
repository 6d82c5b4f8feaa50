/** Connecting integrations at their services, which a recorder stands for. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openConnectWorld } from '../../_support/worlds/connect-world.js'
import { openWebWorld, type Person } from '../../_support/worlds/web-world.js'

const world = await openConnectWorld(
  ['https://slack.com', 'https://discord.com', 'https://api.pushbullet.com'],
  {
    SLACK_CLIENT_ID: 'slack-id',
    SLACK_CLIENT_SECRET: 'slack-secret',
    DISCORD_CLIENT_ID: 'discord-id',
    DISCORD_CLIENT_SECRET: 'discord-secret',
    PUSHBULLET_CLIENT_ID: 'pushbullet-id',
    PUSHBULLET_CLIENT_SECRET: 'pushbullet-secret',
  },
)
const {
  alice,
  rita,
  bob,
  charlie,
  project,
  charlies,
  store,
  clock,
  config,
  services,
  list,
  add,
  channelsOf,
  newest,
  setOut,
  flashOf,
} = world

const SLACK = 'POST slack.com/api/oauth.v2.access'
const granted = {
  ok: true,
  team: { id: 'T1', name: 'Example' },
  incoming_webhook: {
    url: 'https://hooks.slack.com/services/T1/B1/token',
    channel: '#ops',
    channel_id: 'C1',
  },
}

beforeEach(() => {
  services.answers[SLACK] = granted
  services.requests.length = 0
})

/** Comes back from an OAuth service with this query besides the state. */
async function comeBack(kind: string, state: string, query: Record<string, string>, who: Person = alice) {
  return await who.get(`/integrations/callback/${kind}/?${new URLSearchParams({ ...query, state })}`)
}

test('Slack is connected: away with a state, back with a code, which is exchanged for a webhook', async () => {
  const check = await world.addCheck('Backup')
  assert.match((await alice.get(add('slack'))).text, /Connect to Slack/)
  const away = await setOut('slack')
  assert.equal(away.origin + away.pathname, 'https://slack.com/oauth/v2/authorize')
  const { state, ...asked } = Object.fromEntries(away.searchParams)
  assert.deepEqual(asked, {
    client_id: 'slack-id',
    scope: 'incoming-webhook',
    redirect_uri: `${config.SITE_ROOT}/integrations/callback/slack/`,
  })
  const { location } = await comeBack('slack', state!, { code: 'the-code' })
  assert.match(location!, /^\/integrations\/[0-9a-f-]{36}\/$/)
  const [exchange] = services.requests
  assert.deepEqual(Object.fromEntries(new URLSearchParams(exchange!.body)), {
    client_id: 'slack-id',
    client_secret: 'slack-secret',
    code: 'the-code',
    redirect_uri: asked.redirect_uri,
  })
  assert.equal(exchange?.url, '/api/oauth.v2.access')
  const { settings, uuid } = (await newest('slack'))!
  assert.deepEqual(settings, { url: granted.incoming_webhook.url, team: 'Example', channel: '#ops' })
  const { id } = (await store.channels.find(uuid))!
  const assigned = await store.channels.assignableChecks(project.id, id)
  assert.ok(assigned.some(row => row.uuid === check && row.assigned))
  const { text } = await alice.get(`/integrations/${uuid}/`)
  assert.match(text, /Send a test to see that it arrives/)
  assert.ok(!text.includes('/services/T1'))
})

test('a service can be connected for checks that are chosen later', async () => {
  await world.addCheck('Restore')
  assert.match((await alice.get(add('slack'))).text, /It will alert for all \d+ checks of the project\./)
  const { location: away } = await alice.get(`${add('slack')}connect/?checks=none`)
  const state = new URL(away!).searchParams.get('state')!
  const { location } = await comeBack('slack', state, { code: 'c' })
  assert.match(await flashOf(location), /It alerts for no check yet/)
  const { id } = (await store.channels.find(location!.split('/')[2]!))!
  const assigned = await store.channels.assignableChecks(project.id, id)
  assert.ok(assigned.every(row => !row.assigned))
})

test('Discord and Pushbullet are connected in the same way', async () => {
  const webhook = {
    url: 'https://discord.com/api/webhooks/1/token',
    guild_id: '7',
    channel_id: '8',
    name: 'x',
  }
  services.answers['POST discord.com/api/oauth2/token'] = { access_token: 'unused', webhook }
  services.answers['POST api.pushbullet.com/oauth2/token'] = { access_token: 'o.abc', token_type: 'Bearer' }
  const scope = { discord: 'webhook.incoming', pushbullet: null }
  for (const kind of ['discord', 'pushbullet'] as const) {
    const { searchParams: asked } = await setOut(kind)
    assert.equal(asked.get('client_id'), `${kind}-id`)
    assert.equal(asked.get('response_type'), 'code')
    assert.equal(asked.get('scope'), scope[kind])
    assert.equal((await comeBack(kind, asked.get('state')!, { code: 'c' })).status, 303)
    const sent = new URLSearchParams(services.requests.at(-1)!.body)
    assert.equal(sent.get('client_secret'), `${kind}-secret`)
    assert.equal(sent.get('grant_type'), 'authorization_code')
  }
  assert.equal((await newest('discord'))?.settings.url, webhook.url)
  assert.equal((await newest('pushbullet'))?.settings.access_token, 'o.abc')
})

test('a state holds once', async () => {
  const state = (await setOut('slack')).searchParams.get('state')!
  await comeBack('slack', state, { code: 'c' })
  const before = (await channelsOf('slack')).length
  const again = await comeBack('slack', state, { code: 'c' })
  assert.equal(again.status, 400)
  assert.match(again.text, /start again/)
  assert.equal((await channelsOf('slack')).length, before)
  assert.equal(services.requests.length, 1)
})

test('a state holds in the session, for the project and for the kind that it was made for, and for ten minutes', async () => {
  const state = async () => (await setOut('slack')).searchParams.get('state')!
  const elsewhere = await world.stranger()
  await elsewhere.signIn('alice@example.org', 'correct horse')
  const [token] = (await state()).split('.')
  const own = await world.projectOf(alice, 'Another of hers')
  const refused = [
    await comeBack('slack', await state(), { code: 'c' }, elsewhere as Person),
    await comeBack('slack', await state(), { code: 'c' }, bob),
    await comeBack('slack', `${token}.${own.uuid}`, { code: 'c' }),
    await comeBack('slack', `${token}.${charlies.uuid}`, { code: 'c' }),
    await comeBack('discord', await state(), { code: 'c' }),
    await comeBack('slack', '', { code: 'c' }),
    await comeBack('slack', 'x.y.z', { code: 'c' }),
  ]
  const late = await state()
  clock.advance(601)
  refused.push(await comeBack('slack', late, { code: 'c' }))
  for (const page of refused) assert.equal(page.status, 400)
  assert.equal(services.requests.length, 0)
  const intime = await state()
  clock.advance(599)
  assert.equal((await comeBack('slack', intime, { code: 'c' })).status, 303)
})

test('an outsider cannot set out, nor one who only reads, nor one who has lost their part meanwhile', async () => {
  assert.equal((await charlie.get(`${add('slack')}connect/`)).status, 404)
  assert.equal((await rita.get(`${add('slack')}connect/`)).status, 403)
  const dora = await world.person('dora')
  await store.projects.putMember({ projectId: project.id, userId: dora.id, role: 'member', now: clock.now() })
  const member = (await setOut('slack', dora)).searchParams.get('state')!
  await store.projects.putMember({
    projectId: project.id,
    userId: dora.id,
    role: 'readonly',
    now: clock.now(),
  })
  assert.equal((await comeBack('slack', member, { code: 'c' }, dora)).status, 403)
  assert.equal(services.requests.length, 0)
})

test('what goes wrong at the service is said in words, and nothing of it stands in the address', async () => {
  const cases: [object | (() => object), Record<string, string>, RegExp][] = [
    [granted, { error: 'access_denied' }, /Access was not granted\./],
    [granted, { error: '<script>' }, /The service refused\./],
    [granted, {}, /The service did not send a code\./],
    [{ ok: false, error: 'invalid_code' }, { code: 'the-code' }, /code has expired: start again\./],
    [{ ok: false, error: 'fatal_error' }, { code: 'the-code' }, /The service refused: fatal_error\./],
    [{ ok: true }, { code: 'the-code' }, /Slack: Unexpected response from the service\./],
    [
      { ...granted, incoming_webhook: { url: 'javascript:alert(1)', channel: '#x' } },
      { code: 'the-code' },
      /Unexpected response/,
    ],
    [() => ({ status: 500, body: '<h1>Oops</h1>' }), { code: 'the-code' }, /\(status code 500\)/],
    [
      () => ({ status: 302, headers: { location: '/elsewhere' } }),
      { code: 'the-code' },
      /refused: not_found/,
    ],
  ]
  const before = (await channelsOf('slack')).length
  for (const [answer, query, expected] of cases) {
    services.answers[SLACK] = answer
    const state = (await setOut('slack')).searchParams.get('state')!
    const { status, location } = await comeBack('slack', state, query)
    assert.equal(status, 303)
    assert.equal(location, add('slack'))
    assert.match(await flashOf(location), expected)
  }
  assert.equal((await channelsOf('slack')).length, before)
})

test('where settings are missing the page names them, and what can be done by hand still can', async () => {
  const bare = await openWebWorld()
  const base = `/projects/${bare.project.uuid}/integrations/add/`
  const slack = await bare.alice.get(`${base}slack/`)
  const plain = slack.text.replace(/<[^>]*>/g, '')
  assert.match(
    plain,
    /with one click once your administrator has set SLACK_CLIENT_ID and SLACK_CLIENT_SECRET\./,
  )
  assert.doesNotMatch(slack.text, /Connect to Slack/)
  assert.equal((await bare.alice.get(`${base}slack/connect/`)).status, 404)
  const pasted = { url: 'https://hooks.slack.com/services/T/B/x' }
  assert.equal((await bare.alice.post(`${base}slack/`, pasted)).status, 303)
  const trello = await bare.alice.get(`${base}trello/`)
  assert.match(
    trello.text.replace(/<[^>]*>/g, ''),
    /is not configured\. Ask your administrator to set TRELLO_APP_KEY\./,
  )
  assert.doesNotMatch(trello.text, /name="token"/)
  const github = (await bare.alice.get(`${base}github/`)).text.replace(/<[^>]*>/g, '')
  assert.match(
    github,
    /set GITHUB_CLIENT_ID, GITHUB_PRIVATE_KEY, GITHUB_CLIENT_SECRET and GITHUB_PUBLIC_LINK\./,
  )
  for (const kind of ['trello', 'github', 'telegram', 'signal']) {
    assert.equal((await bare.alice.post(`${base}${kind}/`, { value: '+37100000000' })).status, 400, kind)
  }
})

test('what may be added stands in groups, is searched, and says at its end what waits for the operator', async () => {
  const { text } = await alice.get(`${list}add/`)
  const page = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
  const titles = [...page.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, title]) => title)
  assert.deepEqual(titles, ['Popular', 'Groups and programs', 'Chats', 'Phones and push', 'On-call services'])
  const [usable, waiting] = text.split('<details class="disclosure"')
  const popular = usable!.split('<h2>')[1]!
  assert.ok(popular.includes('add/slack/"') && popular.includes('add/webhook/"'))
  assert.equal(usable!.split('add/slack/"').length, 2, 'each kind is listed once')
  assert.ok(usable!.includes('add/slack/"') && !usable!.includes('add/trello/"'))
  assert.match(waiting!, /Not set up on this installation/)
  assert.ok(waiting!.includes('add/trello/"'))
  const found = (await alice.get(`${list}add/?q=SLACK`)).text
  assert.ok(found.includes('add/slack/"') && !found.includes('add/discord/"'))
  const none = (await alice.get(`${list}add/?q=${encodeURIComponent('"><script>')}`)).text
  assert.match(none, /<p class="muted no-kind">/)
  assert.ok(!none.includes('"><script>'))
})
