/** Claims that are renewed while another transaction has locked the delivery of one. Decision 0102. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ClaimsInHand, LEASE_MS } from '../../../../src/jobs/dispatch/claims-in-hand.js'
import { FairQueue } from '../../../../src/lib/fair/fair-queue.js'
import { instant, Lease } from '../../../../src/lib/lease.js'
import { FakeClock } from '../../../_support/clock.js'
import { eventually } from '../../../_support/eventually.js'
import { LockedRows } from '../../../_support/worlds/locked-rows.js'

/** A lease that counts how often it was extended. */
class CountingLease extends Lease {
  extended = 0
  override renew(...renewal: Parameters<Lease['renew']>): void {
    this.extended++
    super.renew(...renewal)
  }
}

test('claims are renewed while one is locked, whose lease neither ends nor is extended', async t => {
  const world = await LockedRows.open(t)
  const { alice, store } = world
  await alice.addChannel('A')
  for (const slug of ['kept', 'locked', 'lost']) await alice.ping(slug, 'fail')
  const clock = new FakeClock(alice.now)
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const inHand = new ClaimsInHand({ store, clock, worker: 'me', onError }, new FairQueue())
  t.after(() => inHand.stop())
  const claimed = (await alice.claim()).map(message => {
    const own = new AbortController()
    const lease = new CountingLease(own, clock, instant(clock), LEASE_MS.small)
    inHand.add(message, lease)
    return { id: message.parts[0]!.id, lease, signal: own.signal }
  })
  const [kept, locked, lost] = claimed as [Claimed, Claimed, Claimed]
  await world.query(`UPDATE deliveries SET claimed_by = 'other' WHERE id = ${lost.id}`)
  const unlock = await world.lock('deliveries', `id = ${locked.id}`)
  inHand.start()
  await eventually(() => lost.signal.aborted)
  const found = [kept, locked].map(({ lease, signal }) => [lease.extended, signal.aborted])
  assert.deepEqual(found, [
    [1, false],
    [0, false],
  ])
  await unlock()
  await eventually(() => locked.lease.extended === 1)
  assert.deepEqual([kept.signal.aborted, locked.signal.aborted, errors], [false, false, []])
})

interface Claimed {
  id: number
  lease: CountingLease
  signal: AbortSignal
}
