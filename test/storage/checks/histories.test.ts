/** The histories of docs/runs.md, through the store: what is read after each event is what was worked out by hand. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe as group, test } from 'node:test'
import type { State } from '../../../src/core/checks/check.js'
import type { Settings } from '../../../src/core/checks/check-fields.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { loggedFlipsOf, passedDeadlinesOf } from '../../_support/stored-log.js'
import { openFreshStore } from '../../_support/worlds/store.js'
import type { History } from '../../core/checks/health/histories/history.js'
import { HISTORIES } from '../../core/checks/health/histories/index.js'
import {
  changesOf,
  comparable,
  describe,
  holdAt,
  instantOf,
  pingOf,
} from '../../core/checks/health/replay.js'

const fresh = await openFreshStore()
const { raw } = fresh
test.after(fresh.remove)
const NOW = Date.UTC(2026, 2, 1)
const project = await fresh.store.projects.create({ name: '', ownerId: null, pingKey: null, now: NOW })

for (const [subject, histories] of Object.entries(HISTORIES)) {
  group(`stored histories of ${subject}`, () => {
    for (const history of histories) test(history.name, () => replayStored(history))
  })
}

async function replayStored({ settings, month = '2026-03', holds = [], steps }: History): Promise<void> {
  await raw('DELETE FROM outages')
  const toCome = holds.map(([from, until]) => [instantOf(from, month), instantOf(until, month)] as const)
  const changes = changesOf({ grace: 600, ...settings })
  const { check } = await fresh.store.checks.create(project.id, { changes, unique: null, now: NOW })
  const rids = new Map<string, string>()
  let [flipsSeen, passedSeen] = [0, 0]
  for (const [time, event, expected, changed] of steps) {
    const now = instantOf(time, month)
    const { store } = fresh
    while (toCome[0] && toCome[0][0] <= now) {
      const [startedAt, holdUntil] = toCome.shift()!
      const values = [startedAt, holdUntil - 60_000, holdUntil]
      await raw(`INSERT INTO outages (started_at, ended_at, hold_until) VALUES (${values})`)
    }
    if (event === 'restart') await fresh.reopen()
    else if (event === 'look') await store.alerts.declareDown(now, 1_000)
    else if (event === 'pause') await store.checks.pause(project.id, check.uuid, now)
    else if (event === 'resume') await store.checks.resume(project.id, check.uuid, now)
    else if (event === 'set') {
      await store.checks.update(project.id, check.uuid, { changes: changesOf(changed!), now })
    } else await ping(check.uuid, event, { now, month }, rids)
    const flips = await loggedFlipsOf(raw, check.uuid)
    const passed = await passedDeadlinesOf(raw, check.uuid)
    const { check: known } = await fresh.store.checks.facts(project.id, check.uuid, now)
    const named = withLetters(known, rids)
    const happened = { check: named, flips: flips.slice(flipsSeen), passed: passed.slice(passedSeen) }
    const told = describe(happened, now, holdAt(holds, month, now), month)
    assert.deepEqual(...comparable(told, expected), `after ${time} ${event}: ${told}`)
    flipsSeen = flips.length
    passedSeen = passed.length
  }
}

async function ping(
  uuid: string,
  event: string,
  { now, month }: { now: number; month: string },
  rids: Map<string, string>,
): Promise<void> {
  const { store } = fresh
  const { check } = await store.checks.facts(project.id, uuid, now)
  const { rid: letter, durationMs, ranAt } = pingOf(event, check, month)
  const exit = /^exit (\d+)/.exec(event)
  const action = exit ? 'success' : (event.split(' ')[0] as 'success' | 'fail' | 'start' | 'log')
  if (letter !== null && !rids.has(letter)) rids.set(letter, randomUUID())
  const rid = letter === null ? null : rids.get(letter)!
  const exitStatus = exit ? Number(exit[1]) : null
  const { outcomes } = await store.pings.record([
    arrivedPing({ uuid }, now, { action, rid, durationMs, exitStatus, ranAt }),
  ])
  assert.deepEqual(outcomes, ['ok'])
}

/** The check with the letters of the history in the place of run IDs. */
function withLetters(check: State & Settings, rids: Map<string, string>): State & Settings {
  const letters = new Map([...rids].map(([letter, rid]) => [rid, letter]))
  const { tracking } = check
  if (!tracking) return check
  const runs = tracking.runs.map(run => ({ ...run, rid: run.rid && letters.get(run.rid)! }))
  return { ...check, tracking: { ...tracking, runs } }
}
