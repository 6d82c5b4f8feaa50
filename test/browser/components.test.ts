import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { pageHeaders } from '../../src/http/web/page-headers.js'
import { serveStatic } from '../../src/http/web/static.js'
import { findViolations } from '../_support/browser/axe.js'
import { DESKTOP, newProfile, PHONE, troubles } from '../_support/browser/browser.js'
import { Gallery } from '../_support/browser/gallery.js'

const app = new Hono()
app.use(pageHeaders)
app.get('/static/*', serveStatic)
app.get('/gallery', c => c.html(Gallery({ theme: c.req.query('theme') === 'dark' ? 'dark' : 'auto' })))
const server = createAdaptorServer({ fetch: app.fetch })
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
after(() => server.close())

for (const theme of ['light', 'dark'] as const) {
  for (const view of [DESKTOP, PHONE]) {
    test(`every component is readable, ${theme}, ${view.width} pixels wide`, async () => {
      const profile = await newProfile({ ...view, theme })
      const page = await profile.newPage()
      const found = troubles(page)
      await page.goto(`${root}/gallery`)
      assert.deepEqual(await findViolations(page), [])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(width <= view.width, 'nothing sticks out at the side')
      assert.deepEqual(found, [])
      await profile.close()
    })
  }
}

test('a pinned theme wins over the system’s', async () => {
  const profile = await newProfile({ theme: 'light' })
  const page = await profile.newPage()
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await page.goto(`${root}/gallery`)
  assert.equal(await background(), 'rgb(255, 255, 255)')
  await page.goto(`${root}/gallery?theme=dark`)
  assert.equal(await background(), 'rgb(18, 19, 22)')
})
