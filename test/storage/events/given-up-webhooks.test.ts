/** The e-mail that an event webhook was disabled, while it waits for the mail server. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { claimMails } from '../../_support/claim-mails.js'
import { giveUpWebhook } from '../../_support/give-up-webhook.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const UUID = '00000000-0000-4000-8000-000000000001'
const DAY_MS = 86_400_000
const FAILURE = { eventId: 1, type: 'check.up', at: 1, durationMs: 1, status: 500, error: 'no' }
const MAIL = { kind: 'notice' as const, subject: 'Disabled', text: '', html: '', unsubscribeUrl: '' }

/** A project with an owner, a manager and an event webhook that was just given up. */
async function open(t: TestContext) {
  const { store, remove } = await openFreshStore()
  t.after(remove)
  const person = (email: string) =>
    store.people.createUser({ email, passwordHash: null, emailProven: true, now: 1 })
  const [owner, manager] = [await person('owner@example.org'), await person('manager@example.org')]
  const project = await store.projects.create({ name: 'P', ownerId: owner.id, pingKey: null, now: 1 })
  const { id: projectId } = project
  await store.projects.putMember({ projectId, userId: manager.id, role: 'manager', now: 1 })
  const asked = { name: 'Ops', url: 'https://example.org/', types: [], enabled: true }
  await store.events.createWebhook(projectId, { ...asked, uuid: UUID, secret: 'sealed', by: null, now: 1 })
  const { id } = await store.events.webhook(projectId, UUID)
  const now = await giveUpWebhook(store, id, 1, MAIL)
  assert.equal((await store.events.webhook(projectId, UUID)).enabled, false)
  /** Who is sent an e-mail now. */
  const mailed = async () => {
    const claim = { worker: 'w', now, leaseUntil: now + 1 }
    return (await claimMails(store, claim)).map(({ to }) => to).sort()
  }
  const update = (change: { name?: string; url?: string; enabled?: boolean }) =>
    store.events.updateWebhook(projectId, UUID, { ...change, by: null, now })
  /** A person enables it, it fails so often, and the person disables it. */
  const tryByHand = async (failures: number) => {
    await update({ enabled: true })
    const lease = { worker: 'w', now: now + DAY_MS, leaseUntil: now + 2 * DAY_MS }
    for (let failure = 0; failure < failures; failure++) {
      await store.events.claimWebhook(id, lease)
      await store.events.settleWebhook(id, lease, FAILURE, MAIL)
    }
    await update({ enabled: false })
  }
  return { store, owner, manager, projectId, now, update, tryByHand, mailed }
}

test('that an event webhook was disabled is tried for as long as that is true', async t => {
  const { store, now } = await open(t)
  const claim = { worker: 'w', now: now + 100 * DAY_MS, leaseUntil: now + 101 * DAY_MS }
  const mails = await claimMails(store, claim)
  assert.deepEqual(
    mails.map(({ lasting }) => lasting),
    [true, true],
  )
})

test('that an event webhook was disabled goes to those who own or manage its project then', async t => {
  const { store, manager, projectId, now, update, mailed } = await open(t)
  await update({ name: 'Renamed' })
  await store.projects.removeMember(projectId, manager.uuid, now)
  assert.deepEqual(await mailed(), ['owner@example.org'])
})

const ENDINGS: Record<string, (world: Awaited<ReturnType<typeof open>>) => Promise<unknown>> = {
  'it is enabled again': ({ update }) => update({ enabled: true }),
  'it is enabled and disabled by hand': ({ tryByHand }) => tryByHand(0),
  'it is enabled, fails, and is disabled by hand': ({ tryByHand }) => tryByHand(1),
  'its address is changed': ({ update }) => update({ url: 'https://example.org/new' }),
  'it is deleted': ({ store, projectId, now }) =>
    store.events.deleteWebhook(projectId, UUID, { by: null, now }),
  'its project is being deleted': ({ store, owner, projectId }) =>
    store.projects.markForDeletion(owner.id, projectId),
  'its project is deleted': ({ store, projectId }) => store.projects.delete(projectId),
}

for (const [name, end] of Object.entries(ENDINGS)) {
  test(`that an event webhook was disabled is not sent any more once ${name}`, async t => {
    const world = await open(t)
    await end(world)
    assert.deepEqual(await world.mailed(), [])
  })
}
