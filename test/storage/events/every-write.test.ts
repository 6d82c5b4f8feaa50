/** Every method of the store that writes records an event, or stands on the list of those that do not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beginSession } from '../../../src/actions/people/sign-in/begin-session.js'
import { applyConfig } from '../../../src/actions/projects/config/apply-config.js'
import { planConfig } from '../../../src/actions/projects/config/plan-config.js'
import { stateSteps } from '../../../src/core/checks/undo.js'
import { EVENT_TYPE_NAMES, type EventType } from '../../../src/core/events/event-types.js'
import { actingStore } from '../../../src/storage/events/acting.js'
import { isWrite } from '../../../src/storage/method.js'
import { methods } from '../../../src/storage/nouns.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { FakeClock } from '../../_support/clock.js'
import { plainApplier } from '../../_support/config/plain-applier.js'
import { giveUpWebhook } from '../../_support/give-up-webhook.js'
import { ownSession } from '../../_support/own-session.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'
import { methodsWithoutEvents } from './without-events.js'

const ALICE = { kind: 'person', id: 'a', name: 'alice@example.org', address: '192.0.2.1' } as const
const NOW = Date.UTC(2026, 0, 15, 12)

/** A project of Alice with a member, two checks that are down, one that is up, a channel, a silence and a policy. */
async function openWorld() {
  const fresh = await openFreshStore()
  const store = actingStore(fresh.store, ALICE)
  const clock = new FakeClock(NOW)
  const user = async (email: string) => await store.people.createUser({ email, passwordHash: null, now: 1 })
  const [alice, bob, carol] = [await user('a@x.org'), await user('b@x.org'), await user('c@x.org')]
  const visitor = { ua: 'node', address: '192.0.2.1' }
  await beginSession(store, clock, { user: alice, method: 'password', visitor })
  const named = { name: 'Home', ownerId: alice.id, pingKey: 'key', now: 1 }
  const project = await store.projects.create(named)
  const other = await store.projects.create({ ...named, name: 'Other', pingKey: null })
  const scene = new StoreHarness(store, project.id, NOW)
  const chat = await scene.addChannel('Chat', { url_down: 'https://hook.example/SECRET', name: 'x' })
  await scene.ping('one', 'fail')
  await scene.ping('two', 'fail')
  await scene.ping('three')
  const checks = await scene.checkUuids()
  await store.projects.putMember({ projectId: project.id, userId: bob.id, role: 'manager', now: 1 })
  await store.projects.addApiKey({ projectId: project.id, kind: 'rw', digest: 'd', hint: 'hcw_abcd', now: 1 })
  const rules = { steps: [{ after: 0, channels: 'check' as const }], repeat: null }
  const policy = await store.incidents.createPolicy(project.id, {
    name: 'P',
    isDefault: false,
    ...rules,
    now: 1,
  })
  const asked = { mode: 'hold' as const, scope: { project: true as const }, channels: null, reason: 'work' }
  const times = { kind: 'once' as const, from: NOW, to: NOW + 3_600_000 }
  const silence = await store.silences.create(project.id, { ...asked, times, createdBy: 'Alice', now: NOW })
  const by = await ownSession(store, alice, clock)
  const invite = async (digest: string, email: string | null = null) =>
    await store.projects.addInvitation({
      projectId: project.id,
      by,
      digest,
      role: 'member',
      email,
      now: NOW,
      expiresAt: NOW + 1e9,
    })
  const { incidents } = await store.incidents.list(project.id, {}, { after: null, limit: 10, now: NOW })
  const incident = incidents[0]!.id
  const [one, two, three] = [...checks].sort((a, b) => checks.indexOf(a) - checks.indexOf(b)) as [
    string,
    string,
    string,
  ]
  const uuids = { one, two, three }
  return {
    ...fresh,
    store,
    scene,
    alice,
    bob,
    carol,
    project,
    other,
    chat,
    ...uuids,
    policy,
    silence,
    rules,
    asked,
    times,
    by,
    invite,
    incident,
  }
}

type World = Awaited<ReturnType<typeof openWorld>>

const WEBHOOK = '11111111-1111-4111-8111-111111111111'

async function addWebhook({ store, project, by }: World) {
  const asked = { name: 'Ops', url: 'https://example.org/SECRET', types: [], enabled: true }
  await store.events.createWebhook(project.id, { ...asked, uuid: WEBHOOK, secret: 'sealed', by, now: NOW })
}

/** For each method a call that changes something, and the types of the events that it records at least. */
const EXAMPLES: Record<string, [EventType[], (world: World) => Promise<unknown>]> = {
  'events.createWebhook': [['webhook.created'], w => addWebhook(w)],
  'events.updateWebhook': [
    ['webhook.updated'],
    async w => {
      await addWebhook(w)
      await w.store.events.updateWebhook(w.project.id, WEBHOOK, { name: 'Other', by: w.by, now: NOW })
    },
  ],
  'events.deleteWebhook': [
    ['webhook.deleted'],
    async w => {
      await addWebhook(w)
      await w.store.events.deleteWebhook(w.project.id, WEBHOOK, { by: w.by, now: NOW })
    },
  ],
  'checks.create': [
    ['check.created'],
    w => w.store.checks.create(w.project.id, { changes: { name: 'new' }, unique: null, now: NOW }),
  ],
  'checks.createEach': [
    ['check.created'],
    w => w.store.checks.createEach(w.project.id, [{ changes: { name: 'new' }, now: NOW }]),
  ],
  'checks.update': [
    ['check.updated'],
    w => w.store.checks.update(w.project.id, w.one, { changes: { name: 'x' }, channels: '', now: NOW }),
  ],
  'checks.pause': [['check.paused', 'incident.closed'], w => w.store.checks.pause(w.project.id, w.one, NOW)],
  'checks.pauseMany': [
    ['check.paused', 'incident.closed'],
    w => w.store.checks.pauseMany(w.project.id, [w.one], NOW),
  ],
  'checks.resumeMany': [
    ['check.resumed'],
    async w => {
      await w.store.checks.pause(w.project.id, w.one, NOW)
      await w.store.checks.resumeMany(w.project.id, [w.one], NOW)
    },
  ],
  'checks.resume': [
    ['check.resumed'],
    async w => {
      await w.store.checks.pause(w.project.id, w.one, NOW)
      await w.store.checks.resume(w.project.id, w.one, NOW)
    },
  ],
  'checks.delete': [
    ['check.deleted', 'incident.closed'],
    w => w.store.checks.delete(w.project.id, w.one, NOW),
  ],
  'checks.copy': [
    ['check.created'],
    w => w.store.checks.copy(w.project.id, w.one, { name: 'copy', slug: 'copy' }, NOW),
  ],
  'checks.move': [
    ['check.moved', 'incident.closed', 'incident.opened'],
    w => w.store.checks.move({ projectId: w.project.id, uuid: w.one, targetId: w.other.id, now: NOW }),
  ],
  'checks.tag': [
    ['check.updated'],
    w => w.store.checks.tag(w.project.id, [w.one, w.two], { add: ['a'], remove: [], now: NOW }),
  ],
  'events.settleWebhook': [
    ['webhook.disabled'],
    async w => {
      await addWebhook(w)
      const { id } = await w.store.events.webhook(w.project.id, WEBHOOK)
      await giveUpWebhook(w.store, id, NOW)
    },
  ],
  'checks.keepUndo': [['check.planned'], w => plan(w)],
  'checks.undo': [
    ['check.unplanned'],
    async w => {
      const { uuid } = await plan(w)
      await w.store.checks.undo({ uuid, projectIds: [w.project.id], userId: w.alice.id, now: NOW })
    },
  ],
  'checks.edit': [
    ['check.updated', 'check.planned'],
    async w => assert.equal((await editTogether(w)).changed, 2),
  ],
  'checks.restoreEdits': [
    ['check.updated'],
    async w => {
      await editTogether(w)
      const step = {
        did: 'edit',
        check: w.one,
        name: '',
        before: { settings: { graceSeconds: 3_600 } },
      } as const
      const steps = [{ ...step, after: { settings: { graceSeconds: 600 } } }]
      const { left } = await w.store.checks.restoreEdits([{ projectId: w.project.id, steps }], NOW, NOW)
      assert.deepEqual(left, [])
    },
  ],
  'checks.restoreTags': [
    ['check.updated'],
    async w => {
      const { changed } = await w.store.checks.tag(w.project.id, [w.one], {
        add: ['a'],
        remove: [],
        now: NOW,
      })
      await w.store.checks.restoreTags(w.project.id, [{ did: 'tags', ...changed[0]! }], NOW)
    },
  ],
  'checks.restoreStates': [
    ['check.restored', 'incident.closed', 'incident.reopened'],
    async w => {
      const [step] = stateSteps(await w.store.checks.pause(w.project.id, w.one, NOW))
      assert.ok((await w.store.checks.restoreStates(w.project.id, [step as StateStep], NOW)).restored)
    },
  ],
  'checks.setWrapFlips': [['project.updated'], w => w.store.checks.setWrapFlips(w.project.id, true, NOW)],
  'projects.setPushTokens': [
    ['check.updated'],
    w => w.store.projects.setPushTokens(w.project.id, w.one, ['imported-1'], NOW),
  ],
  'projects.setProtocols': [
    ['project.updated'],
    w => w.store.projects.setProtocols(w.project.id, ['sentry'], NOW),
  ],
  'pings.record': [['check.up', 'incident.closed'], w => w.scene.ping('one')],
  'pings.recordLarge': [
    ['check.up', 'incident.closed'],
    w => w.store.pings.recordLarge(() => [arrivedPing({ uuid: w.one }, NOW)]),
  ],
  'pings.recordInLine': [
    ['check.up', 'incident.closed'],
    async w => {
      const [row] = await w.raw(`SELECT id FROM checks WHERE uuid = '${w.one}'`)
      return await w.store.pings.recordInLine(Number(row!.id), () => [arrivedPing({ uuid: w.one }, NOW)])
    },
  ],
  'pings.clearEvents': [
    ['check.cleared', 'incident.closed'],
    w => w.store.pings.clearEvents(w.project.id, w.one, NOW),
  ],
  'alerts.declareDown': [
    ['check.down', 'incident.opened'],
    w => w.store.alerts.declareDown(NOW + 3 * 86_400_000, 10),
  ],
  'channels.create': [['channel.created'], w => w.scene.addChannel('More')],
  'channels.update': [['channel.updated'], w => changeChat(w)],
  'channels.rename': [['channel.updated'], w => w.store.channels.rename(w.chat.id, 'Talk', NOW)],
  'channels.delete': [['channel.deleted'], w => w.store.channels.delete(w.chat.id, NOW)],
  'channels.setEnabled': [['channel.updated'], w => w.store.channels.setEnabled(w.chat.id, false, NOW)],
  'channels.confirm': [
    ['channel.updated'],
    async w => {
      await changeChat(w, false)
      await w.store.channels.confirm({
        uuid: w.chat.uuid,
        settings: { url_down: 'https://hook.example/OTHER' },
        now: NOW,
      })
    },
  ],
  'channels.unsubscribe': [
    ['channel.updated'],
    async w => {
      const { settings } = (await w.store.channels.find(w.chat.uuid))!
      assert.ok(await w.store.channels.unsubscribe({ uuid: w.chat.uuid, settings, confirms: true, now: NOW }))
    },
  ],
  'channels.assign': [
    ['check.updated'],
    w => w.store.channels.assign({ id: w.chat.id, projectId: w.project.id, checks: [w.one], now: NOW }),
  ],
  'channels.switchForCheck': [
    ['check.updated'],
    async w => {
      const names = { check: w.one, channel: (await w.scene.addChannel('Second')).uuid }
      await w.store.channels.switchForCheck(w.project.id, names, false, NOW)
      await w.store.channels.switchForCheck(w.project.id, names, true, NOW)
    },
  ],
  'channels.switchForChecks': [
    ['check.updated'],
    async w => {
      const names = { checks: [w.one, w.two], channel: (await w.scene.addChannel('Second')).uuid }
      await w.store.channels.switchForChecks(w.project.id, names, false, NOW)
    },
  ],
  'incidents.acknowledge': [['incident.acknowledged'], w => acknowledge(w)],
  'incidents.unacknowledge': [
    ['incident.unacknowledged'],
    async w => {
      await acknowledge(w)
      await w.store.incidents.unacknowledge(w.project.id, w.incident, { by: 'Alice', now: NOW })
    },
  ],
  'incidents.addNote': [
    ['incident.noted'],
    w => w.store.incidents.addNote(w.project.id, w.incident, 'x', { by: 'Alice', now: NOW }),
  ],
  'incidents.createPolicy': [
    ['policy.created'],
    w => w.store.incidents.createPolicy(w.project.id, { name: 'Q', isDefault: true, ...w.rules, now: NOW }),
  ],
  'incidents.updatePolicy': [
    ['policy.updated'],
    w => w.store.incidents.updatePolicy(w.project.id, w.policy.id, { name: 'R', now: NOW }),
  ],
  'incidents.deletePolicy': [
    ['policy.deleted'],
    w => w.store.incidents.deletePolicy(w.project.id, w.policy.id, NOW),
  ],
  'silences.create': [
    ['silence.created'],
    w => w.store.silences.create(w.project.id, { ...w.asked, times: w.times, createdBy: 'Alice', now: NOW }),
  ],
  'silences.update': [
    ['silence.updated'],
    w => w.store.silences.update(w.project.id, w.silence.id, { reason: 'more', now: NOW }),
  ],
  'silences.end': [['silence.ended'], w => w.store.silences.end(w.project.id, w.silence.id, NOW)],
  'projects.applyConfig': [
    ['check.created'],
    async w => {
      const request = {
        projectId: w.project.id,
        document: { checks: { nightly: {} } },
        owner: 'punctual.yaml',
      }
      const planned = await planConfig(w.store, new FakeClock(NOW), {
        ...request,
        prune: false,
        maxDeletes: 0,
      })
      await applyConfig(w.store, new FakeClock(NOW), { ...planned, ...request }, plainApplier)
    },
  ],
  'projects.create': [
    ['project.created', 'key.created'],
    w =>
      w.store.projects.create({
        name: 'New',
        ownerId: w.alice.id,
        pingKey: null,
        apiKeys: [{ kind: 'ro', digest: 'e', hint: 'hcr_abcd' }],
        now: NOW,
      }),
  ],
  'projects.rename': [['project.updated'], w => w.store.projects.rename(w.project.id, 'House', NOW)],
  'projects.addPingKey': [
    ['key.created'],
    w => w.store.projects.addPingKey({ projectId: w.other.id, pingKey: 'key2', now: NOW }),
  ],
  'projects.revokePingKey': [
    ['key.revoked'],
    w => w.store.projects.revokePingKey({ projectId: w.project.id, now: NOW }),
  ],
  'projects.addApiKey': [
    ['key.created'],
    w =>
      w.store.projects.addApiKey({
        projectId: w.project.id,
        kind: 'ro',
        digest: 'e',
        hint: 'hcr_abcd',
        now: NOW,
      }),
  ],
  'projects.revokeApiKeys': [
    ['key.revoked'],
    w => w.store.projects.revokeApiKeys({ projectId: w.project.id, kind: 'rw', now: NOW }),
  ],
  'projects.addApiToken': [['token.created'], w => addToken(w)],
  'projects.revokeApiToken': [
    ['token.revoked'],
    async w => {
      const { uuid } = await addToken(w)
      await w.store.projects.revokeApiToken({ projectId: w.project.id }, uuid, NOW)
    },
  ],
  'projects.putMember': [
    ['member.added'],
    w =>
      w.store.projects.putMember({ projectId: w.project.id, userId: w.carol.id, role: 'readonly', now: NOW }),
  ],
  'projects.setMemberRole': [
    ['member.updated', 'invitation.ended'],
    async w => {
      await w.store.projects.setMemberRole(w.project.id, w.bob.uuid, 'manager', NOW)
      await inviteByBob(w)
      await w.store.projects.setMemberRole(w.project.id, w.bob.uuid, 'readonly', NOW)
    },
  ],
  'projects.removeMember': [
    ['member.removed'],
    w => w.store.projects.removeMember(w.project.id, w.bob.uuid, NOW),
  ],
  'projects.endOthersAccess': [
    ['member.removed', 'invitation.ended', 'key.revoked', 'webhook.deleted'],
    async w => {
      await w.invite('i')
      await addWebhook(w)
      await w.store.projects.endOthersAccess(w.alice.id, NOW)
    },
  ],
  'projects.addInvitation': [
    ['invitation.created', 'invitation.ended'],
    async w => {
      await w.invite('i', 'd@x.org')
      await w.invite('j', 'd@x.org')
    },
  ],
  'projects.acceptInvitation': [
    ['invitation.ended', 'member.added'],
    async w => {
      await w.invite('i')
      await w.store.projects.acceptInvitation('i', w.carol.id, NOW)
    },
  ],
  'projects.removeInvitation': [
    ['invitation.ended'],
    async w => w.store.projects.removeInvitation(w.project.id, await w.invite('i'), NOW),
  ],
  'projects.offerTransfer': [['project.updated'], w => offer(w)],
  'projects.cancelTransfer': [
    ['project.updated'],
    async w => {
      await offer(w)
      await w.store.projects.cancelTransfer(w.project.id, NOW)
    },
  ],
  'projects.acceptTransfer': [
    ['project.updated', 'member.added'],
    async w => {
      await offer(w)
      await w.store.projects.acceptTransfer(w.project.id, w.bob.id, NOW)
    },
  ],
  'people.createAccount': [
    ['project.created', 'check.created', 'channel.created'],
    w =>
      w.store.people.createAccount(
        { email: 'e@x.org', passwordHash: null, now: NOW },
        {
          project: { name: '', pingKey: null, now: NOW },
          check: { name: 'First', slug: 'first' },
          channel: firstChannel,
        },
      ),
  ],
  'people.createGuest': [
    ['member.added'],
    async w => {
      await w.invite('i')
      await w.store.people.createGuest({
        invitation: 'i',
        proof: null,
        user: { email: 'e@x.org', passwordHash: null, now: NOW },
      })
    },
  ],
  'people.deleteUser': [['member.removed'], w => w.store.people.deleteUser(w.bob.id, NOW)],
  'people.beginClosing': [
    ['invitation.ended'],
    async w => {
      await inviteByBob(w)
      await w.store.people.beginClosing(w.bob.id, NOW)
    },
  ],
  'people.setDisabled': [
    ['invitation.ended'],
    async w => {
      await inviteByBob(w)
      await w.store.people.setDisabled(w.bob.id, NOW)
    },
  ],
  'people.endSignIns': [
    ['invitation.ended', 'token.revoked'],
    async w => {
      await inviteByBob(w)
      await w.store.people.endSignIns(w.bob.id, NOW)
    },
  ],
  'people.setPassword': [
    ['invitation.ended', 'token.revoked'],
    async w => {
      const by = await inviteByBob(w)
      const password = { passwordHash: 'new', digest: 'new', recovers: true, now: NOW }
      await w.store.people.setPassword({ ...by, ...password })
    },
  ],
  'people.setEmail': [
    ['invitation.ended', 'token.revoked'],
    async w => {
      const by = await inviteByBob(w)
      await w.store.people.setEmail({ ...by, email: 'moved@x.org', provenAt: null, now: NOW })
    },
  ],
  'people.deleteUserTo': [['project.updated'], w => w.store.people.deleteUserTo(w.alice.id, w.carol.id, NOW)],
  'people.handProjects': [['project.updated'], w => w.store.people.handProjects(w.alice.id, w.carol.id, NOW)],
  'people.handOverAccount': [
    ['invitation.ended'],
    async w => {
      await inviteByBob(w)
      await w.store.people.handOverAccount({ userId: w.bob.id, email: 'b@x.org', now: NOW })
    },
  ],
}

const firstChannel = { name: '', kind: 'email', settings: { value: 'e@x.org' }, members: [] }

type StateStep = Parameters<World['store']['checks']['restoreStates']>[1][number]

async function plan(w: World) {
  const change = { plan: 'delete' as const, checks: [w.one] }
  return await w.store.checks.keepUndo({ projectId: w.project.id, userId: w.alice.id, change, now: NOW })
}

async function editTogether(w: World) {
  const projectIds = [w.project.id]
  const uuids = [w.one, w.two]
  const edit = { timing: { graceSeconds: 600 }, target: w.other.id }
  const rows = await w.store.checks.previewEdit({ projectIds, uuids, edit })
  const seen = new Map(rows.map(({ check, seen }) => [check.uuid, seen]))
  return await w.store.checks.edit({ projectIds, seen, edit, userId: w.alice.id, now: NOW })
}

async function changeChat(w: World, confirmed = true) {
  const settings = { url_down: 'https://hook.example/OTHER' }
  const more = { members: [], confirmed, now: NOW }
  await w.store.channels.update({ id: w.chat.id, projectId: w.project.id, name: 'Talk', settings, ...more })
}

async function acknowledge(w: World) {
  await w.store.incidents.acknowledge(w.project.id, [w.incident], {
    by: 'Alice',
    now: NOW,
    note: '',
    until: null,
  })
}

async function addToken(w: World) {
  const owner = { projectId: w.project.id, role: 'member' } as const
  const named = { name: 'CI', digest: 'SECRET', hint: 'pun_ab', scopes: ['checks:read'] } as const
  return await w.store.projects.addApiToken({
    ...named,
    owner,
    by: w.by,
    now: NOW,
    expiresAt: null,
  })
}

async function offer(w: World) {
  await w.store.projects.offerTransfer({
    projectId: w.project.id,
    memberUuid: w.bob.uuid,
    by: w.by,
    now: NOW,
  })
}

async function inviteByBob(w: World) {
  const clock = new FakeClock(NOW)
  await beginSession(w.store, clock, { user: w.bob, method: 'password', visitor: { ua: 'n', address: '' } })
  const by = await ownSession(w.store, w.bob, clock)
  const invitation = { projectId: w.project.id, by, digest: 'b', role: 'member', email: null } as const
  await w.store.projects.addInvitation({ ...invitation, now: NOW, expiresAt: NOW + 1e9 })
  const token = { name: 'Mine', digest: 'OF BOB', hint: 'pun_ab', scopes: ['members:write'], by } as const
  const owner = { projectId: w.project.id, role: 'manager' } as const
  await w.store.projects.addApiToken({ ...token, owner, now: NOW, expiresAt: null })
  return by
}

const writes = [...methods].filter(([, { kind }]) => isWrite(kind)).map(([name]) => name)

test('every method that writes has an example here, or a reason why it records no event', () => {
  const known = [...Object.keys(EXAMPLES), ...Object.keys(methodsWithoutEvents)]
  assert.deepEqual(
    writes.filter(name => !known.includes(name)),
    [],
  )
  assert.deepEqual(
    known.filter(name => !writes.includes(name)),
    [],
  )
  assert.deepEqual(
    Object.keys(EXAMPLES).filter(name => name in methodsWithoutEvents),
    [],
  )
})

for (const [name, [types, run]] of Object.entries(EXAMPLES)) {
  test(`${name} records its events, with who did it`, async t => {
    const world = await openWorld()
    t.after(world.remove)
    const [last] = await world.raw('SELECT max(id) AS id FROM events')
    await run(world)
    const rows = await world.raw(`SELECT * FROM events WHERE id > ${Number(last!.id)} ORDER BY id`)
    const recorded = new Set(rows.map(({ type }) => String(type)))
    for (const type of types) assert.ok(recorded.has(type), `${type} among ${[...recorded]}`)
    for (const row of rows) {
      assert.ok(EVENT_TYPE_NAMES.includes(row.type as EventType))
      assert.ok(!`${row.before}${row.after}`.includes('SECRET'), 'a secret is not masked')
      const byPerson = !name.startsWith('pings.record')
      assert.equal(row.actor_key, byPerson ? 'person:a' : null)
      if (byPerson) assert.deepEqual(JSON.parse(String(row.actor)), ALICE)
    }
  })
}
