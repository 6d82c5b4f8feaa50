/** A form that changes or ends what its sender was admitted by is carried out to its end, however long each of its writes waits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from '../../_support/browser/visitor.js'
import { eventually } from '../../_support/eventually.js'
import { makeLooksStale } from '../../_support/stale-looks.js'
import { openWebWorld, PASSWORD, type Person } from '../../_support/worlds/web-world.js'

const mails: { to: string; subject: string; text: string }[] = []
const world = await openWebWorld({
  mailer: {
    async send(mail) {
      mails.push(mail as (typeof mails)[number])
    },
  },
})
const { store, clock, alice } = world
let announced = 0
world.changes.on('access', () => announced++)

interface Flow {
  name: string
  /** The last form, whose answer leads `to` another page. */
  send(user: Person): Promise<Page>
  to: string | RegExp
  /** What the subject of the e-mail to the user says; absent: there is none. */
  told?: RegExp
  /** Whether other parts of the program are told that access has ended. */
  ends: boolean
  /** Whether the user is still signed in. */
  stays: boolean
}

const PROFILE = '/accounts/profile/'
const codeOf = (secret: string) => new TOTP({ secret }).generate({ timestamp: clock.now() })

async function setUpApp(user: Person): Promise<Page> {
  const { text } = await user.get('/accounts/totp/')
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec(text)![1]!
  return await user.post('/accounts/totp/', { secret, code: codeOf(secret) })
}

async function linkIn(to: string): Promise<string> {
  const link = () => mails.find(mail => mail.to === to && /\/accounts\/(link|email)\//.test(mail.text))
  await eventually(() => link() !== undefined)
  return /http:\/\/localhost:8000(\/accounts\/\S+\/)/.exec(link()!.text)![1]!
}

async function projectWith(user: Person): Promise<string> {
  const { id, uuid } = await world.projectOf(alice, 'Shared')
  await store.projects.putMember({ projectId: id, userId: user.id, role: 'manager', now: clock.now() })
  return uuid
}

const FLOWS: Flow[] = [
  {
    name: 'a new password',
    send: user => user.post('/accounts/password/', { password: 'battery staple', current: PASSWORD }),
    to: PROFILE,
    told: /password/i,
    ends: true,
    stays: true,
  },
  {
    name: 'a proof of identity',
    send: user => user.post('/accounts/confirm/', { password: PASSWORD }),
    to: PROFILE,
    ends: false,
    stays: true,
  },
  {
    name: 'an authenticator app',
    send: setUpApp,
    to: '',
    told: /second step|sign-in|added/i,
    ends: false,
    stays: true,
  },
  {
    name: 'the end of the second step',
    async send(user) {
      await setUpApp(user)
      return await user.post('/accounts/totp/remove/')
    },
    to: PROFILE,
    told: /second step|sign-in|removed/i,
    ends: false,
    stays: true,
  },
  {
    name: 'the end of other sessions',
    send: user => user.post('/accounts/sessions/revoke/'),
    to: /#sessions$/,
    ends: true,
    stays: true,
  },
  {
    name: 'the end of the own session, by its name',
    async send(user) {
      const [session] = await store.people.listSessions(user.id, clock.now())
      return await user.post(`/accounts/sessions/${session!.uuid}/revoke/`)
    },
    to: /#sessions$/,
    ends: true,
    stays: false,
  },
  {
    name: 'signing out',
    send: user => user.post('/accounts/logout/'),
    to: '/accounts/login/',
    ends: true,
    stays: false,
  },
  {
    name: 'signing in again',
    send: user => user.post('/accounts/login/', { email: user.email, password: PASSWORD }),
    to: /^\//,
    ends: false,
    stays: true,
  },
  {
    name: 'signing in by a link',
    async send(user) {
      await user.post('/accounts/login/link/', { email: user.email })
      return await user.post(await linkIn(user.email))
    },
    to: /^\//,
    told: /sign/i,
    ends: false,
    stays: true,
  },
  {
    name: 'signing in by a link that hands the account over',
    async send(user) {
      await world.raw(`UPDATE users SET email_proven_at = NULL WHERE id = ${user.id}`)
      await user.post('/accounts/login/link/', { email: user.email })
      return await user.post(await linkIn(user.email))
    },
    to: '/accounts/review/',
    told: /sign/i,
    ends: true,
    stays: true,
  },
  {
    name: 'a new address',
    async send(user) {
      await user.post('/accounts/email/', { email: `new-${user.email}` })
      return await user.post(await linkIn(`new-${user.email}`))
    },
    to: PROFILE,
    told: /address/i,
    ends: true,
    stays: true,
  },
  {
    name: 'the end of a token',
    async send(user) {
      const { uuid } = await world.token({ userId: user.id })
      return await user.post(`/accounts/tokens/${uuid}/revoke/`)
    },
    to: /#tokens$/,
    ends: true,
    stays: true,
  },
  {
    name: 'leaving a project',
    send: async user => await user.post(`/projects/${await projectWith(user)}/leave/`),
    to: '/',
    ends: true,
    stays: true,
  },
  {
    name: 'taking on a project',
    async send(user) {
      const uuid = await projectWith(user)
      await alice.post(`/projects/${uuid}/transfer/`, { member: user.uuid })
      return await user.post(`/projects/${uuid}/transfer/accept/`)
    },
    to: /settings/,
    told: /./,
    ends: true,
    stays: true,
  },
  {
    name: 'the deletion of a project',
    async send(user) {
      const { id, uuid } = await world.projectOf(user, 'Own')
      for (let n = 0; n < 25; n++) await world.addCheck(`Check ${n}`, id)
      const page = await user.post(`/projects/${uuid}/remove/`, { name: 'Own' })
      assert.equal(await store.projects.find(uuid), null)
      return page
    },
    to: '/',
    ends: false,
    stays: true,
  },
  {
    name: 'the end of an account',
    async send(user) {
      const { id, uuid } = await world.projectOf(user, 'Own')
      for (let n = 0; n < 25; n++) await world.addCheck(`Check ${n}`, id)
      const page = await user.post('/accounts/close/', { email: user.email })
      assert.equal(await store.projects.find(uuid), null)
      assert.equal(await store.people.findUser(user.email), null)
      return page
    },
    to: '/accounts/login/',
    ends: true,
    stays: false,
  },
]

for (const [n, { name, send, to, told, ends, stays }] of FLOWS.entries()) {
  test(`${name} is not refused by what it has done itself`, async t => {
    const user = await world.person(`user${n}`)
    makeLooksStale(t)
    const before = announced
    const { status, location } = await send(user)
    assert.equal(status, to === '' ? 200 : 303)
    if (typeof to === 'string') assert.equal(location ?? '', to)
    else assert.match(location ?? '', to)
    assert.equal(announced > before, ends)
    if (told) await eventually(() => mails.some(mail => mail.to === user.email && told.test(mail.subject)))
    else assert.equal(mails.filter(mail => mail.to === user.email).length, 0)
    const page = to === '/accounts/review/' ? to : PROFILE
    assert.equal((await user.get(page)).status, stays ? 200 : 302)
  })
}
