/** Incidents in a real browser: acknowledging several, with and without script, and what appears by itself. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const list = `/projects/${world.project.uuid}/incidents/`

async function goDown(name: string): Promise<string> {
  const uuid = await world.addCheck(name)
  await world.send('POST', `/ping/${uuid}/3`, { body: 'disk full' })
  return uuid
}

test('a storm of checks is acknowledged as a whole from the keyboard, without script too', async () => {
  for (let n = 0; n < 5; n++) await goDown(`Storm ${n}`)
  for (const script of [false, true]) {
    const page = await openWindow(world, world.alice, list, { script })
    await page.getByRole('checkbox', { name: /Select these \d+ incidents/ }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('Note').fill(`router, ${script}`)
    await page.getByLabel('Note').press('Enter')
    await page.getByText('Acknowledged 5 incidents.').waitFor()
    assert.match((await page.locator('#incidents').textContent()) ?? '', /all acknowledged/)
    await closeWindow(page)
  }
})

test('a new incident appears in the list by itself', async () => {
  world.clock.advance(3600)
  const page = await openWindow(world, world.alice, list)
  await goDown('Appears')
  await page.locator('#incidents').getByText('Appears').waitFor()
  await closeWindow(page)
})

test('what another user does to an incident appears on its page by itself', async () => {
  const id = await world.store.incidents.openIncident(await goDown('Watched'))
  const page = await openWindow(world, world.alice, `${list}${id}/`)
  await world.bob.post('/incidents/acknowledge/', { incident: `${world.project.uuid}:${id}`, note: 'mine' })
  await page.locator('#incident').getByText('Acknowledged by bob@example.org').waitFor()
  await world.bob.post(`${list}${id}/notes/`, { note: 'replaced the disk' })
  await page.locator('#incident-events').getByText('replaced the disk').waitFor()
  await closeWindow(page)
})

test('the incidents of a check stand apart from what is below them', async () => {
  const page = await openWindow(world, world.alice, `/checks/${await goDown('Apart')}/details/`)
  const bottom = await page
    .locator('#check-incidents li')
    .last()
    .evaluate(line => line.getBoundingClientRect().bottom)
  const next = await page.locator('#check-incidents + *').evaluate(part => part.getBoundingClientRect().top)
  assert.ok(next - bottom >= 16, `${next - bottom} pixels`)
  await closeWindow(page)
})

test('the lengths of incidents end at one edge, below the name of their column', async () => {
  const own = await world.projectOf(world.alice, 'Lengths')
  for (const [name, seconds] of [
    ['Short', 42],
    ['Longer', 4_800],
  ] as const) {
    const uuid = await world.addCheck(name, own.id)
    await world.send('POST', `/ping/${uuid}/fail`)
    world.clock.advance(seconds)
    await world.send('POST', `/ping/${uuid}`)
  }
  const page = await openWindow(world, world.alice, `/projects/${own.uuid}/incidents/`)
  const lengths = page.locator('.incident-long')
  const edges = await lengths.evaluateAll(all => all.map(one => one.getBoundingClientRect().right))
  assert.deepEqual(await lengths.allTextContents(), ['For', '1 h 20 min', '42 s'])
  assert.equal(new Set(edges).size, 1, edges.join(', '))
  for (const width of [375, 800]) {
    await page.setViewportSize({ width, height: 800 })
    assert.equal(await page.locator('.incident-head').isVisible(), false, `${width} px`)
  }
  await closeWindow(page)
})
