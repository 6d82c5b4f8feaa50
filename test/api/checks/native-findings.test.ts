/** The findings about a check in Punctual's own API. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findingsOf } from '../../../src/core/checks/findings/index.js'
import { findingShape } from '../../../src/core/wire/finding.js'
import { parseCheckChanges } from '../../../src/http/native/checks/check-changes.js'
import { cron, DAY, findingFacts, firstOf, HOUR, NOW, run, startedRun } from '../../_support/findings.js'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWorld()
const { alice, charlie, clock } = world
const PREFIX = '/api/punctual/v1/checks'
const findingsAt = (uuid: string, key = alice.rw) => world.get(`${PREFIX}/${uuid}/findings`, key)
const codes = async (uuid: string) =>
  (await findingsAt(uuid)).json.findings.map(({ code }: { code: string }) => code)

/** A check at 3 o'clock UTC whose job runs at 3 o'clock in Riga. */
async function onAnotherClock() {
  const check = await world.check(alice, { schedule: '0 3 * * *', tz: 'UTC' })
  clock.advance(((25 * HOUR - (clock.now() % DAY)) % DAY) / 1000)
  for (let day = 0; day < 9; day++) {
    clock.advance(86_400)
    await world.ping(check)
  }
  return check.uuid as string
}

test('a finding has its evidence and a patch, and is gone once the patch is sent', async () => {
  const uuid = await onAnotherClock()
  const { status, json } = await findingsAt(uuid)
  assert.equal(status, 200)
  const [finding, other] = json.findings
  assert.deepEqual(Object.keys(finding), ['code', 'evidence', 'patch'])
  assert.equal(finding.code, 'time_zone')
  assert.match(finding.evidence, /^The last 9 runs came 2 hours before the schedule: is it set to UTC/)
  assert.deepEqual(Object.keys(finding.patch), ['tz'])
  const evidence = 'It has no integration, so no alert is sent.'
  assert.deepEqual(other, { code: 'nobody_hears', evidence, patch: null })
  const changed = await world.send('PATCH', `${PREFIX}/${uuid}`, { key: alice.rw, body: finding.patch })
  assert.equal(changed.status, 200)
  assert.deepEqual(await codes(uuid), ['nobody_hears'])
})

test('a check that was never pinged has a finding after a day', async () => {
  const { uuid } = await world.check(alice)
  assert.deepEqual(await codes(uuid), ['nobody_hears'])
  clock.advance(86_400)
  assert.deepEqual(await codes(uuid), ['never_pinged', 'nobody_hears'])
})

test('each kind of patch is what a PATCH takes', () => {
  const nightly = firstOf('0 3 * * *', 'UTC', NOW - 30 * DAY, 12)
  const hourly = Array.from({ length: 21 }, (_, n) => run(NOW - n * HOUR)).reverse()
  const long = { durationMs: 0.9 * HOUR }
  const found = [
    findingFacts({ check: cron('0 3 * * *'), runs: nightly.map(at => run(at - 2 * HOUR)) }),
    findingFacts({ check: cron('0 3 * * *'), runs: nightly.map(at => run(at - 5_000)) }),
    findingFacts({ runs: hourly }),
    findingFacts({ check: cron('0 3 * * *'), runs: hourly }),
    findingFacts({ runs: nightly.map(at => ({ ...startedRun(at), ...long })) }),
    findingFacts({
      check: { maxDurationSeconds: 3_600 },
      runs: nightly.map(at => ({ ...startedRun(at), ...long })),
    }),
  ].map(facts => findingsOf(facts)[0]!)
  const keys = ['tz', 'early', 'period', 'schedule', 'grace', 'max_duration']
  assert.deepEqual(
    found.map(finding => Object.keys(findingShape(finding).patch!)),
    keys.map(key => [key]),
  )
  for (const finding of found) {
    assert.deepEqual(parseCheckChanges(findingShape(finding).patch), {
      changes: finding.patch,
      refusesRules: true,
    })
  }
})

test('a read-only key sees findings, by the unique key too; an outsider does not', async () => {
  const { uuid } = await world.check(alice)
  const { unique_key } = (await world.get(`${PREFIX}/${uuid}`, alice.ro)).json
  const { json, text } = await findingsAt(unique_key, alice.ro)
  assert.equal(json.findings.length, 1)
  assert.ok(!text.includes(uuid))
  assert.equal((await findingsAt(uuid, charlie.rw)).status, 404)
  assert.equal((await findingsAt(unique_key, charlie.rw)).status, 404)
  assert.equal((await findingsAt(uuid, 'x'.repeat(32))).status, 401)
})
