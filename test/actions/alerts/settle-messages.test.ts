import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Settlements } from '../../../src/actions/alerts/settle-messages.js'
import { FairQueue } from '../../../src/lib/fair/fair-queue.js'
import type { Settlement } from '../../../src/storage/alerts/settle/settlement.js'
import { isLocked } from '../../../src/storage/errors.js'
import { settlementOf } from '../../_support/claim.js'
import { eventually } from '../../_support/eventually.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

/** A channel with a message claimed for each of `count` checks that are down, and what settles them. */
async function claimed(t: TestContext, count: number) {
  const { store: opened, raw, remove } = await openFreshStore()
  t.after(remove)
  const project = await opened.projects.create({ name: 'Alice', ownerId: null, pingKey: 'key', now: 1 })
  const scene = new StoreHarness(opened, project.id)
  const { id } = await scene.addChannel('A')
  for (let n = 0; n < count; n++) await scene.ping(`c${n}`, 'fail')
  const settlements = (await scene.claim()).map(message => settlementOf(message, scene.now))
  assert.equal(settlements.length, count)
  const { alerts } = scene.store
  const transactions: number[] = []
  const store = {
    alerts: {
      settleMessage: async (one: Settlement) => {
        transactions.push(1)
        return await alerts.settleMessage(one)
      },
      settleSentMessages: async (some: Parameters<typeof alerts.settleSentMessages>[0]) => {
        transactions.push(some.length)
        await alerts.settleSentMessages(some)
      },
    },
  }
  const log = async () => {
    const { events, waiting } = await scene.store.channels.log(id, 1_000)
    return { errors: events.map(({ error }) => error), waiting: waiting.length }
  }
  const attempts = async () =>
    (await raw('SELECT duration, error FROM notifications ORDER BY id')).map(({ duration, error }) => ({
      duration: Number(duration),
      error,
    }))
  const counted = async () => {
    const [row] = await raw(`SELECT minute_down, hour_down FROM channels WHERE id = ${id}`)
    return [Number(row!.minute_down), Number(row!.hour_down)]
  }
  return { scene, counted, store, settlements, transactions, log, attempts }
}

test('messages sent through a channel during a settlement are settled together', async t => {
  const { scene, counted, store, settlements, transactions, log } = await claimed(t, 40)
  const together = new Settlements(store, new AbortController().signal)
  const settled = await Promise.all(settlements.map(one => together.settle(one)))
  assert.ok(settled.every(({ unreachable }) => !unreachable))
  assert.deepEqual(transactions, [32, 8])
  assert.deepEqual(await log(), { errors: Array(40).fill(''), waiting: 0 })
  assert.deepEqual(await counted(), [40, 40])
  for (let n = 0; n < 40; n++) await scene.ping(`c${n}`)
  assert.equal((await scene.claim()).length, 40)
})

test('a message that cannot be settled does not delay those settled with it', async t => {
  const { store, settlements, log } = await claimed(t, 8)
  const together = new Settlements(store, new AbortController().signal)
  const [broken, ...others] = settlements
  const results = await Promise.allSettled([
    ...others.slice(0, 4).map(one => together.settle(one)),
    together.settle({ ...broken!, now: 'never' as unknown as number, startedAt: {} as unknown as number }),
    ...others.slice(4).map(one => together.settle(one)),
  ])
  assert.deepEqual(
    results.map(({ status }) => status),
    others.map(() => 'fulfilled').toSpliced(4, 0, 'rejected'),
  )
  assert.equal((await log()).waiting, 1)
})

test('a failure is settled by itself, at once', async t => {
  const { store, settlements, transactions, log } = await claimed(t, 7)
  const together = new Settlements(store, new AbortController().signal)
  const outcome = { type: 'failed', error: 'refused' } as const
  const [failed, ...others] = settlements
  await Promise.all([...others.map(one => together.settle(one)), together.settle({ ...failed!, outcome })])
  assert.deepEqual(transactions, [1, 6])
  assert.deepEqual((await log()).errors.toSorted(), [...others.map(() => ''), 'refused'])
})

test('of messages settled together, each keeps its duration and what the service has reported about it', async t => {
  const { scene, store, settlements, attempts } = await claimed(t, 3)
  const together = new Settlements(store, new AbortController().signal)
  const { notificationUuid } = settlements[1]!.parts[0]!
  const error = 'No such number'
  await scene.store.alerts.noteDeliveryStatus({
    notificationUuid,
    error,
    disabled: null,
    now: scene.now,
    since: 0,
  })
  await Promise.all(settlements.map((one, place) => together.settle({ ...one, durationMs: 10 + place })))
  assert.deepEqual(await attempts(), [
    { duration: 10, error: '' },
    { duration: 11, error },
    { duration: 12, error: '' },
  ])
})

for (const [what, code] of [
  ['a channel is', '55P03'],
  ['the database is', 'SQLITE_BUSY'],
] as const)
  test(`while ${what} locked one of its messages tries, and then all are settled together`, async t => {
    const { store, settlements, transactions, log } = await claimed(t, 40)
    const { settleMessage, settleSentMessages } = store.alerts
    let locked = 4
    const unlessLocked =
      <A, R>(settle: (asked: A) => Promise<R>) =>
      async (asked: A) => {
        if (locked === 0) return await settle(asked)
        locked--
        throw Object.assign(new Error('locked'), { code })
      }
    const alerts = {
      settleMessage: unlessLocked(settleMessage),
      settleSentMessages: unlessLocked(settleSentMessages),
    }
    const together = new Settlements({ alerts }, new AbortController().signal)
    await Promise.all(settlements.map(one => together.settle(one)))
    assert.deepEqual(transactions, [1, 32, 7])
    assert.deepEqual(await log(), { errors: Array(40).fill(''), waiting: 0 })
  })

test('a channel that is locked takes the turn of large messages only while it is tried, and no more after the end', async t => {
  const { store, settlements } = await claimed(t, 1)
  const tried: string[] = []
  const settleMessage = async () => {
    tried.push('settle')
    throw Object.assign(new Error('locked'), { code: '55P03' })
  }
  const ended = new AbortController()
  const together = new Settlements({ alerts: { ...store.alerts, settleMessage } }, ended.signal)
  const large = new FairQueue()
  const settled = together.settle(settlements[0]!, write => large.run(1, write))
  const failed = assert.rejects(settled, isLocked)
  await eventually(() => tried.length === 1)
  await large.run(2, async () => void tried.push('another'))
  assert.deepEqual(tried, ['settle', 'another'])
  ended.abort()
  await failed
})
