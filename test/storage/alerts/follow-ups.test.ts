/** What follows from changes that concern many checks and channels: it is done later, and with the same outcome. Decision 0155. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { followUpsJob } from '../../../src/jobs/follow-ups.js'
import type { KeptFollowUp } from '../../../src/storage/alerts/follow-ups/follow-up.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { claimMessages, settleMessage } from '../../_support/claim.js'
import { eventually } from '../../_support/eventually.js'
import { recordPings } from '../../_support/record-pings.js'
import { openFreshStore } from '../../_support/worlds/store.js'

const MINUTE = 60_000

/** A project with `count` checks, all of them up, and channels that are linked to none. */
async function openScene(t: TestContext, count: number, channelCount: number) {
  const { store, raw, remove } = await openFreshStore({ checkLimit: 1_000 })
  t.after(remove)
  const { id: projectId } = await store.projects.create({ name: 'A', ownerId: null, pingKey: 'key', now: 1 })
  const scene = {
    store,
    raw,
    projectId,
    now: Date.UTC(2026, 0, 15, 12),
    channels: [] as { id: number; uuid: string }[],
    async ping(places: readonly number[], action: 'success' | 'fail') {
      const address = (place: number) => ({ pingKey: 'key', slug: `job-${place}`, create: true })
      await recordPings(
        store,
        places.map(place => arrivedPing(address(place), scene.now, { action })),
      )
      scene.now += 1_000
    },
    async addChannel(name: string, members: string[] = []) {
      const asked = { projectId, name, kind: members.length > 0 ? 'group' : 'webhook', settings: {}, members }
      return await store.channels.create({ ...asked, now: scene.now })
    },
    /** The checks, by their places, of which each channel is sent something: `3 down`. */
    async sent(): Promise<Map<number, string[]>> {
      const rows = await raw('SELECT check_id AS id, slug FROM check_details')
      const place = new Map(rows.map(({ id, slug }) => [Number(id), String(slug).replace('job-', '')]))
      const sent = new Map<number, string[]>(scene.channels.map(({ id }) => [id, []]))
      for (;;) {
        const messages = await claimMessages(store, scene.now, { messages: 500, deliveries: 2_000 })
        if (messages.length === 0) break
        for (const message of messages) {
          for (const part of message.parts)
            sent.get(message.channel.id)!.push(`${place.get(part.checkId!)} ${part.flip!.newStatus}`)
          await settleMessage(store, message, scene.now, 'sent')
        }
      }
      for (const lines of sent.values()) lines.sort()
      return sent
    },
    followUps: async () => await raw('SELECT kind, subject, after_id FROM follow_ups ORDER BY subject'),
    async finish(): Promise<void> {
      for (;;) {
        const next = await store.alerts.nextFollowUp(0)
        if (next === null) return
        await store.alerts.followUp(next, scene.now)
      }
    },
  }
  const places = Array.from({ length: count }, (_, place) => place)
  for (let from = 0; from < count; from += 25) await scene.ping(places.slice(from, from + 25), 'success')
  for (let n = 0; n < channelCount; n++) scene.channels.push(await scene.addChannel(`Channel ${n}`))
  await raw('DELETE FROM check_channels')
  return scene
}

const CHECKS = 100

/** A group of one channel that all checks alert gets further members while ten checks are down. */
async function growGroup(t: TestContext, members: number) {
  const scene = await openScene(t, CHECKS, members)
  const { store, projectId, channels } = scene
  const group = await scene.addChannel('Team', [channels[0]!.uuid])
  const checks = (await scene.raw('SELECT uuid FROM checks')).map(({ uuid }) => String(uuid))
  await store.channels.assign({ id: group.id, projectId, checks, now: scene.now })
  await scene.ping([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'fail')
  const first = (await scene.sent()).get(channels[0]!.id)
  assert.equal(first!.length, 10)
  const change = { id: group.id, projectId, name: 'Team', settings: {}, now: scene.now }
  await store.channels.update({ ...change, members: channels.map(({ uuid }) => uuid) })
  return { scene, group }
}

test('the members that a group gets hear of what is down, of each check once, also if there are many', async t => {
  const outcomes: string[][] = []
  for (const members of [3, 45]) {
    const { scene } = await growGroup(t, members)
    assert.equal((await scene.followUps()).length, members === 3 ? 0 : members)
    await scene.ping([0], 'success')
    await scene.ping([50], 'fail')
    await scene.finish()
    assert.deepEqual(await scene.followUps(), [])
    const sent = await scene.sent()
    const [old, ...others] = scene.channels.map(({ id }) => sent.get(id)!)
    assert.deepEqual(old, ['0 up', '50 down'])
    for (const one of others) assert.deepEqual(one, others[0])
    outcomes.push(others[0]!)
    await scene.finish()
    assert.deepEqual([...(await scene.sent()).values()].flat(), [])
  }
  const down = [1, 2, 3, 4, 5, 6, 7, 8, 9, 50].map(place => `${place} down`).sort()
  // Of a check that comes up before its turn there is nothing to tell; with its alert waiting, the recovery says that there was one.
  assert.deepEqual(outcomes, [['0 up', ...down], down])
})

test('what waits for members that leave a group is not sent, also if there is much', async t => {
  for (const members of [3, 45]) {
    const scene = await openScene(t, CHECKS, members)
    const { store, raw, projectId, channels } = scene
    const uuids = channels.map(({ uuid }) => uuid)
    const group = await scene.addChannel('Team', uuids)
    const checks = (await raw('SELECT uuid FROM checks')).map(({ uuid }) => String(uuid))
    await store.channels.assign({ id: group.id, projectId, checks, now: scene.now })
    for (let from = 0; from < CHECKS; from += 20)
      await scene.ping(
        Array.from({ length: 20 }, (_, place) => from + place),
        'fail',
      )
    const change = { id: group.id, projectId, name: 'Team', settings: {}, now: scene.now }
    await store.channels.update({ ...change, members: uuids.slice(0, 1) })
    const kept = await scene.followUps()
    assert.deepEqual(
      kept.map(({ kind }) => kind),
      members === 3 ? [] : [group, ...channels].map(() => 'unlinked'),
    )
    await scene.finish()
    const [waiting] = await raw('SELECT count(*) AS n FROM deliveries')
    assert.equal(Number(waiting!.n), CHECKS)
    const [dropped] = await raw(
      `SELECT count(*) AS n FROM incident_events WHERE kind = 'dropped' AND reason = 'unlinked'`,
    )
    assert.equal(Number(dropped!.n), CHECKS * (members - 1))
    const sent = await scene.sent()
    assert.deepEqual(
      channels.map(({ id }) => sent.get(id)!.length),
      [CHECKS, ...channels.slice(1).map(() => 0)],
    )
  }
})

test('a channel that is disabled or deleted before its turn is sent nothing', async t => {
  const { scene } = await growGroup(t, 45)
  const [, disabled, deleted, other] = scene.channels
  await scene.store.channels.setEnabled(disabled!.id, false, scene.now)
  await scene.store.channels.delete(deleted!.id, scene.now)
  await scene.finish()
  const sent = await scene.sent()
  assert.deepEqual([sent.get(disabled!.id), sent.get(deleted!.id)], [[], []])
  assert.equal(sent.get(other!.id)!.length, 10)
})

test('a slice that was done for an earlier change does not move what was asked for since', async t => {
  const { scene, group } = await growGroup(t, 45)
  const stale = (await scene.store.alerts.nextFollowUp(0))!
  await scene.store.channels.setEnabled(group.id, false, scene.now)
  await scene.store.channels.setEnabled(group.id, true, scene.now)
  const before = await scene.followUps()
  await scene.store.alerts.followUp(stale, scene.now)
  assert.deepEqual(await scene.followUps(), before)
})

test('what is asked for again goes on to the last check, and then begins anew', async t => {
  const { scene, group } = await growGroup(t, 45)
  const [{ id: last }] = (await scene.raw('SELECT max(id) AS id FROM checks')) as [{ id: number }]
  await scene.raw(`UPDATE follow_ups SET after_id = ${last}`)
  await scene.store.channels.setEnabled(group.id, false, scene.now)
  await scene.store.channels.setEnabled(group.id, true, scene.now)
  const places = async () => (await scene.followUps()).map(row => Number(row.after_id))
  assert.ok((await places()).every(place => place === Number(last)))
  const next = (await scene.store.alerts.nextFollowUp(0))!
  await scene.store.alerts.followUp(next, scene.now)
  assert.ok((await places()).includes(0))
  await scene.finish()
  assert.deepEqual(await scene.followUps(), [])
  assert.equal((await scene.sent()).get(scene.channels[2]!.id)!.length, 10)
})

test('what follows goes on behind the last slice', async t => {
  const { scene } = await growGroup(t, 45)
  const [highest] = await scene.raw('SELECT max(id) AS id FROM checks')
  const subject = scene.channels[1]!.id
  await scene.raw(`UPDATE follow_ups SET after_id = ${highest!.id} WHERE subject = ${subject}`)
  await scene.finish()
  const sent = await scene.sent()
  assert.deepEqual(sent.get(subject), [])
  assert.equal(sent.get(scene.channels[2]!.id)!.length, 10)
})

test('open incidents follow a policy, also if they are too many for one transaction', async t => {
  for (const count of [20, 120]) {
    const scene = await openScene(t, count, 50)
    const { store, projectId, channels } = scene
    const steps = [{ after: 0, channels: 'check' as const }]
    const asked = { name: 'P', isDefault: true, steps, repeat: null, now: scene.now }
    const { id } = await store.incidents.createPolicy(projectId, asked)
    await scene.ping(
      Array.from({ length: count }, (_, place) => place),
      'fail',
    )
    const named = { after: 600, channels: [channels[7]!.uuid, channels[8]!.uuid] }
    await store.incidents.updatePolicy(projectId, id, { steps: [...steps, named], now: scene.now })
    assert.equal((await scene.followUps()).length, count === 20 ? 0 : 1)
    await scene.ping([3], 'success')
    await scene.finish()
    assert.deepEqual(await scene.followUps(), [])
    scene.now += 15 * MINUTE
    while ((await store.incidents.escalate(scene.now, 100)).looked > 0);
    const sent = await scene.sent()
    for (const place of [7, 8]) {
      const lines = sent.get(channels[place]!.id)!
      assert.equal(lines.length, count - 1)
      assert.ok(!lines.some(line => line.startsWith('3 ')))
    }
    assert.deepEqual(sent.get(channels[0]!.id), [])
  }
})

test('the job gives projects turns, and what fails in one does not hold back the others', async () => {
  const kept = (projectId: number, subject: number): KeptFollowUp => ({
    ...{ projectId, subject, kind: 'truth', afterId: 0 },
  })
  let waiting = [kept(1, 11), kept(1, 12), kept(2, 21), kept(2, 22), kept(3, 31)]
  const done: number[] = []
  const errors: unknown[] = []
  const alerts = {
    async nextFollowUp(after: number, except: readonly number[] = []) {
      const free = waiting.filter(({ projectId }) => !except.includes(projectId))
      return free.find(({ projectId }) => projectId > after) ?? free[0] ?? null
    },
    async followUp(next: KeptFollowUp) {
      if (next.projectId === 2) throw new Error('broken')
      done.push(next.subject)
      waiting = waiting.filter(one => one !== next)
      return { alerts: false, checks: false as const }
    },
  }
  const job = followUpsJob({
    store: { alerts },
    clock: { now: () => 0 },
    onError: error => errors.push(error),
  })
  job.start()
  await eventually(() => waiting.length === 2)
  await job.stop()
  assert.deepEqual(done, [11, 31, 12])
  assert.equal(errors.length, 1)
})
