/** Applying a finding in a real browser, with and without script. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivedPing } from '../_support/arrived-ping.js'
import { findViolations } from '../_support/browser/axe.js'
import { PHONE } from '../_support/browser/browser.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const { store, clock, project } = world
const DAY = 86_400_000

async function onAnotherClock(name: string): Promise<string> {
  const uuid = await world.addCheck(name)
  const changes = { schedule: '0 14 * * *', tz: 'UTC' }
  await store.checks.update(project.id, uuid, { changes, now: clock.now() })
  const pings = [5, 4, 3, 2, 1, 0].map(days => arrivedPing({ uuid }, clock.now() - days * DAY))
  await store.pings.record(pings)
  return uuid
}

for (const script of [true, false]) {
  test(`a finding is applied on a phone ${script ? 'with' : 'without'} script`, async () => {
    const uuid = await onAnotherClock('Nightly')
    const page = await openWindow(world, world.alice, `/checks/${uuid}/details/`, { ...PHONE, script })
    const evidence = page.getByText('The last 6 runs came 2 hours before the schedule')
    await page.getByRole('link', { name: 'Apply…' }).click()
    await evidence.waitFor()
    await page.getByRole('rowheader', { name: 'Next ping expected' }).waitFor()
    if (script) assert.deepEqual(await findViolations(page), [])
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Saved.').waitFor()
    assert.equal(await evidence.count(), 0)
    await closeWindow(page)
  })
}

test('a finding leaves an open page when somebody else applies it', async () => {
  const uuid = await onAnotherClock('Watched')
  const page = await openWindow(world, world.alice, `/checks/${uuid}/details/`)
  const heading = page.getByRole('heading', { name: 'Findings' })
  await heading.waitFor()
  await store.checks.update(project.id, uuid, { changes: { tz: 'Europe/Riga' }, now: clock.now() })
  await heading.waitFor({ state: 'hidden' })
  await closeWindow(page)
})
