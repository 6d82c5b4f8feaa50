/** The viewer of outputs in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from '../_support/browser/axe.js'
import { closeWindow, openWindow } from '../_support/browser/window.js'
import { pingCheck } from '../_support/ping-check.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const world = await openWebWorld()
const uuid = await world.addCheck('Outputs')
const colours = [31, 32, 33, 34, 35, 36, 37, 90].map(
  code => `\x1b[${code}mcolour\x1b[0m \x1b[${code};${code + 10}mon it\x1b[0m \x1b[${code};7minverse\x1b[0m`,
)
const lines = [
  ...colours,
  `a long line ${'and on '.repeat(60)}`,
  'disk full',
  '\x1b[31mdisk\x1b[0m full',
  'end',
]
await pingCheck(world, uuid, 'fail', { body: new TextEncoder().encode(lines.join('\n')) })
await pingCheck(world, uuid, 'success', { body: new TextEncoder().encode('{"a":[1,2]}') })

test('an output can be searched, across colours too, and a line has an address', async () => {
  const page = await openWindow(world, world.alice, `/checks/${uuid}/pings/1/`)
  const find = page.getByRole('searchbox', { name: 'Find in the output' })
  await find.fill('disk full')
  await page.getByText('1 of 2').waitFor()
  await find.press('Enter')
  await page.getByText('2 of 2').waitFor()
  await find.fill('nowhere')
  await page.getByText('Not found').waitFor()
  await page.locator('#L10 > a').click()
  assert.match(page.url(), /#L10$/)
  assert.equal(await page.locator('.line:target').textContent(), '10disk full\n')
  await closeWindow(page)
})

test('lines wrap until that is switched off, without script too', async () => {
  const page = await openWindow(world, world.alice, `/checks/${uuid}/pings/1/`, { script: false })
  const view = page.locator('.view pre')
  const overflows = () => view.evaluate(pre => pre.scrollWidth > pre.clientWidth)
  await page.setViewportSize({ width: 640, height: 800 })
  assert.equal(await overflows(), false)
  await page.getByText('Wrap lines').click()
  assert.equal(await overflows(), true)
  assert.equal(await page.getByRole('searchbox').count(), 0)
  await closeWindow(page)
})

test('the address of a line in another view opens it', async () => {
  const page = await openWindow(world, world.alice, `/checks/${uuid}/pings/2/#L2-1`)
  await page.getByText('{"a":[1,2]}').waitFor()
  await closeWindow(page)
})

test('the colours of terminals can be read in light and dark', async () => {
  const page = await openWindow(world, world.alice, `/checks/${uuid}/pings/1/`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await findViolations(page, ['color-contrast']), [])
  }
  await closeWindow(page)
})

test('the end of a failed check’s output is in view', async () => {
  const other = await world.addCheck('Tail')
  const body = Array.from({ length: 60 }, (_, index) => `line ${index}`).join('\n')
  await pingCheck(world, other, 'fail', { body: new TextEncoder().encode(body) })
  const page = await openWindow(world, world.alice, `/checks/${other}/details/`)
  const [last, box] = [page.locator('.line', { hasText: 'line 59' }), page.locator('.view pre')]
  const [inner, outer] = [await last.boundingBox(), await box.boundingBox()]
  assert.ok(inner!.y + inner!.height <= outer!.y + outer!.height + 1)
  await closeWindow(page)
})
