/** Claims of messages under way when the process was frozen for longer than they last. Decision 0102. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { ClaimsInHand, LEASE_MS, RENEW_AFTER_MS } from '../../../src/jobs/dispatch/claims-in-hand.js'
import { FairQueue } from '../../../src/lib/fair/fair-queue.js'
import { instant, Lease } from '../../../src/lib/lease.js'
import type { ClaimedMessage } from '../../../src/storage/alerts/messages.js'
import type { RenewedClaims } from '../../../src/storage/alerts/release-claims.js'
import { FakeClock } from '../../_support/clock.js'
import { eventually } from '../../_support/eventually.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

/** In this time leases are checked several times. */
const SEVERAL_WATCHES_MS = 2_500

/** Does nothing for longer than the leases of {@link open} last, as a process that is frozen. */
const freeze = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000)

/** Two messages under way, whose leases last for two more seconds. `renewed`: what renewals resolve with, if not what the store says. */
async function open(t: TestContext, renewed?: Promise<RenewedClaims>) {
  const scene = await StoreHarness.open(t)
  await scene.addChannel('A')
  for (const slug of ['kept', 'lost']) await scene.ping(slug, 'fail')
  const clock = new FakeClock(scene.now)
  const alerts = renewed ? { renewClaims: () => renewed } : scene.store.alerts
  const inHand = new ClaimsInHand(
    { store: { alerts }, clock, worker: 'me', onError: assert.ifError },
    new FairQueue(),
  )
  t.after(() => inHand.stop())
  const now = instant(clock)
  const begun = { ...now, steady: now.steady - LEASE_MS.small + 2_000 }
  const messages = (await scene.claim()).map(message => {
    const own = new AbortController()
    inHand.add(message, new Lease(own, clock, begun, LEASE_MS.small))
    return { id: message.parts[0]!.id, signal: own.signal }
  })
  const [kept, lost] = messages as [UnderWay, UnderWay]
  inHand.start()
  return { scene, kept, lost }
}

interface UnderWay {
  /** The ID of its delivery. */
  id: number
  /** Aborts its sending. */
  signal: AbortSignal
}

test('claims that no other process has are kept after a freeze', async t => {
  const { scene, kept, lost } = await open(t)
  scene.now += LEASE_MS.small + 1
  assert.equal((await scene.claim('other', { inHand: [kept.id] })).length, 1)
  freeze()
  await eventually(() => lost.signal.aborted)
  await sleep(SEVERAL_WATCHES_MS)
  assert.equal(kept.signal.aborted, false)
})

test('what has arrived is read before claims end that cannot be renewed after a freeze', async t => {
  const { kept, lost } = await open(t, new Promise(() => {}))
  const arriving = readFile('package.json')
  freeze()
  await arriving
  assert.deepEqual([kept.signal.aborted, lost.signal.aborted], [false, false])
  await eventually(() => kept.signal.aborted && lost.signal.aborted)
})

test('a claim that cannot be renewed for its row keeps no other from being renewed', async t => {
  const asked: number[][] = []
  const clock = new FakeClock()
  const renewClaims = async ({ ids }: { ids: readonly number[] }) => {
    asked.push([...ids])
    if (ids.includes(3)) throw Object.assign(new Error('a bad row'), { code: 'XX001' })
    return { renewed: [...ids], locked: [] }
  }
  const inHand = new ClaimsInHand(
    { store: { alerts: { renewClaims } }, clock, worker: 'me', onError: assert.ifError },
    new FairQueue(),
  )
  t.after(() => inHand.stop())
  const now = instant(clock)
  const begun = { ...now, steady: now.steady - LEASE_MS.small + 4_000 }
  const signals = [1, 2, 3, 4].map(id => {
    const own = new AbortController()
    const message = { channel: { id: 1 }, parts: [{ id }] } as ClaimedMessage
    inHand.add(message, new Lease(own, clock, begun, LEASE_MS.small))
    return own.signal
  })
  inHand.start()
  await eventually(() => signals.some(({ aborted }) => aborted))
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false, false, true, false],
  )
  assert.deepEqual(asked.slice(0, 5), [[1, 2, 3, 4], [1, 2], [3, 4], [3], [4]])
})

test('claims whose renewal had to wait for long are renewed again at once', async t => {
  const renewals: (() => void)[] = []
  const renewClaims = ({ ids }: { ids: readonly number[] }) =>
    new Promise<RenewedClaims>(resolve => renewals.push(() => resolve({ renewed: [...ids], locked: [] })))
  const clock = new FakeClock()
  const inHand = new ClaimsInHand(
    { store: { alerts: { renewClaims } }, clock, worker: 'me', onError: assert.ifError },
    new FairQueue(),
  )
  t.after(() => inHand.stop())
  const message = { channel: { id: 1 }, parts: [{ id: 1 }] } as ClaimedMessage
  inHand.add(message, new Lease(new AbortController(), clock, instant(clock), LEASE_MS.small))
  inHand.start()
  await eventually(() => renewals.length === 1)
  await sleep(RENEW_AFTER_MS.small + 100)
  assert.equal(renewals.length, 1)
  renewals[0]!()
  await nextTurn()
  assert.equal(renewals.length, 2)
})
