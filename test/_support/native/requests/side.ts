/** A project with people, tokens and one of everything, whose texts are marked so that they are found in answers. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beginSession } from '../../../../src/actions/people/sign-in/begin-session.js'
import type { MemberRole } from '../../../../src/core/people/role.js'
import { mayChange, SCOPE_NAMES, type ScopeName } from '../../../../src/core/people/scopes.js'
import { NATIVE_PREFIX } from '../../../../src/http/native/native-routes.js'
import { SESSION_COOKIE } from '../../../../src/http/web/people/session.js'
import { newApiToken } from '../../../../src/lib/secrets/api-token.js'
import { newApiKey, newPingKey } from '../../../../src/lib/secrets/secrets.js'
import type { World } from '../../worlds/world.js'
import type { Noun } from './any-value.js'

export interface Requester {
  name: string
  headers: Record<string, string>
  /** Whether requests have to name the project. */
  namesProject: boolean
  /** False for who may not see what pings checks. */
  seesUuids: boolean
  /** Whether the credential is valid. */
  isKnown: boolean
}

/** A project and all who have to do with it. */
export interface Side {
  mark: string
  /** What outsiders may not see, with what is created later. */
  secrets: Set<string>
  checkUuids: Set<string>
  pools: Record<Noun, string[]>
  /** Who only reads, until their role is changed. */
  reader: { uuid: string; requester: Requester }
  requesters: Requester[]
}

const known = { isKnown: true }

/** The name of each owner's second project, and its place in the pool. */
export const SPARE_NAME = 'Spare'
export const SPARE_PROJECT = 8
/** The place in the pool of the check that is paused. */
export const PAUSED_CHECK = 3

export async function openSide(world: World): Promise<Side> {
  const { store, clock } = world
  const mark = `mark${randomBytes(6).toString('hex')}`
  const person = (name: string) =>
    store.people.createUser({
      email: `${name}.${mark}@example.org`,
      passwordHash: null,
      emailProven: true,
      now: clock.now(),
    })
  const [owner, manager, member, reader, leaver] = await Promise.all(
    ['owner', 'manager', 'member', 'reader', 'leaver'].map(person),
  )
  const account = await world.account(`Main ${mark}`, owner!.id)
  const spare = await world.account(SPARE_NAME, owner!.id)
  const { projectId, rw, ro } = account
  const roles: [typeof manager, MemberRole][] = [
    [manager, 'manager'],
    [member, 'member'],
    [reader, 'readonly'],
    [leaver, 'member'],
  ]
  for (const [one, role] of roles) {
    await store.projects.putMember({ projectId, userId: one!.id, role, now: clock.now() })
  }
  const tokenOf = (one: { id: number } | undefined) => world.token({ userId: one!.id })
  const whole = { projectId, role: 'manager' as const }
  const byToken = (name: string, token: string, more: Partial<Requester> = {}): Requester => ({
    name,
    headers: { Authorization: `Bearer ${token}` },
    namesProject: false,
    seesUuids: true,
    ...known,
    ...more,
  })
  const scoped = async (scope: ScopeName) =>
    byToken(`project token ${scope}`, (await world.token(whole, { scopes: [scope] })).token, {
      seesUuids: mayChange([scope]),
    })
  const expired = await world.token(whole, { expiresAt: clock.now() + 1_000 })
  clock.advance(2)
  const revoked = await world.token(whole)
  await store.projects.revokeApiToken({ projectId }, revoked.uuid, clock.now())
  const session = await beginSession(store, clock, {
    user: owner!,
    method: 'link',
    visitor: { ua: 'node', address: '127.0.0.1' },
  })
  const tokens = {
    owner: await tokenOf(owner),
    spare: await tokenOf(owner),
    project: await world.token(whole),
  }
  const asPerson = { namesProject: true }
  const requesters: Requester[] = [
    byToken('owner', tokens.owner.token, asPerson),
    byToken('manager', (await tokenOf(manager)).token, asPerson),
    byToken('project token', tokens.project.token),
    byToken('member', (await tokenOf(member)).token, asPerson),
    byToken('reader', (await tokenOf(reader)).token, { ...asPerson, seesUuids: false }),
    byToken('leaver', (await tokenOf(leaver)).token, asPerson),
    { ...byToken('read-write key', ''), headers: { 'X-Api-Key': rw } },
    { ...byToken('read-only key', ''), headers: { 'X-Api-Key': ro }, seesUuids: false },
    byToken('expired', expired.token, { isKnown: false }),
    byToken('revoked', revoked.token, { isKnown: false }),
    byToken('unknown token', newApiToken(), { isKnown: false }),
    byToken('unknown key', newApiKey('rw'), { isKnown: false }),
    { ...byToken('session', ''), headers: { Cookie: `${SESSION_COOKIE}=${session}` }, isKnown: false },
    { ...byToken('nobody', ''), headers: {}, isKnown: false },
    ...(await Promise.all(SCOPE_NAMES.map(scoped))),
  ]

  const send = async (path: string, body: object) => {
    const query = path.startsWith('/projects/') ? '' : `?project=${account.projectUuid}`
    const reply = await world.send('POST', `${NATIVE_PREFIX}${path}${query}`, {
      key: tokens.owner.token,
      body,
    })
    assert.ok(reply.status < 300, `${path}: ${reply.text}`)
    return reply.json
  }
  const channel = (fields: { kind: string; settings: Record<string, string>; confirmed?: false }) =>
    store.channels.create({ ...fields, projectId, name: `Channel ${mark}`, members: [], now: clock.now() })
  const webhook = { url_down: `http://127.0.0.1:1/${mark}` }
  const channels = [
    await channel({ kind: 'webhook', settings: webhook }),
    await channel({ kind: 'webhook', settings: { ...webhook, url_up: 'http://127.0.0.1:1/up' } }),
    await channel({
      kind: 'email',
      settings: { value: `ops.${mark}@example.org`, down: 'true', up: 'true' },
    }),
    await channel({ kind: 'email', settings: { value: `asked.${mark}@example.org` }, confirmed: false }),
  ].map(({ uuid }) => uuid)
  const checks: string[] = []
  for (const slug of ['one', 'two', 'three', 'four']) {
    const fields = { name: `Check ${mark}`, slug, tags: [`tag-${mark}`], desc: `About ${mark}` }
    checks.push((await send('/checks', fields)).uuid)
  }
  await store.checks.pause(projectId, checks[PAUSED_CHECK]!, clock.now())
  for (const uuid of checks.slice(0, 3)) {
    await world.ping({ uuid }, '/start')
    await world.ping({ uuid }, '/fail', { method: 'POST', body: `Output ${mark}` })
  }
  const listed = (await world.get(`${NATIVE_PREFIX}/incidents`, rw)).json.items
  const incidents: string[] = listed.map(({ id }: { id: number }) => String(id))
  await send(`/incidents/${incidents[0]}/notes`, { note: `Note ${mark}` })
  await world.ping({ uuid: checks[2]! })
  const to = new Date(clock.now() + 86_400_000).toISOString()
  const silence = { scope: { checks: [checks[3]] }, when: { to }, reason: `Reason ${mark}` }
  const policy = { name: `Policy ${mark}`, steps: [{ after: 0, channels: 'check' }] }
  const silences = [await send('/silences', silence), await send('/silences', silence)]
  const policies = [await send('/policies', policy), await send('/policies', { ...policy, name: 'On call' })]
  const invitations = [
    await send('/invitations', { role: 'member' }),
    await send('/invitations', { role: 'member' }),
  ]
  const uniqueKeys: string[] = (await world.get(`${NATIVE_PREFIX}/checks`, ro)).json.items.map(
    (one: { unique_key: string }) => one.unique_key,
  )
  const eventWebhook = { name: `Events ${mark}`, url: `http://127.0.0.1:1/${mark}`, types: ['check'] }
  const eventWebhooks = [
    await send('/event-webhooks', eventWebhook),
    await send('/event-webhooks', { ...eventWebhook, enabled: false }),
  ]
  await send(`/projects/${account.projectUuid}/transfer`, { member: manager!.uuid })
  const idOf = ({ id }: { id: number }) => String(id)
  const uuidOf = ({ uuid }: { uuid: string }) => uuid
  const pools: Side['pools'] = {
    checks,
    unique_keys: uniqueKeys,
    channels,
    incidents,
    silences: silences.map(idOf),
    policies: policies.map(idOf),
    members: [member!, reader!, leaver!, manager!, owner!].map(uuidOf),
    // The first one most often.
    projects: [...Array.from({ length: SPARE_PROJECT }, () => account.projectUuid), spare.projectUuid],
    tokens: [tokens.spare.uuid, tokens.project.uuid],
    me: [tokens.spare.uuid],
    invitations: invitations.map(uuidOf),
    'event-webhooks': eventWebhooks.map(uuidOf),
    keys: ['ping', rw.slice(0, 8), newPingKey().slice(0, 8)],
  }
  const secrets = new Set([
    mark,
    ...checks,
    ...uniqueKeys,
    ...channels,
    ...pools.members,
    ...pools.tokens,
    ...pools.invitations,
    ...pools['event-webhooks'],
    ...eventWebhooks.map(({ secret }: { secret: string }) => secret),
    account.projectUuid,
    spare.projectUuid,
    rw,
    ro,
    account.pingKey,
  ])
  const reading = { uuid: reader!.uuid, requester: requesters.find(({ name }) => name === 'reader')! }
  return { mark, secrets, checkUuids: new Set(checks), pools, reader: reading, requesters }
}
