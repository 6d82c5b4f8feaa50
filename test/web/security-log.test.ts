import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountKey, limitAttempts } from '../../src/actions/people/sign-in/limit-attempts.js'
import { ON_SUCCESS, ON_WRONG_PROOF } from '../../src/http/web/people/security-events.js'
import { SESSION_COOKIE } from '../../src/http/web/people/session.js'
import { routes } from '../../src/http/web/routes.js'
import { digestOf } from '../../src/lib/secrets/secrets.js'
import { newTotpSecret } from '../../src/lib/secrets/totp.js'
import { openWebWorld, PASSWORD } from '../_support/worlds/web-world.js'

const world = await openWebWorld({ app: { TRUSTED_PROXIES: ['127.0.0.1'] } })
const { alice, mike, bob, rita, project, store, clock, noted } = world
const settings = `/projects/${project.uuid}/settings/`

/** What was noted while `work` went on. */
async function notedBy(work: () => Promise<unknown>) {
  noted.length = 0
  await work()
  return noted.splice(0)
}

/** The same, the events' names alone. */
const eventsOf = async (work: () => Promise<unknown>) => (await notedBy(work)).map(({ security }) => security)

/** Somebody behind the trusted proxy. */
const from = (address: string) => world.stranger({ 'X-Forwarded-For': address })

test('a wrong password is noted with the address that limits go by, and the account', async () => {
  const browser = from('203.0.113.7')
  const wrong = { email: alice.email, password: 'wrong horse' }
  assert.deepEqual(await notedBy(() => browser.post('/accounts/login/', wrong)), [
    {
      security: 'sign-in-failed',
      address: '203.0.113.7',
      account: alice.email,
      request: 'POST /accounts/login/',
    },
  ])
})

test('what was typed in place of an address is not repeated: it may be a password', async () => {
  const [line] = await notedBy(() => from('203.0.113.7').post('/accounts/login/', { email: PASSWORD }))
  assert.equal(line!.account, 'not an address')
})

test('signing in and out is noted', async () => {
  const browser = from('203.0.113.7')
  const right = { email: alice.email, password: PASSWORD }
  const [line] = await notedBy(() => browser.post('/accounts/login/', right))
  const { security, address, account, method } = line!
  assert.deepEqual(
    { security, address, account, method },
    { security: 'signed-in', address: '203.0.113.7', account: alice.email, method: 'password' },
  )
  await browser.open('/accounts/profile/')
  const [out] = await notedBy(() => browser.post('/accounts/logout/'))
  assert.deepEqual([out!.security, out!.account], ['signed-out', alice.email])
})

test('the first step, a wrong code and a wrong recovery code are noted with the account', async () => {
  const secret = await newTotpSecret()
  const { sessionId } = (await store.people.findSession(
    digestOf(bob.cookies.get(SESSION_COOKIE)!),
    clock.now(),
  ))!
  await store.people.setTotp({ userId: bob.id, sessionId, secret })
  const browser = from('203.0.113.8')
  const events = await notedBy(async () => {
    await browser.post('/accounts/login/', { email: bob.email, password: PASSWORD })
    await browser.post('/accounts/login/second/', { code: '000000' })
    await browser.post('/accounts/login/recovery/', { recovery: 'aaaa-bbbb-cccc-dddd' })
  })
  assert.deepEqual(
    events.map(({ security, account, address }) => [security, account, address]),
    [
      ['first-step-passed', bob.email, '203.0.113.8'],
      ['second-step-failed', bob.email, '203.0.113.8'],
      ['second-step-failed', bob.email, '203.0.113.8'],
    ],
  )
  await store.people.removeTotp(bob.id)
})

test('a limit that is reached is noted', async () => {
  const email = 'guessed@example.org'
  for (let i = 0; i < 20; i++) await limitAttempts(store, clock, { password: accountKey(null, email) })
  const guess = { email, password: 'x' }
  const events = await eventsOf(() => from('203.0.113.9').post('/accounts/login/', guess))
  assert.deepEqual(events, ['limit-reached'])
})

test('what a signed-in person does too often is told apart from guesses at the door', async () => {
  for (let i = 0; i < 20; i++) await limitAttempts(store, clock, { invitation: String(mike.id) })
  const invitation = { email: 'new@example.org', role: 'member' }
  const [line] = await notedBy(() => mike.post(`/projects/${project.uuid}/invitations/add/`, invitation))
  assert.deepEqual([line!.security, line!.account], ['slowed-down', mike.email])
})

test('a forged form and what a role does not allow are noted', async () => {
  assert.deepEqual(await eventsOf(() => alice.post('/projects/add/', { name: 'x', csrf: 'forged' })), [
    'csrf-refused',
  ])
  const [line] = await notedBy(() => rita.post(`/projects/${project.uuid}/keys/add/`, { kind: 'rw' }))
  assert.deepEqual([line!.security, line!.account, line!.uuid], ['forbidden', rita.email, project.uuid])
})

test('a link that does not work is noted, without the link', async () => {
  const lines = await notedBy(() => from('203.0.113.7').post('/accounts/link/secret-token/'))
  assert.deepEqual(
    lines.map(({ security }) => security),
    ['link-refused'],
  )
  assert.ok(!JSON.stringify(lines).includes('secret-token'))
})

test('pages that any site can make a browser open are not noted as guesses', async () => {
  const browser = world.stranger({ 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' })
  const pages = ['link', 'signup', 'first', 'invitations'].map(page => `/accounts/${page}/x/`)
  const events = await eventsOf(async () => {
    for (const page of pages) await browser.get(page)
  })
  assert.deepEqual(
    events,
    pages.map(() => 'opening-refused'),
  )
})

test('keys, roles, members, invitations, transfers and projects are noted with who and what', async () => {
  const base = `/projects/${project.uuid}`
  const lines = await notedBy(async () => {
    await alice.post(`${base}/keys/add/`, { kind: 'rw' })
    const key = (await store.projects.listApiKeys(project.id))[0]!
    await alice.post(`${base}/keys/revoke/`, { kind: 'rw', hint: key.hint })
    await alice.post(`${base}/invitations/add/`, { email: 'new@example.org', role: 'member' })
    await alice.post(`${base}/members/${bob.uuid}/role/`, { role: 'readonly' })
    await alice.post(`${base}/transfer/`, { member: mike.uuid })
    await alice.post(`${base}/transfer/cancel/`)
    await alice.post(`${base}/members/${bob.uuid}/remove/`)
  })
  assert.deepEqual(
    lines.map(({ security }) => security),
    [
      'key-created',
      'key-revoked',
      'member-invited',
      'role-changed',
      'transfer-offered',
      'transfer-ended',
      'member-removed',
    ],
  )
  for (const line of lines) assert.deepEqual([line.account, line.uuid], [alice.email, project.uuid])
  const [key, , invited, role] = lines
  assert.deepEqual(
    [key!.kind, invited!.email, invited!.role, role!.member, role!.role],
    ['rw', 'new@example.org', 'member', bob.uuid, 'readonly'],
  )
})

test('a new password is noted, and neither it nor anything secret stands in a line', async () => {
  const page = await alice.get('/accounts/password/')
  assert.equal(page.status, 200)
  const lines = await notedBy(() =>
    alice.post('/accounts/password/', { password: 'quite another horse', current: PASSWORD }),
  )
  assert.deepEqual(
    lines.map(({ security }) => security),
    ['password-changed'],
  )
  assert.ok(!JSON.stringify(lines).includes('horse'))
})

test('channels are noted with their kind', async () => {
  await alice.get('/projects/add/')
  const lines = await notedBy(async () => {
    const form = {
      channel_name: '',
      url_down: 'https://example.org/hook',
      method_down: 'POST',
      method_up: 'GET',
    }
    const { location } = await alice.post(`/projects/${project.uuid}/integrations/add/webhook/`, form)
    await alice.post(`${location}enabled/`, { enabled: 'false' })
    await alice.post(`${location}remove/`)
  })
  assert.deepEqual(
    lines.map(({ security, kind }) => [security, kind]),
    [
      ['channel-created', 'webhook'],
      ['channel-switched', 'webhook'],
      ['channel-deleted', 'webhook'],
    ],
  )
})

test('policies are noted once they are saved, not while their form is filled in', async () => {
  const home = `/projects/${project.uuid}/policies/`
  const typed = { name: 'Nights', 'after-0': 'At once', 'who-0': 'check' }
  const lines = await notedBy(async () => {
    await alice.post(`${home}add/`, { ...typed, add: '1' })
    await alice.post(`${home}add/`, { ...typed, preview: '1' })
    await alice.post(`${home}add/`, typed)
    const [policy] = await world.store.incidents.policies(project.id)
    await alice.post(`${home}${policy!.id}/edit/`, { ...typed, name: '' })
    await alice.post(`${home}${policy!.id}/edit/`, { ...typed, name: 'Days' })
    await alice.post(`${home}${policy!.id}/remove/`)
  })
  assert.deepEqual(
    lines.map(({ security, name }) => [security, name]),
    [
      ['policy-created', 'Nights'],
      ['policy-changed', 'Days'],
      ['policy-deleted', undefined],
    ],
  )
})

test('a form that is refused for a mistake is not noted', async () => {
  assert.deepEqual(await eventsOf(() => alice.post('/accounts/email/', { email: 'not an address' })), [])
  assert.deepEqual(await eventsOf(() => alice.get(settings)), [])
})

test('an API key that is wrong, missing or may only read is noted with the address', async () => {
  const headers = { 'X-Forwarded-For': '203.0.113.7, 198.51.100.4' }
  const get = (key: string) => world.send('GET', '/api/v3/checks/', { key, headers })
  const lines = await notedBy(async () => {
    await get('x'.repeat(32))
    await world.send('POST', '/api/v3/checks/', { headers, body: {} })
    await world.send('POST', '/api/v2/checks/', { key: 'short', headers, body: {} })
    await world.send('GET', `/projects/${project.uuid}/metrics/${'x'.repeat(32)}`, { headers })
  })
  assert.deepEqual(
    lines.map(({ security, address, request }) => [security, address, request]),
    [
      ['api-key-refused', '198.51.100.4', 'GET /api/v3/checks/'],
      ['api-key-refused', '198.51.100.4', 'POST /api/v3/checks/'],
      ['api-key-refused', '198.51.100.4', 'POST /api/v2/checks/'],
      ['api-key-refused', '198.51.100.4', 'GET /projects/:uuid/metrics/'],
    ],
  )
})

test('what a program changes about who may do what is noted with its token and person', async () => {
  const { token, uuid } = await world.token({ userId: alice.id })
  const owned = await world.token({ projectId: project.id, role: 'manager' })
  const post = (path: string, key: string, body: object) =>
    world.send('POST', `/api/punctual/v1${path}`, {
      headers: { Authorization: `Bearer ${key}`, 'X-Forwarded-For': '198.51.100.4' },
      body,
    })
  const lines = await notedBy(async () => {
    await post(`/keys?project=${project.uuid}`, token, { kind: 'rw' })
    await post('/keys', owned.token, { kind: 'none' })
    await post('/keys', owned.token, { kind: 'ro' })
  })
  const line = { security: 'key-created', address: '198.51.100.4', request: 'POST /api/punctual/v1/keys' }
  assert.deepEqual(
    lines.map(({ account, ...rest }) => (account === undefined ? rest : { account, ...rest })),
    [
      { ...line, account: alice.email, by: `token ${uuid}` },
      { ...line, by: `token ${owned.uuid}` },
    ],
  )
})

/** Forms of accounts and projects that change nothing about who may do what, or that note it themselves. */
const NOT_LISTED = [
  '/accounts/login/',
  '/accounts/link/:token/',
  '/accounts/login/second/',
  '/accounts/login/passkey/options/',
  '/accounts/login/passkey/',
  '/accounts/login/recovery/',
  '/accounts/profile/',
  '/accounts/reports/',
  '/accounts/:user/unsubscribe/:signature/',
  '/accounts/unsubscribe_reports/:signed/',
  '/accounts/passkeys/options/',
  '/projects/:uuid/name/',
  '/projects/:uuid/flips/',
  '/projects/:uuid/protocols/',
  '/projects/:uuid/webhooks/:webhook/test/',
  '/projects/:uuid/checks/bulk/',
  '/projects/:uuid/checks/bulk/edit/',
  '/projects/:uuid/checks/add/',
  '/projects/:uuid/checks/crontab/',
  '/projects/:uuid/undo/:undo/',
  // The page of silences, and the timeline of an incident, keep who did it.
  '/projects/:uuid/silences/add/',
  '/projects/:uuid/silences/:silence/edit/',
  '/projects/:uuid/silences/:silence/end/',
  '/projects/:uuid/incidents/:id/unacknowledge/',
  '/projects/:uuid/incidents/:id/notes/',
]

/** A new form belongs in http/web/people/security-events.ts, or in NOT_LISTED. */
test('every form of accounts and projects is in the list of events, or known to need none', () => {
  const posts = routes.filter(({ method }) => method === 'POST').map(({ path }) => path)
  const listed = [...Object.keys(ON_SUCCESS), ...NOT_LISTED]
  assert.deepEqual(
    posts.filter(path => /^\/(accounts|projects)\//.test(path) && !listed.includes(path)),
    [],
  )
  assert.deepEqual(
    [...listed, ...Object.keys(ON_WRONG_PROOF)].filter(path => !posts.includes(path)),
    [],
    'no such route',
  )
})
