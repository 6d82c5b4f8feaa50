/** A hold of very many alerts ends: a follow-up makes them due, in slices. Decisions 0115 and 0155. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { claimMessages } from '../../_support/claim.js'
import { recordPings } from '../../_support/record-pings.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const HOUR = 3_600_000
const CHECKS = 100
const CHANNELS = 42
/** More than are made due in the transaction of a change. */
const HELD = CHECKS * CHANNELS

/** A project whose checks are up and linked to all its channels. */
async function openScene(t: TestContext) {
  const fresh = await openFreshStore()
  t.after(fresh.remove)
  const { raw } = fresh
  const { id: projectId } = await fresh.store.projects.create({
    ...{ name: 'A', ownerId: null, pingKey: 'key', now: 1 },
  })
  const scene = {
    fresh,
    projectId,
    now: Date.UTC(2026, 0, 15, 12),
    async ping(slugs: readonly string[], action: 'success' | 'fail') {
      const address = (slug: string) => ({ pingKey: 'key', slug, create: true })
      for (let from = 0; from < slugs.length; from += 20) {
        const some = slugs.slice(from, from + 20)
        await recordPings(
          fresh.store,
          some.map(slug => arrivedPing(address(slug), scene.now, { action })),
        )
      }
      scene.now += 1_000
    },
    async silence(): Promise<number> {
      const times = { kind: 'once', from: scene.now, to: scene.now + HOUR } as const
      const asked = { mode: 'hold', scope: { project: true }, channels: null, times, reason: '' } as const
      const by = { createdBy: 'Alice', now: scene.now }
      return (await fresh.store.silences.create(projectId, { ...asked, ...by })).id
    },
    async uuidOf(slug: string): Promise<string> {
      const rows = await raw(
        `SELECT c.uuid FROM checks c JOIN check_details d ON d.check_id = c.id WHERE d.slug = '${slug}'`,
      )
      return String(rows[0]!.uuid)
    },
    /** How many alerts are sent now; what is held waits. */
    async sent(): Promise<number> {
      const claimed = { messages: 500, deliveries: 1_000, leaseMs: HOUR }
      let count = 0
      for (;;) {
        const messages = await claimMessages(fresh.store, scene.now, claimed)
        count += messages.length
        const { channels } = await fresh.store.alerts.dueChannels({ now: scene.now, cursor: 0 })
        if (channels.length === 0) return count
      }
    },
    /** Does one slice of what follows. */
    async slice(): Promise<boolean> {
      const { alerts } = fresh.store
      const next = await alerts.nextFollowUp(0)
      if (next) await alerts.followUp(next, scene.now, 0)
      return next !== null
    },
  }
  await scene.ping(jobs, 'success')
  for (let n = 0; n < CHANNELS; n++)
    await fresh.store.channels.create({
      ...{ projectId, name: `Channel ${n}`, kind: 'webhook', settings: {}, members: [], now: scene.now },
    })
  return scene
}

const jobs = Array.from({ length: CHECKS }, (_, place) => `job-${place}`)

test('very many alerts that a silence holds are sent in slices when it is ended', async t => {
  const scene = await openScene(t)
  const id = await scene.silence()
  await scene.ping(jobs, 'fail')
  assert.equal(await scene.sent(), 0)
  const { alerts } = await scene.fresh.store.silences.end(scene.projectId, id, scene.now)
  assert.equal(alerts, false)
  assert.equal(await scene.sent(), 0)
  assert.ok(await scene.slice())
  const first = await scene.sent()
  assert.ok(first > 0 && first <= 1_000)
  // Stopped between two slices.
  await scene.fresh.reopen()
  while (await scene.slice());
  assert.equal(first + (await scene.sent()), HELD)
})

test('a silence that is ended while an earlier end is followed frees all that it holds', async t => {
  const scene = await openScene(t)
  const [one, other] = [await scene.silence(), await scene.silence()]
  await scene.ping(jobs, 'fail')
  assert.equal(await scene.sent(), 0)
  const { silences } = scene.fresh.store
  await silences.end(scene.projectId, one, scene.now)
  assert.ok(await scene.slice())
  // Held by the other.
  assert.equal(await scene.sent(), 0)
  await silences.end(scene.projectId, other, scene.now)
  while (await scene.slice());
  assert.equal(await scene.sent(), HELD)
})

test('very many alerts that a dependency holds are sent in slices when its check is deleted', async t => {
  const scene = await openScene(t)
  const { checks } = scene.fresh.store
  await scene.ping(['router'], 'success')
  const router = await scene.uuidOf('router')
  for (const slug of jobs)
    await checks.update(scene.projectId, await scene.uuidOf(slug), {
      ...{ changes: {}, parents: [router], now: scene.now },
    })
  await scene.ping(['router'], 'fail')
  await scene.ping(jobs, 'fail')
  // That of the router.
  assert.equal(await scene.sent(), CHANNELS)
  await checks.delete(scene.projectId, router, scene.now)
  assert.equal(await scene.sent(), 0)
  assert.ok(await scene.slice())
  const first = await scene.sent()
  assert.ok(first > 0 && first <= 1_000)
  while (await scene.slice());
  assert.equal(first + (await scene.sent()), HELD)
})

test('few alerts are due at once when their silence is ended', async t => {
  const scene = await openScene(t)
  const id = await scene.silence()
  await scene.ping(jobs.slice(0, 20), 'fail')
  assert.equal(await scene.sent(), 0)
  const { alerts } = await scene.fresh.store.silences.end(scene.projectId, id, scene.now)
  assert.equal(alerts, true)
  assert.equal(await scene.slice(), false)
  assert.equal(await scene.sent(), 20 * CHANNELS)
})
