/** Pages of runs: every run once, as the whole log tells it, and no page reads more than it needs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type LedgerRun,
  type LoggedEvent,
  MOST_PINGS_APART,
  pairedRuns,
} from '../../../src/core/pings/run-ledger.js'
import { type ReadPings, type RunQuery, readRuns } from '../../../src/storage/pings/run-stretch.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { openTestStore } from '../../_support/worlds/store.js'

type Query = Omit<RunQuery, 'log' | 'before'>

/** All pages of the runs of a log, newest first, and how many pings were read for each. */
async function allPages(log: readonly LoggedEvent[], query: Query) {
  let count = 0
  const read: ReadPings = async ({ from, to }, end, most) => {
    const found = log.filter(({ n, action }) => n >= from && n < to && action !== 'log')
    const some = end === 'end' ? found.slice(-most) : found.slice(0, most)
    count += some.length
    return some
  }
  const bounds = { from: log[0]?.n ?? 1, to: (log.at(-1)?.n ?? 0) + 1 }
  const runs: LedgerRun[] = []
  const counts: number[] = []
  for (let before: number | null = bounds.to; before !== null; ) {
    const page = await readRuns(read, { ...query, log: bounds, before })
    runs.push(...page.runs.toReversed())
    counts.push(count)
    count = 0
    assert.ok(page.runs.length <= query.limit)
    assert.ok(page.next === null || page.next < before)
    before = page.next
  }
  return { runs, counts }
}

const event = (n: number, at: number, action: LoggedEvent['action'], rid: string | null): LoggedEvent => ({
  n,
  at,
  action,
  rid,
  exitStatus: null,
  durationMs: null,
  cause: action === 'fail' ? 'failed' : null,
})

const anyLog = fc
  .array(
    fc.record({
      after: fc.constantFrom(0, 5, 20, 20, 50, 90, 600),
      action: fc.constantFrom('start', 'start', 'success', 'success', 'fail', 'log'),
      rid: fc.constantFrom(null, null, 'a', 'b', 'c', 'd'),
    }),
    { maxLength: 60 },
  )
  .map(parts => {
    let at = 0
    return parts.map(({ after, action, rid }, place) => {
      at += after * 1000
      return event(place + 8, at, action as LoggedEvent['action'], rid)
    })
  })

const anyQuery: fc.Arbitrary<Query> = fc.record({
  each: fc.boolean(),
  limit: fc.integer({ min: 1, max: 7 }),
  mostApart: fc.constantFrom(3, 10, 1000),
  step: fc.constantFrom(1, 2, 5, 100),
})

test('every run appears exactly once over all pages, as in the whole log', async () => {
  await fc.assert(
    fc.asyncProperty(anyLog, anyQuery, async (log, query) => {
      const { runs } = await allPages(log, query)
      assert.deepEqual(runs.toReversed(), pairedRuns(log, query.each, query.mostApart))
    }),
    { numRuns: 10_000 },
  )
})

test('a page reads a part of the log, however long the log is', async () => {
  const log: LoggedEvent[] = []
  for (let run = 0; run < 20_000; run++) {
    log.push(event(2 * run + 1, run * 300_000, 'start', `${run}`))
    log.push(event(2 * run + 2, run * 300_000 + 60_000, 'success', `${run}`))
  }
  const { runs, counts } = await allPages(log, { each: true, limit: 1_000 })
  assert.equal(runs.length, 20_000)
  assert.ok(Math.max(...counts) < 6_000, `${Math.max(...counts)} pings were read for a page`)
})

test('a run that never ends makes no page read more than a bounded part of the log', async () => {
  const log = [event(1, 0, 'start', 'hung')]
  for (let n = 2; n < 60_000; n++) log.push(event(n, n * 300_000, 'success', null))
  const { counts } = await allPages(log, { each: true, limit: 5_000 })
  assert.ok(Math.max(...counts) < 10_000 + 2 * MOST_PINGS_APART, `${Math.max(...counts)} pings were read`)
})

test('the store gives the same runs in pages of any length as in one', async t => {
  const store = await openTestStore(t, { pingLogLimit: 400 })
  const project = await store.projects.create({ name: '', ownerId: null, pingKey: 'x'.repeat(22), now: 0 })
  const asked = { changes: { trackRuns: 'each' as const, maxDurationSeconds: 60 }, unique: null, now: 0 }
  const { check } = await store.checks.create(project.id, asked)
  const rids = [null, 'a', 'b', 'c']
  const actions = ['start', 'success', 'start', 'success', 'fail', 'log'] as const
  const pings = Array.from({ length: 500 }, (_, n) => {
    const rid = rids[((n * n + 3 * n) % 7) % 4] ?? null
    return arrivedPing({ uuid: check.uuid }, 1_000_000 + n * 7_000, {
      action: actions[(n * 5 + (n >> 3)) % 6]!,
      rid,
    })
  })
  for (let from = 0; from < pings.length; from += 100) await store.pings.record(pings.slice(from, from + 100))
  const ref = { uuid: check.uuid }
  const whole = await store.pings.listRuns(project.id, ref, { before: null, limit: 500 })
  assert.equal(whole.next, null)
  assert.ok(whole.runs.length > 100)
  assert.deepEqual([...new Set(whole.runs.map(run => run.outcome))].sort(), [
    'failed',
    'open',
    'overrun',
    'success',
    'superseded',
  ])
  for (const limit of [1, 7, 50]) {
    const runs: LedgerRun[] = []
    let before: number | null = null
    do {
      const page: { runs: LedgerRun[]; next: number | null } = await store.pings.listRuns(project.id, ref, {
        before,
        limit,
      })
      runs.push(...page.runs)
      before = page.next
    } while (before !== null)
    assert.deepEqual(runs, whole.runs)
  }
})
