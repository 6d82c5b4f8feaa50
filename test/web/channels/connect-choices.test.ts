/** Conversations in which something is chosen or joined, with services that a recorder stands for. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Answer, RecordedRequest } from '../../_support/servers/recorder.js'
import { openConnectWorld } from '../../_support/worlds/connect-world.js'

const world = await openConnectWorld(
  ['https://api.trello.com', 'https://github.com', 'https://api.github.com', 'https://matrix.example.org'],
  {
    TRELLO_APP_KEY: 'trello-key',
    GITHUB_CLIENT_ID: 'Iv1.github',
    GITHUB_CLIENT_SECRET: 'github-secret',
    GITHUB_PRIVATE_KEY: 'unused',
    GITHUB_PUBLIC_LINK: 'https://github.com/apps/example/',
    MATRIX_HOMESERVER: 'https://matrix.example.org',
    MATRIX_USER_ID: '@punctual:example.org',
    MATRIX_ACCESS_TOKEN: 'matrix-token',
  },
)
const { alice, bob, project, store, config, services, add, newest, setOut, flashOf } = world

beforeEach(() => {
  services.requests.length = 0
})

const json = (value: object, status = 200): Answer => ({ status, body: JSON.stringify(value) })

// Trello: the token comes in the fragment

const TOKEN = 'ATTA0123456789abcdef'
const BOARDS = 'GET api.trello.com/1/members/me/boards'
const boards = [
  { id: 'b1', name: 'Ops <b>', lists: [{ id: 'l1', name: 'To do' }] },
  { id: 'b2', name: 'Home', lists: [{ id: 'l2', name: 'Later & <i>' }] },
]

/** Goes to Trello and comes back to the page that reads the fragment; returns its path. */
async function backFromTrello(): Promise<string> {
  const away = await setOut('trello')
  assert.equal(away.origin + away.pathname, 'https://trello.com/1/authorize')
  const { return_url: back, ...asked } = Object.fromEntries(away.searchParams)
  assert.deepEqual(asked, {
    expiration: 'never',
    name: 'Punctual',
    scope: 'read,write',
    response_type: 'token',
    key: 'trello-key',
    callback_method: 'fragment',
  })
  return back!.slice(config.SITE_ROOT.length)
}

test('Trello: the token is passed on from the fragment, then a list is chosen', async () => {
  services.answers[BOARDS] = boards
  const back = await backFromTrello()
  const page = await alice.get(back)
  assert.match(page.text, /copy the text after <code>#token=<\/code>/)
  assert.match(page.text, /js\/fragment/)
  const { location } = await alice.post(back, { token: TOKEN })
  assert.equal(location, `${add('trello')}finish/`)
  const choice = await alice.get(location!)
  assert.match(choice.text, /<optgroup label="Ops &lt;b&gt;"><option value="l1">To do<\/option>/)
  assert.ok(!choice.text.includes(TOKEN))
  const foreign = await alice.post(location!, { list_id: 'l9' })
  assert.equal(foreign.status, 400)
  assert.match(foreign.text, /Choose one of these/)
  assert.equal((await alice.post(location!, { list_id: 'l2', board_name: 'mine' })).status, 303)
  assert.deepEqual((await newest('trello'))?.settings, {
    token: TOKEN,
    board_name: 'Home',
    list_id: 'l2',
    list_name: 'Later & <i>',
  })
  const asked = services.requests.at(-1)!
  assert.equal(asked.headers.authorization, `OAuth oauth_consumer_key="trello-key", oauth_token="${TOKEN}"`)
  assert.ok(!asked.url.includes(TOKEN))
})

test('Trello: opening the page twice uses nothing up, sending it twice does', async () => {
  services.answers[BOARDS] = boards
  const back = await backFromTrello()
  assert.equal((await alice.get(back)).status, 200)
  assert.equal((await alice.get(back)).status, 200)
  assert.equal((await bob.get(back)).status, 400)
  assert.equal((await alice.post(back, { token: TOKEN })).status, 303)
  assert.equal((await alice.post(back, { token: TOKEN })).status, 400)
  assert.equal((await alice.get(back)).status, 400)
})

test('Trello: a token that is none, or that Trello does not know, and boards without lists, are said', async () => {
  const cases: [string, object | (() => Answer), RegExp][] = [
    ['"; DROP', boards, /this is not a Trello token/i],
    [TOKEN, () => ({ status: 401, body: 'invalid token' }), /Trello did not accept this token/],
    [TOKEN, [], /your Trello boards have no lists/i],
    [TOKEN, { boards }, /Unexpected response/],
    [TOKEN, () => ({ status: 503 }), /Trello: Received status code 503/],
  ]
  for (const [token, answer, expected] of cases) {
    services.answers[BOARDS] = answer
    const { location } = await alice.post(await backFromTrello(), { token })
    const after = location!.endsWith('/finish/') ? (await alice.get(location!)).location : location
    assert.match(await flashOf(after), expected)
  }
})

// GitHub: who somebody is counts, not the number in the address

const EXCHANGE = 'POST github.com/login/oauth/access_token'
const INSTALLATIONS = 'GET api.github.com/user/installations'

function github(repositories: Record<number, string[]>) {
  services.answers[EXCHANGE] = { access_token: 'ghu_person', token_type: 'bearer' }
  const ids = Object.keys(repositories).map(Number)
  services.answers[INSTALLATIONS] = {
    total_count: ids.length,
    installations: ids.map(id => ({ id, account: { login: `owner${id}` } })),
  }
  for (const id of ids) {
    services.answers[`${INSTALLATIONS}/${id}/repositories`] = ({ url }: RecordedRequest) => {
      const page = Number(new URL(url, 'http://x').searchParams.get('page'))
      const names = repositories[id]!.slice((page - 1) * 100, page * 100)
      return json({ repositories: names.map(full_name => ({ full_name, size: 1 })) })
    }
  }
}

async function backFromGithub(away: URL, query: Record<string, string>) {
  const state = away.searchParams.get('state')!
  return await alice.get(`/integrations/callback/github/?${new URLSearchParams({ ...query, state })}`)
}

test('GitHub: a repository of an installation that one may see is chosen, with labels', async () => {
  const many = Array.from({ length: 130 }, (_, n) => `owner8/repo${n}`)
  github({ 7: ['owner7/jobs'], 8: many })
  const away = await setOut('github')
  assert.equal(away.origin + away.pathname, 'https://github.com/login/oauth/authorize')
  assert.equal(away.searchParams.get('redirect_uri'), `${config.SITE_ROOT}/integrations/callback/github/`)
  const { location } = await backFromGithub(away, { code: 'c' })
  assert.equal(new URLSearchParams(services.requests[0]!.body).get('client_secret'), 'github-secret')
  const { text } = await alice.get(location!)
  assert.match(text, /<optgroup label="owner7"><option value="owner7\/jobs">/)
  assert.match(text, /owner8\/repo129/)
  assert.ok(!text.includes('ghu_person') && !text.includes('name="installation_id"'))
  const chosen = { repo: 'owner8/repo129', labels: 'ops, down', installation_id: '666' }
  assert.equal((await alice.post(location!, { ...chosen, repo: 'someone/else' })).status, 400)
  assert.equal((await alice.post(location!, chosen)).status, 303)
  const { settings } = (await newest('github'))!
  assert.deepEqual(settings, { installation_id: '8', repo: 'owner8/repo129', labels: 'ops, down' })
  assert.equal(services.requests.at(-1)!.headers.authorization, 'Bearer ghu_person')
})

test('GitHub: who has not installed the app is led on to do so, with a state of its own', async () => {
  github({})
  const first = await setOut('github')
  const onward = new URL((await backFromGithub(first, { code: 'c' })).location!)
  assert.equal(onward.origin + onward.pathname, 'https://github.com/apps/example/installations/new')
  assert.notEqual(onward.searchParams.get('state'), first.searchParams.get('state'))
  github({ 9: ['owner9/jobs'] })
  // Installed, but GitHub does not say by whom: that is asked.
  const again = await backFromGithub(onward, { installation_id: '9', setup_action: 'install' })
  const authorise = new URL(again.location!)
  assert.equal(authorise.pathname, '/login/oauth/authorize')
  const { location } = await backFromGithub(authorise, { code: 'c' })
  assert.match((await alice.get(location!)).text, /owner9\/jobs/)
})

test('GitHub: an installation of somebody else opens nothing, and one that waits for approval is said', async () => {
  github({})
  const spoofed = await backFromGithub(await setOut('github'), { installation_id: '42', code: 'c' })
  assert.match(await flashOf(spoofed.location), /not installed on an account of yours/)
  const waiting = await backFromGithub(await setOut('github'), { setup_action: 'request' })
  assert.match(await flashOf(waiting.location), /an owner of the organisation must approve the app first/i)
  github({ 7: [] })
  const { location } = await backFromGithub(await setOut('github'), { code: 'c' })
  assert.match(await flashOf((await alice.get(location!)).location), /none of your repositories/)
})

test('GitHub: what the conversation has proven cannot be changed by hand', async () => {
  const { uuid } = (await newest('github'))!
  const form = await alice.get(`/integrations/${uuid}/edit/`)
  assert.ok(!form.text.includes('name="repo"') && !form.text.includes('name="installation_id"'))
  const forged = { repo: 'someone/else', installation_id: '42', labels: 'new', channel_name: 'Issues' }
  assert.equal((await alice.post(`/integrations/${uuid}/edit/`, forged)).status, 303)
  const { settings, name } = (await newest('github'))!
  assert.deepEqual(settings, { installation_id: '8', repo: 'owner8/repo129', labels: 'new' })
  assert.equal(name, 'Issues')
})

// Matrix: a room is joined first

const JOIN = 'POST matrix.example.org/_matrix/client/v3/join/'
const joinOf = (room: string) => JOIN + encodeURIComponent(room)

test('Matrix: a room is joined when it is added and when it is changed, and kept by its ID', async () => {
  services.answers[joinOf('#ops:example.org')] = { room_id: '!one:example.org' }
  services.answers[joinOf('!two:example.org')] = { room_id: '!two:example.org' }
  await alice.get(add('matrix'))
  const { location } = await alice.post(add('matrix'), { room_id: '#ops:example.org' })
  assert.equal(services.requests[0]?.headers.authorization, 'Bearer matrix-token')
  const first = (await newest('matrix'))!
  assert.deepEqual(first.settings, { room_id: '!one:example.org', alias: '#ops:example.org' })
  assert.equal(location, `/integrations/${first.uuid}/`)
  await alice.post(`${location}edit/`, { room_id: '!one:example.org' })
  assert.equal((await alice.post(`${location}edit/`, { room_id: '!two:example.org' })).status, 303)
  assert.deepEqual((await newest('matrix'))!.settings, { room_id: '!two:example.org', alias: '' })
})

test('Matrix: why a room cannot be joined is said beside its field', async () => {
  const cases: [object | (() => Answer), RegExp][] = [
    [() => json({ errcode: 'M_FORBIDDEN' }, 403), /Invite @punctual:example\.org to it first\./],
    [() => json({ errcode: 'M_NOT_FOUND' }, 404), /There is no such room\./],
    [{ room_id: 7 }, /The room cannot be joined/],
  ]
  const before = (await store.channels.list(project.id)).length
  for (const [answer, expected] of cases) {
    services.answers[joinOf('#gone:example.org')] = answer
    const { status, text } = await alice.post(add('matrix'), { room_id: '#gone:example.org' })
    assert.equal(status, 400)
    assert.match(text, expected)
    assert.match(text, /aria-invalid="true"/)
    assert.match(text, /value="#gone:example\.org"/)
  }
  assert.equal((await store.channels.list(project.id)).length, before)
})
