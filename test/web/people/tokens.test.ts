/** API tokens on pages: of a person, on the account, and of a project, on its settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPE_NAMES, SCOPES } from '../../../src/core/people/scopes.js'
import type { Page } from '../../_support/browser/visitor.js'
import { ownSession } from '../../_support/own-session.js'
import { openWebWorld, type Person } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, mike, bob, rita, charlie, project, store, clock, noted } = world
const SETTINGS = `/projects/${project.uuid}/settings/`
const OWN = '/accounts/tokens/'
const OF_PROJECT = `/projects/${project.uuid}/tokens/`
const FORM = { name: 'Terraform', lifetime: '90', scopes: ['checks:read', 'checks:write'] }
const API = '/api/punctual/v1'
const project_ = `?project=${project.uuid}`

const tokenIn = ({ text }: Page) => /pun_[0-9A-Za-z]{36}/.exec(text)?.[0]

/** Fills in the form, and returns the token that is shown on the next page. */
async function make(who: Person, path: string, fields = FORM): Promise<string> {
  const sent = await who.post(`${path}add/`, fields)
  assert.equal(sent.status, 303, sent.text)
  assert.equal(tokenIn(sent), undefined)
  const page = await who.open(sent.location!.replace(/#.*/, ''))
  const token = tokenIn(page)
  assert.ok(token)
  assert.equal(tokenIn(await who.open(sent.location!)), undefined, 'it is shown once')
  return token
}

const status = async (token: string, path = `/policies${project_}`) =>
  (await world.get(API + path, token)).status

test('a new token is shown only to who made it, not to who signs in next in the same browser', async () => {
  const maker = await world.person('first-user')
  const other = await world.person('next-user')
  const sent = await maker.post(`${OWN}add/`, FORM)
  for (const [name, value] of other.cookies) maker.cookies.set(name, value)
  const { text } = await maker.open(sent.location!)
  assert.match(text, /next-user/)
  assert.equal(tokenIn({ text } as Page), undefined)
})

test('both pages show the address at which assistants use a token, and their guide', async () => {
  for (const path of ['/accounts/profile/', SETTINGS]) {
    const { text } = await alice.get(path)
    assert.ok(text.includes(`<code tabindex="0">${world.config.SITE_ROOT}/mcp</code>`), path)
    assert.match(text, /href="[^"]*\/docs\/mcp\/"/)
  }
})

test('the form says what each scope allows', async () => {
  const { text } = await alice.get(`${OWN}add/`)
  for (const scope of SCOPE_NAMES) {
    assert.ok(text.includes(SCOPES[scope].can), scope)
    assert.ok(text.includes(`value="${scope}"`))
  }
})

test('the form says what scopes allow beyond their names', async () => {
  const { text } = await alice.get(`${OWN}add/`)
  for (const beyond of [
    /A new webhook can be sent the output of jobs\./,
    /also ping URLs, with which anyone can send pings\./,
    /change and delete projects/,
    /hand over and leave projects/,
  ])
    assert.match(text, beyond)
})

test('a token of a person is shown once, listed by its prefix, works, and is revoked', async () => {
  noted.length = 0
  const token = await make(alice, OWN)
  const [row] = await store.projects.listApiTokens({ userId: alice.id })
  assert.equal(row!.expiresAt, clock.now() + 90 * 86_400_000)
  assert.deepEqual(row!.scopes, FORM.scopes)
  assert.equal(await status(token), 200)
  const { text } = await alice.open('/accounts/profile/')
  for (const part of [
    'Terraform',
    `${token.slice(0, 10)}…`,
    'checks:read, checks:write',
    `Created by ${alice.email}`,
  ]) {
    assert.ok(text.includes(part), part)
  }
  assert.ok(!text.includes(token))
  const revoke = `${OWN}${row!.uuid}/revoke/`
  assert.equal((await charlie.post(revoke)).status, 404)
  assert.equal(await status(token), 200)
  assert.equal((await alice.post(revoke)).status, 303)
  clock.advance(1)
  assert.equal(await status(token), 401)
  const events = noted.map(({ security, name, apiToken }) => [security, name ?? apiToken])
  assert.deepEqual(events.slice(0, 2), [
    ['token-created', 'Terraform'],
    ['token-revoked', row!.uuid],
  ])
})

test('a token of a project works in that project alone', async () => {
  const token = await make(bob, OF_PROJECT)
  assert.equal(await status(token, '/policies'), 200)
  assert.equal(await status(token), 200)
  assert.equal(await status(token, `/policies?project=${world.charlies.uuid}`), 404)
  const { text } = await mike.open(SETTINGS)
  assert.ok(text.includes(`${token.slice(0, 10)}…`) && text.includes(`Created by ${bob.email}`))
  assert.ok(!(await rita.open(SETTINGS)).text.includes(token.slice(0, 10)))
  const [row] = await store.projects.listApiTokens({ projectId: project.id })
  assert.equal((await mike.post(`${OF_PROJECT}${row!.uuid}/revoke/`)).status, 303)
  clock.advance(1)
  assert.equal(await status(token, '/policies'), 401)
})

test('a member can make no token that does more than a member', async () => {
  assert.ok(!(await bob.get(`${OF_PROJECT}add/`)).text.includes('members:write'))
  assert.ok((await mike.get(`${OF_PROJECT}add/`)).text.includes('members:write'))
  await make(bob, OF_PROJECT, { ...FORM, scopes: ['checks:read', 'members:write'] })
  const made = (await store.projects.listApiTokens({ projectId: project.id })).at(-1)!
  assert.deepEqual(made.scopes, ['checks:read'])
})

test('a form without a name or a scope is shown again with the error', async () => {
  const nameless = await alice.post(`${OWN}add/`, { ...FORM, name: ' ' })
  assert.equal(nameless.status, 400)
  assert.match(nameless.text, /Enter a name that says what uses the token/)
  const powerless = await alice.post(`${OWN}add/`, { ...FORM, scopes: [] })
  assert.equal(powerless.status, 400)
  assert.match(powerless.text, /Choose at least one scope/)
  assert.match(powerless.text, /value="Terraform"/)
})

test('a person’s token needs a recent proof of identity', async () => {
  clock.advance(3_600)
  for (const asked of [await mike.get(`${OWN}add/`), await mike.post(`${OWN}add/`, FORM)]) {
    assert.match(asked.location!, /^\/accounts\/confirm\//)
  }
  assert.deepEqual(await store.projects.listApiTokens({ userId: mike.id }), [])
})

test('a person’s token does only what the role of the moment allows, and nothing after leaving', async () => {
  const { token } = await world.token({ userId: bob.id })
  const change = async () => {
    const body = { name: `Policy ${clock.now()}`, steps: [{ after: 0, channels: 'check' }] }
    return (await world.send('POST', `${API}/policies${project_}`, { key: token, body })).status
  }
  assert.equal(await change(), 201)
  await store.projects.setMemberRole(project.id, bob.uuid, 'readonly', 1)
  assert.deepEqual([await change(), await status(token)], [403, 200])
  await store.projects.removeMember(project.id, bob.uuid, 1)
  assert.deepEqual([await change(), await status(token)], [404, 404])
})

test('tokens for members end with the right to invite; others of the project stay', async () => {
  const owner = { projectId: project.id, role: 'manager' as const }
  const names = async () =>
    (await store.projects.listApiTokens({ projectId: project.id })).map(({ name }) => name)
  for (const [name, scope] of [
    ['Inviting', 'members:write'],
    ['Reading', 'checks:read'],
  ] as const) {
    const digest = `${name} of Mike`
    const fields = { name, digest, hint: 'pun_', scopes: [scope], by: await ownSession(store, mike, clock) }
    await store.projects.addApiToken({ ...fields, owner, expiresAt: null, now: clock.now() })
  }
  await store.projects.setMemberRole(project.id, mike.uuid, 'member', 1)
  const left = await names()
  assert.ok(left.includes('Reading') && !left.includes('Inviting'))
})

test('the tokens of an account end when it is disabled, signed out or closed', async () => {
  for (const end of [
    (id: number) => store.people.setDisabled(id, clock.now()),
    (id: number) => store.people.endSignIns(id, 3),
    (id: number) => store.people.deleteUser(id, 1),
  ]) {
    const person = await world.person(`p${clock.now()}`)
    const { token } = await world.token({ userId: person.id })
    const path = '/policies?project=00000000-0000-4000-8000-000000000000'
    assert.equal(await status(token, path), 404)
    await end(person.id)
    clock.advance(1)
    assert.equal(await status(token, path), 401)
  }
})

test('the tokens of a project end with it, and with all access of others', async () => {
  const his = await world.projectOf(charlie, 'Short')
  const { token } = await world.token({ projectId: his.id, role: 'member' })
  assert.equal(await status(token, '/policies'), 200)
  await store.projects.endOthersAccess(charlie.id, 1)
  clock.advance(1)
  assert.equal(await status(token, '/policies'), 401)
  const { token: other } = await world.token({ projectId: his.id, role: 'member' })
  assert.equal(await status(other, '/policies'), 200)
  await store.projects.delete(his.id)
  clock.advance(1)
  assert.equal(await status(other, '/policies'), 401)
})
