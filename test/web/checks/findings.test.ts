/** Findings on a check's page, and applying them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../../_support/arrived-ping.js'
import { wordsOf } from '../../_support/words-of.js'
import { openWebWorld } from '../../_support/worlds/web-world.js'

const world = await openWebWorld()
const { alice, bob, rita, charlie, store, clock, project } = world
const DAY_MS = 86_400_000

const pageOf = async (uuid: string, person = alice) => (await person.get(`/checks/${uuid}/details/`)).text
const findingsIn = (html: string) => /<section[^>]*id="findings".*?<\/section>/s.exec(html)?.[0] ?? ''
const settingsOf = async (uuid: string) =>
  (await store.checks.withChannels(project.id, { uuid }, clock.now())).check
const applyAt = (uuid: string) => `/checks/${uuid}/findings/time_zone/`
const proposal = '{"tz":"Africa/Johannesburg"}'

// Two o'clock on a morning in January.
clock.advance(14 * 3_600)

/** A check at 3 o'clock UTC whose job runs at 3 o'clock by a clock that is two hours ahead. */
async function onAnotherClock(name: string): Promise<string> {
  const uuid = await world.addCheck(name)
  const changes = { schedule: '0 3 * * *', tz: 'UTC' }
  await store.checks.update(project.id, uuid, { changes, now: clock.now() })
  const today = clock.now() - 3_600_000
  const pings = [5, 4, 3, 2, 1, 0].map(days => arrivedPing({ uuid }, today - days * DAY_MS))
  await store.pings.record(pings)
  return uuid
}

test('the page of a check says what is found, with what would change', async () => {
  const shown = wordsOf(findingsIn(await pageOf(await onAnotherClock('Said'))))
  assert.match(shown, /The last 6 runs came 2 hours before the schedule: is it set to UTC while/)
  assert.match(shown, /Time zone: UTC → [A-Z]\w+\/\w+/)
})

test('before a finding is applied the page shows each setting and the next deadline, before and after', async () => {
  const uuid = await onAnotherClock('Shown first')
  const before = await settingsOf(uuid)
  const { status, text } = await alice.get(applyAt(uuid))
  assert.equal(status, 200)
  const rows = [...text.matchAll(/<tr><th scope="row">(.*?)<\/tr>/gs)].map(([row]) =>
    wordsOf(row.replaceAll('</t', ' </t')),
  )
  assert.match(rows[0]!, /^Time zone\s+UTC\s+[A-Z]\w+\/\w+\s*$/)
  assert.match(rows[1]!, /^Next ping expected\s+03:00\s+7 Jan 01:00\s*$/)
  assert.match(rows[2]!, /^Down without it\s+04:00\s+7 Jan 02:00\s*$/)
  assert.deepEqual(await settingsOf(uuid), before)
})

test('a finding is applied by its button alone, and is gone afterwards', async () => {
  const uuid = await onAnotherClock('Applied')
  const { text } = await bob.get(applyAt(uuid))
  const shown = /name="proposal" value="([^"]*)"/.exec(text)![1]!.replaceAll('&quot;', '"')
  const { location } = await bob.post(applyAt(uuid), { proposal: shown })
  assert.equal(location, `/checks/${uuid}/details/`)
  const { tz, dueAt } = await settingsOf(uuid)
  assert.equal(tz, JSON.parse(shown).tz)
  assert.equal(dueAt, clock.now() - 3_600_000 + DAY_MS)
  const after = await pageOf(uuid, bob)
  assert.match(wordsOf(after), /Saved\./)
  assert.doesNotMatch(findingsIn(after), /came 2 hours before|Apply/)
})

test('a proposal that is another one by now is shown again, and one that is gone changes nothing', async () => {
  const uuid = await onAnotherClock('Changed')
  const before = await settingsOf(uuid)
  const other = await alice.post(applyAt(uuid), { proposal: '{"tz":"Asia/Tokyo"}' })
  assert.equal(other.location, applyAt(uuid))
  assert.match(wordsOf((await alice.get(applyAt(uuid))).text), /the proposal has changed/)
  assert.deepEqual(await settingsOf(uuid), before)
  await store.checks.update(project.id, uuid, { changes: { tz: 'Europe/Riga' }, now: clock.now() })
  for (const { location } of [
    await alice.get(applyAt(uuid)),
    await alice.post(applyAt(uuid), { proposal }),
  ]) {
    assert.equal(location, `/checks/${uuid}/details/`)
  }
  assert.match(wordsOf(await pageOf(uuid)), /Nothing was changed: this finding no longer applies\./)
  for (const code of ['nobody_hears', 'nonsense', 'constructor']) {
    const { location } = await alice.get(`/checks/${uuid}/findings/${code}/`)
    assert.equal(location, `/checks/${uuid}/details/`)
  }
})

test('a reader sees findings and applies none; an outsider, a stranger and a forged form find nothing', async () => {
  const uuid = await onAnotherClock('Guarded')
  const shown = findingsIn(await pageOf(uuid, rita))
  assert.match(wordsOf(shown), /came 2 hours before the schedule/)
  assert.doesNotMatch(shown, /<a |<form/)
  const before = await settingsOf(uuid)
  assert.equal((await rita.get(applyAt(uuid))).status, 403)
  assert.equal((await charlie.get(applyAt(uuid))).status, 404)
  const shownProposal = /name="proposal" value="([^"]*)"/.exec((await alice.get(applyAt(uuid))).text)![1]!
  const fields = { proposal: shownProposal.replaceAll('&quot;', '"') }
  assert.equal((await rita.post(applyAt(uuid), fields)).status, 403)
  assert.equal((await charlie.post(applyAt(uuid), fields)).status, 404)
  assert.equal((await world.stranger().post(applyAt(uuid), fields)).status, 302)
  assert.equal((await bob.post(applyAt(uuid), { ...fields, csrf: 'wrong' })).status, 403)
  assert.deepEqual(await settingsOf(uuid), before)
})

test('a channel that was never tried is a finding, and no heading stands over none', async () => {
  const uuid = await world.addCheck('Fine')
  const none = /^<section class="findings"[^>]* hidden/
  assert.match(findingsIn(await pageOf(uuid)), none)
  const { id } = await store.channels.create({
    projectId: project.id,
    name: 'Hook',
    kind: 'webhook',
    settings: {},
    members: [],
    now: clock.now(),
  })
  const shown = findingsIn(await pageOf(uuid))
  assert.match(wordsOf(shown), /No delivery through its 1 integration is on record: send a test\./)
  assert.match(shown, new RegExp(`href="/projects/${project.uuid}/integrations/"`))
  await store.channels.noteTest({
    channelId: id,
    uuid: '10000000-0000-4000-8000-000000000000',
    status: 'down',
    error: '',
    startedAt: clock.now(),
    durationMs: 1,
  })
  assert.match(findingsIn(await pageOf(uuid)), none)
})

test('what applying a finding does to the status is said in the words of the pages', async () => {
  const uuid = await onAnotherClock('Late now')
  clock.advance(1.5 * 3_600)
  const row = /<tr><th scope="row">Status<\/th>.*?<\/tr>/s.exec((await alice.get(applyAt(uuid))).text)
  assert.match(wordsOf(row![0].replaceAll('</t', ' </t')), /^Status\s+late\s+up\s*$/)
})
