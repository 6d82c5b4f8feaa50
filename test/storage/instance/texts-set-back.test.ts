/** Instants within texts after a clock that was ahead for a day is set back. Decision 0008. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import { undoableUntil } from '../../../src/core/checks/undo.js'
import { NEW_RUN } from '../../../src/core/instance/canary.js'
import { IN_TEXTS, OWN } from '../../../src/storage/instance/instants.js'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { engine, openFreshStore } from '../../_support/worlds/store.js'
import { StoreHarness } from '../../_support/worlds/store-harness.js'

const MINUTE = 60_000
const HOUR = 3_600_000
const DAY = 86_400_000
const NOW = Date.UTC(2026, 0, 15, 12)
const AHEAD = NOW + DAY
/** An instant that a person chose. */
const CHOSEN = NOW + 2 * DAY

const own: CheckChanges = { periodSeconds: 60, graceSeconds: 60 }

const TEXTS = {
  sqlite: `SELECT m.name AS tab, p.name AS col FROM sqlite_master m JOIN pragma_table_info(m.name) p
    WHERE m.type = 'table' AND p.type = 'TEXT'`,
  postgres: `SELECT table_name AS tab, column_name AS col FROM information_schema.columns
    WHERE table_schema = current_schema() AND data_type = 'text'`,
}

/** How columns of words, names and keys are named. Any other one has to be filled here: it could hold an instant. */
const PLAIN_WORDS = `uuid digest key hint secret token credential_id issuer subject caller request
  account name email role kind type types scopes need purpose method methods protocols
  tags desc kw rid cause reason error again by actor author note owner section
  text html url ua address addr browser transports part schedule tz status`
const PLAIN = new RegExp(`(^|_)(${PLAIN_WORDS.split(/\s+/).join('|')})$`)

/** Columns of answers to requests and of declared objects, whose instants are words. */
const AS_DECLARED = ['api_requests.answer', 'config_objects.object']

/** A store to which all that stores instants in texts has happened while the clock was ahead. */
async function openStoreAhead(t: TestContext) {
  const { store, raw, remove } = await openFreshStore()
  t.after(remove)
  const alice = { email: 'alice@example.org', passwordHash: 'x', emailProven: true, now: AHEAD }
  const user = await store.people.createUser(alice)
  const project = await store.projects.create({ name: 'A', ownerId: user.id, pingKey: 'key', now: AHEAD })
  await alert(new StoreHarness(store, project.id, AHEAD))
  const create = async (changes: CheckChanges) =>
    (await store.checks.create(project.id, { changes, unique: null, now: AHEAD })).check.uuid
  const tracked = await create({ ...own, trackRuns: 'each', failuresToAlert: 3 })
  const [paused, silent] = [await create(own), await create(own)]
  for (const action of ['success', 'start', 'fail'] as const)
    for (const uuid of [tracked, paused]) await store.pings.record([arrivedPing({ uuid }, AHEAD, { action })])
  await store.pings.record([arrivedPing({ uuid: silent }, AHEAD)])
  await store.alerts.declareDown(AHEAD + 5 * MINUTE, 10)
  await store.checks.pause(project.id, paused, AHEAD, undoableUntil(AHEAD), user.id)
  const times = { kind: 'once', from: NOW, to: CHOSEN } as const
  const silence = { mode: 'hold', scope: { project: true }, reason: '', times } as const
  const created = { channels: null, createdBy: 'Alice', now: NOW }
  const { id } = await store.silences.create(project.id, { ...silence, ...created })
  await store.silences.update(project.id, id, { mode: 'expect_nothing', now: AHEAD + MINUTE })
  await store.instance.noteCanary({ ...NEW_RUN, hasSucceeded: true }, AHEAD)
  await store.instance.beat('me', AHEAD + 5 * MINUTE, { behind: { c1: AHEAD } })
  return { store, raw }
}

/** Alerts, of which one waits for a quota, a notice, and the closing message of a check that was deleted. */
async function alert(scene: StoreHarness): Promise<void> {
  const { store, projectId, now } = scene
  const { uuid } = await scene.addChannel('Phone', { url_down: 'https://down.example/' })
  await scene.ping('gone', 'fail')
  for (const message of await scene.claim()) await scene.settle(message, 'sent')
  const [gone] = await scene.checkUuids()
  await scene.ping('held', 'fail')
  await scene.claim('me', { quota: { name: 'messages', called: 'SMS', limit: 0 } })
  await scene.addChannel('Chat')
  await scene.ping('refused', 'fail')
  const [message] = await scene.claim()
  const words = { type: 'notice' as const, title: 'Disabled', text: '', url: '' }
  const disabled = { ...words, about: { channel: uuid, trouble: 'disabled' as const } }
  await scene.settle(message!, { type: 'failed', error: 'Refused', disabled })
  const steps = [{ after: 0, channels: 'check' as const }]
  await store.incidents.createPolicy(projectId, { name: 'P', isDefault: true, steps, repeat: null, now })
  const times = { kind: 'once', from: NOW, to: CHOSEN } as const
  const silence = { mode: 'hold', scope: { project: true }, reason: '', times } as const
  const { id } = await store.silences.create(projectId, {
    ...silence,
    channels: [uuid],
    createdBy: 'Alice',
    now: NOW,
  })
  await store.silences.end(projectId, id, now)
  await store.checks.delete(projectId, gone!, now)
}

test('every text with an instant is set back with the clock, or has a reason not to be', async t => {
  const { store, raw } = await openStoreAhead(t)
  const columns = (await raw(TEXTS[engine])) as { tab: string; col: string }[]
  const textsOf = async (tab: string, col: string) =>
    (await raw(`SELECT "${col}" AS text FROM ${tab} WHERE "${col}" <> ''`)) as { text: string }[]
  const withInstantsAhead = async () => {
    const found: string[] = []
    for (const { tab, col } of columns) {
      const texts = await textsOf(tab, col)
      const instants = texts.flatMap(({ text }) => [
        ...(text.match(/\b1\d{12}\b/g) ?? []).map(Number),
        ...(text.match(/\b\d{4}-\d\d-\d\dT\d\d:\d\d[^"]*/g) ?? []).map(Date.parse),
      ])
      if (instants.some(at => at > NOW + HOUR && at !== CHOSEN)) found.push(`${tab}.${col}`)
    }
    return found.sort()
  }
  const empty: string[] = []
  for (const { tab, col } of columns)
    if (!PLAIN.test(col) && (await textsOf(tab, col)).length === 0) empty.push(`${tab}.${col}`)
  assert.deepEqual(
    empty.sort(),
    AS_DECLARED,
    'fill it, or name it in PLAIN_WORDS if it never holds an instant',
  )
  assert.deepEqual(await withInstantsAhead(), Object.keys(IN_TEXTS).sort())
  await store.instance.beat('me', NOW)
  const left = Object.keys(IN_TEXTS).filter(text => IN_TEXTS[text] !== OWN)
  assert.deepEqual(await withInstantsAhead(), left.sort())
})
