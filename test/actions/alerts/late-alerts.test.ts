/** Alerts that are raised late while pings wait in the queue of the process that sends them. Decision 0104. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { takeMessages } from '../../../src/actions/alerts/take-messages.js'
import { Hearing, type QueuedPings } from '../../../src/actions/pings/hearing.js'
import { Changes } from '../../../src/lib/changes.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

/** A check that went down in a silence, which is over. Returns what is sent while these pings wait. */
async function openScene(t: TestContext) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const { id: projectId } = await store.projects.create({
    name: 'Alice',
    ownerId: null,
    pingKey: 'key',
    now: 1,
  })
  const scene = new StoreHarness(store, projectId)
  await scene.ping('backup')
  await scene.addChannel('Chat', { url_down: 'https://chat.example/', url_up: 'https://chat.example/' })
  const times = { kind: 'once', from: scene.now, to: scene.now + 60_000 } as const
  const asked = { mode: 'hold', scope: { project: true }, channels: null, times, reason: '' } as const
  await store.silences.create(projectId, { ...asked, createdBy: 'Alice', now: scene.now })
  await scene.ping('backup', 'fail')
  const [check] = await raw('SELECT id FROM checks')
  const sent = async (queue: QueuedPings, happened = (_hearing: Hearing) => {}, settled = async () => {}) => {
    const clock = { now: () => scene.now }
    const hearing = new Hearing(queue, new Changes(), clock)
    happened(hearing)
    const { channels } = await store.alerts.dueChannels({ now: scene.now, cursor: 0 })
    const wanted = channels.map(channel => ({ channel, messages: 5, sending: { down: 0, other: 0 } }))
    const { messages } = await takeMessages(
      {
        store,
        clock,
        worker: 'me',
        own: { process: 'me', pings: { hearing, oldestAt: queue.oldestAt, settled } },
        quotas: { messages: 500, calls: 500 },
        onDelivery() {},
      },
      wanted,
      { leaseMs: 10_000, inHand: [], leftOut: [], endedBefore: scene.now },
    )
    return messages.length
  }
  assert.equal(await sent(NONE), 0)
  scene.now += 60_000
  return { scene, checkId: Number(check!.id), sent }
}

const NONE: QueuedPings = { oldestAt: null, apartSince: () => [] }

test('an alert raised late waits while a ping has waited for more than half a second', async t => {
  const { scene, sent } = await openScene(t)
  const queue = { ...NONE, oldestAt: scene.now - 501 }
  assert.equal(await sent(queue), 0)
  scene.now += 1_000
  assert.equal(await sent(queue), 0)
  scene.now += 1_000
  assert.equal(await sent(NONE), 1)
})

test('an alert raised late does not wait for pings that are being recorded', async t => {
  const { scene, sent } = await openScene(t)
  assert.equal(await sent({ ...NONE, oldestAt: scene.now - 500 }), 1)
})

/** Could do nothing for 0.9 s, until 0.6 s ago. */
function wasBusy(hearing: Hearing): void {
  const ticks = performance.now()
  hearing.stalls.note(ticks - 1_500)
  hearing.stalls.note(ticks - 600)
}

test('an alert raised late does not wait for pings that may be unread because the process was busy for a moment', async t => {
  const { scene, sent } = await openScene(t)
  const isUnread = (hearing: Hearing) => {
    wasBusy(hearing)
    assert.ok(scene.now - hearing.heardUntil(scene.now) > 1_000)
  }
  assert.equal(await sent(NONE, isUnread), 1)
})

test('pings that came while the process was busy for a moment are recorded before alerts are claimed', async t => {
  const { scene, sent } = await openScene(t)
  assert.equal(await sent(NONE, wasBusy, async () => void (await scene.ping('backup'))), 0)
})

test('after such a moment alerts do not wait for a ping that cannot be recorded soon', async t => {
  const { scene, sent } = await openScene(t)
  const never = new Promise<void>(() => {})
  assert.equal(await sent({ ...NONE, oldestAt: scene.now - 400 }, wasBusy, () => never), 1)
})

test('an alert raised late waits while connections wait that came while the process was busy', async t => {
  const { sent } = await openScene(t)
  let opens = true
  t.after(() => {
    opens = false
  })
  const comes = (hearing: Hearing) => {
    wasBusy(hearing)
    const come = () => {
      hearing.doors.came()
      if (opens) setImmediate(come)
    }
    come()
  }
  assert.equal(await sent(NONE, comes), 0)
})

test('an alert raised late waits while a ping of its check has waited for a lock, and for no other', async t => {
  const { scene, checkId, sent } = await openScene(t)
  const { projectId } = scene
  const lockedSince = (id: number): QueuedPings => {
    const at = scene.now - 501
    return { oldestAt: null, apartSince: () => [{ checkId: id, projectId, at }] }
  }
  assert.equal(await sent(lockedSince(checkId)), 0)
  scene.now += 1_000
  assert.equal(await sent(lockedSince(checkId + 1)), 1)
})
