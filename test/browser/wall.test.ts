/** The wall display in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { PHONE } from '../_support/browser/browser.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const TV = { width: 1920, height: 1080 } as const

/** A project with checks of these names that are down, and some that are up. */
async function project(name: string, down: readonly string[], up: number) {
  const account = await world.account(name)
  for (const one of down) await world.ping(await world.check(account, { name: one }), '/2')
  for (let number = 0; number < up; number++) {
    await world.ping(await world.check(account, { name: `Fine ${number}` }))
  }
  return account
}

test('a wall shows what is wrong with a clock and the rest as dots, and finds out by itself', async () => {
  const account = await project('Wall', ['Broken <b>'], 1)
  const fine = await world.check(account, { name: 'Backup' })
  await world.ping(fine)
  const page = await openWindow(world, null, `/tv/#${account.ro}=Production&theme=dark&tz=Europe/Riga`)
  await page.getByText('1 of 3 down').waitFor()
  assert.deepEqual(await page.locator('.wall-name strong').allTextContents(), ['Broken <b>'])
  assert.match(
    (await page.locator('.wall-tile').textContent())!,
    /down for .*exit status 2, since .*\d\d:\d\d/,
  )
  assert.match((await page.locator('.wall-clock').textContent())!, /^\d\d:\d\d Europe\/Riga$/)
  assert.equal(await page.locator('#wall-mosaic figcaption').textContent(), '2 up')
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark')
  assert.match(await page.title(), /^\(1\) /)
  await world.ping(fine, '/fail')
  await page.getByText('2 of 3 down').waitFor()
  await closeWindow(page)
})

test('a member opens the wall from the list of checks, is led to the way without an account, and sees when access ends', async () => {
  const { alice, project, addCheck } = world
  await world.ping({ uuid: await addCheck('Backup') }, '/2')
  const page = await openWindow(world, alice, `/projects/${project.uuid}/checks/`)
  await page.getByRole('main').getByRole('link', { name: 'Wall display' }).click()
  await page.getByText('1 of 1 down').waitFor()
  assert.deepEqual(await page.locator('.wall-name strong').allTextContents(), ['Backup'])
  assert.deepEqual(await findViolations(page), [])
  await page.getByRole('link', { name: 'On a screen where nobody is signed in' }).click()
  await page.getByText('it needs a read-only key').waitFor()
  await page.goBack()
  await page.getByText('1 of 1 down').waitFor()
  await page.context().clearCookies()
  await page.getByText('You have no access any more.').waitFor()
  await closeWindow(page)
})

test('names of one kind that differ in their last word are told apart', async () => {
  const names = Array.from({ length: 30 }, (_, place) => `unattended upgrades of mail-server-${place}`)
  const account = await project('Alike', names, 0)
  const page = await openWindow(world, null, `/tv/#${account.ro}`, TV)
  await page.getByText('30 of 30 down').waitFor()
  const cut = await page
    .locator('.wall-name strong')
    .evaluateAll(
      all =>
        all.filter(one => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth)
          .length,
    )
  assert.equal(cut, 0)
  await closeWindow(page)
})

for (const [count, view, least] of [
  [1, TV, 60],
  [6, TV, 34],
  [30, TV, 18],
  [40, TV, 18],
  [30, { width: 1280, height: 720 }, 12],
] as const) {
  test(`${count} problems fit ${view.width} by ${view.height} pixels in text of ${least} pixels or more`, async () => {
    const names = Array.from({ length: count }, (_, place) => `Nightly export of the orders ${place}`)
    const account = await project(`Fits ${count} ${view.width}`, names, 40)
    const page = await openWindow(world, null, `/tv/#${account.ro}`, view)
    await page.getByText(`${count} of ${count + 40} down`).waitFor()
    assert.equal(await page.locator('.wall-tile').count(), Math.min(count, 30))
    assert.equal(await page.getByText('and 11 more').count(), count === 40 ? 1 : 0)
    const found = await page.evaluate(() => ({
      high: document.documentElement.scrollHeight,
      wide: document.documentElement.scrollWidth,
      text: Number.parseFloat(getComputedStyle(document.querySelector('.wall-tiles')!).fontSize),
      cut: [...document.querySelectorAll('.wall-tile')].filter(
        tile => tile.scrollHeight > tile.clientHeight + 1,
      ).length,
    }))
    assert.ok(found.high <= view.height && found.wide <= view.width, JSON.stringify(found))
    assert.ok(found.text >= least, JSON.stringify(found))
    assert.equal(found.cut, 0, 'every line of a tile is visible')
    await closeWindow(page)
  })
}

test('a wall says when it is not connected, and an unknown key', async () => {
  const account = await project('Lost', [], 1)
  const page = await openWindow(world, null, `/tv/#${account.ro}`)
  await page.getByText('The check is not down').waitFor()
  await page.context().setOffline(true)
  await page.getByText(/Not connected since \d\d:\d\d/).waitFor()
  await page.context().setOffline(false)
  await page.locator('#wall-trouble:empty').waitFor({ state: 'attached' })
  page.complaints.length = 0
  await closeWindow(page)
  const other = await openWindow(world, null, `/tv/#${'x'.repeat(32)}=Backups`)
  await other.getByText('The key of Backups is not known here.').waitFor()
  other.complaints.length = 0
  await closeWindow(other)
})

test('a wall has no accessibility violations, light and dark, also on a phone, and nothing moves', async () => {
  const account = await project('Seen', ['Broken', 'Failing'], 3)
  for (const view of [{ ...TV, theme: 'dark' }, PHONE] as const) {
    const page = await openWindow(world, null, `/tv/#${account.ro}`, view)
    await page.getByText('2 of 5 down').waitFor()
    assert.deepEqual(await findViolations(page), [])
    assert.equal(await page.evaluate(() => document.getAnimations().length), 0)
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= view.width, `${width} pixels wide`)
    await closeWindow(page)
  }
})
