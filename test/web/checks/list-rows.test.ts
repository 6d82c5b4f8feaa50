/** What a row of the list of checks says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CheckChanges } from '../../../src/core/checks/check-changes.js'
import { pingCheck } from '../../_support/ping-check.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock, alice } = world

async function fresh() {
  const project = await world.projectOf(alice, 'Own')
  return { ...project, path: `/projects/${project.uuid}/checks/` }
}

async function addCheck(projectId: number, changes: CheckChanges) {
  return (await store.checks.create(projectId, { changes, unique: null, now: clock.now() })).check.uuid
}

/** The row of a check as its cells' texts. */
async function cellsOf(path: string, uuid: string): Promise<string[]> {
  const { text } = await alice.get(path)
  const row = text.slice(text.indexOf(`id="c-${uuid}"`)).split('</tr>')[0]!
  return row.split('</td>').map(cell =>
    cell
      .replace(/^[^<]*>/, '')
      .replace(/<[^>]*>/g, '')
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

test('a cron check that is down shows its reason beside its name and its next run as expected', async () => {
  const { id, path } = await fresh()
  const cron = await addCheck(id, { name: 'Cron', schedule: '0 5 * * *', tz: 'UTC' })
  const simple = await addCheck(id, { name: 'Simple', periodSeconds: 3600 })
  for (const uuid of [cron, simple]) await pingCheck(world, uuid, 'fail', { exitStatus: 2 })
  clock.advance(7200)
  const cells = await cellsOf(path, cron)
  assert.match(cells[2]!, /^Cron down for 2 h, exit status 2$/)
  assert.equal(cells[5], 'in 15 h')
  const other = await cellsOf(path, simple)
  assert.match(other[2]!, /down for 2 h, exit status 2/)
  assert.equal(other[5], '–')
  const page = (await alice.get(`/checks/${cron}/details/`)).text
  assert.match(page.slice(page.indexOf('id="figures"')), /Tue 6 Jan 2026 05:00:00 UTC/)
})

test('a check that is late says when it goes down, and when it was expected', async () => {
  const { id, path } = await fresh()
  const uuid = await addCheck(id, { name: 'Late', periodSeconds: 3600, graceSeconds: 3600 })
  await pingCheck(world, uuid)
  clock.advance(3600 + 600)
  const cells = await cellsOf(path, uuid)
  assert.match(cells[2]!, /late, goes down in 50 min/)
  assert.equal(cells[5], '10 min ago')
})

test('a schedule of another zone than the reader’s names its zone, in the list and on the page', async () => {
  const reader = await world.person('reader')
  await store.people.setPreferences(reader.id, { timezone: 'Europe/Berlin', theme: 'auto' })
  const { id, uuid: project } = await world.projectOf(reader, 'Zones')
  const utc = await addCheck(id, { name: 'Utc', schedule: '0 0 * * *', tz: 'UTC' })
  const own = await addCheck(id, { name: 'Own', schedule: '0 0 * * *', tz: 'Europe/Berlin' })
  const line = await addCheck(id, { name: 'Line', schedule: 'Mon 09:00 Europe/Riga', tz: 'UTC' })
  const { text } = await reader.get(`/projects/${project}/checks/`)
  const row = (uuid: string) => text.slice(text.indexOf(`id="c-${uuid}"`)).split('</tr>')[0]!
  assert.match(row(utc), /title="Daily at 00:00, UTC, 1 h behind \(0 0 \* \* \*\)"/)
  assert.match(row(utc), /<span class="zone">UTC<\/span>/)
  assert.doesNotMatch(row(own), /class="zone"/)
  assert.doesNotMatch(row(line), /class="zone"/)
  await pingCheck(world, utc)
  const page = (await reader.get(`/checks/${utc}/details/`)).text
  assert.match(page, /Daily at 00:00, UTC/)
  assert.match(page, /Tue 6 Jan 2026 01:00:00 UTC\+01:00[\s\S]*Tue 6 Jan 2026 00:00:00 UTC</)
  clock.advance(86_400)
  const missed = (await reader.get(`/checks/${utc}/details/`)).text.replace(/<[^>]*>/g, '')
  assert.match(missed, /expected 01:00 \(00:00 UTC\), grace ended 02:00/)
})

test('two integrations of one kind are told apart, and the one that fails is marked', async () => {
  const { id, path } = await fresh()
  const add = (name: string, kind = 'webhook') =>
    store.channels.create({ projectId: id, name, kind, settings: {}, members: [], now: clock.now() })
  const uuid = await addCheck(id, { name: 'Watched' })
  await add('Operations')
  const { id: channelId, uuid: hook } = await add('Backups')
  await add('anna', 'email')
  await store.channels.noteTest({
    channelId,
    uuid: hook,
    status: 'down',
    error: 'refused',
    startedAt: clock.now(),
    durationMs: 5,
  })
  const { text } = await alice.get(path)
  const row = text.slice(text.indexOf(`id="c-${uuid}"`)).split('</tr>')[0]!
  assert.deepEqual(
    [...row.matchAll(/channel-mark"[^>]*>([^<]*)</g)].map(match => match[1]),
    ['O', 'B'],
  )
  assert.equal(row.match(/warning-sign/g)?.length, 1)
  assert.match(row, /title="Backups: on; its last notification failed: refused"/)
})

test('tags that do not fit are counted, with their names at hand', async () => {
  const { id, path } = await fresh()
  const tags = Array.from({ length: 31 }, (_, index) => `node-${index + 1}`).join(' ')
  const uuid = await addCheck(id, { name: 'Fleet', tags })
  const { text } = await alice.get(path)
  const row = text.slice(text.indexOf(`id="c-${uuid}"`)).split('</tr>')[0]!
  assert.match(row, /title="node-2, node-3, [^"]*node-31"[^>]*>\+30</)
})

test('a check that is down and acknowledged says so in its row, its page and on the start page', async () => {
  const { id, uuid: project, path } = await fresh()
  const uuid = await addCheck(id, { name: 'Known' })
  await pingCheck(world, uuid, 'fail', { exitStatus: 3 })
  const row = async () => (await cellsOf(path, uuid))[2]!
  assert.match(await row(), /exit status 3$/)
  const incident = await store.incidents.openIncident(uuid)
  await alice.post('/incidents/acknowledge/', {
    incident: `${project}:${incident}`,
    note: 'disk ordered',
    until: '1h',
  })
  const words = /exit status 3 acknowledged by alice@example\.org until \d\d:\d\d$/
  assert.match(await row(), words)
  assert.match((await alice.get(path)).text, /until \d\d:\d\d: disk ordered"/)
  const details = wordsOf((await alice.get(`/checks/${uuid}/details/`)).text)
  assert.equal(
    details.match(/Acknowledged by alice@example\.org until \d\d:\d\d\s*: disk ordered/g)?.length,
    1,
  )
  assert.match(wordsOf((await alice.get('/projects/')).text), /status 3\.\s*acknowledged by alice/)
  clock.advance(3_601)
  assert.doesNotMatch(await row(), /acknowledged/)
})
