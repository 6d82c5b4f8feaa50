/** Every page of the table of routes in a browser, in a world where every text from outside is hostile. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addChannel } from '../../src/actions/channels/add-channel.js'
import { routes } from '../../src/http/web/routes.js'
import { assetAt } from '../../src/lib/assets.js'
import { findViolations } from '../_support/browser/axe.js'
import { DESKTOP, newProfile, PHONE, troubles } from '../_support/browser/browser.js'
import { openWebWorld } from '../_support/worlds/web-world.js'

const HOSTILE = `"'><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\${7*7}&lt;`
const LONG = 'a-name-that-has-no-place-to-break-'.repeat(2)

const world = await openWebWorld()
const { alice, store, clock, root } = world
const project = await world.projectOf(alice, HOSTILE.slice(0, 60))

const check = await makeCheck({ name: HOSTILE.slice(0, 100), tags: HOSTILE, desc: HOSTILE })
const long = await makeCheck({ name: LONG, tags: LONG })
const asked = { changes: {}, parents: [long], now: clock.now() }
await store.checks.update(project.id, check, asked)
await makeCheck({ name: '' })
for (const suffix of ['/start', '', '/2']) {
  const headers = { 'User-Agent': HOSTILE }
  await fetch(`${root}/ping/${check}${suffix}`, { method: 'POST', headers, body: HOSTILE })
  clock.advance(90)
}
const channel = await addChannel(store, clock, {
  asker: null,
  by: null,
  projectId: project.id,
  kind: 'webhook',
  name: HOSTILE.slice(0, 100),
  settings: { url_down: `${root}/${encodeURIComponent(HOSTILE)}`, body_down: HOSTILE, method_down: 'POST' },
})
const silence = await store.silences.create(project.id, {
  mode: 'expect_nothing',
  scope: { tags: [HOSTILE] },
  channels: [channel.uuid],
  times: { kind: 'cron', schedule: '0 2 * * *', tz: 'Europe/Riga', durationSeconds: 3600, from: null },
  reason: HOSTILE,
  createdBy: HOSTILE,
  now: clock.now(),
})
await store.silences.create(project.id, {
  mode: 'hold',
  scope: { checks: [check] },
  channels: null,
  times: { kind: 'once', from: null, to: clock.now() + 86_400_000 },
  reason: LONG,
  createdBy: LONG,
  now: clock.now(),
})
const policy = await store.incidents.createPolicy(project.id, {
  name: HOSTILE.slice(0, 100),
  isDefault: true,
  steps: [
    { after: 0, channels: 'check' },
    { after: 900, channels: [channel.uuid] },
  ],
  repeat: { every: 3600, times: 5 },
  now: clock.now(),
})
await alice.get(`/integrations/${channel.uuid}/`)
await alice.post(`/integrations/${channel.uuid}/test/`)

const incident = await store.incidents.openIncident(check)
await store.incidents.acknowledge(project.id, [incident!], {
  by: HOSTILE,
  note: HOSTILE,
  until: clock.now() + 3_600_000,
  now: clock.now(),
})
await store.incidents.addNote(project.id, incident!, HOSTILE, { by: HOSTILE, now: clock.now() })

const subjects: Record<string, string> = { projects: project.uuid, checks: check, integrations: channel.uuid }

/** Streams and downloads are no pages; pages for links that were mailed have tests of their own. */
const NO_PAGE =
  /\/(live|body|preview|connect|finish|problems|options|wall\/checks)\/$|\/integrations\/(callback|invite)\/|:(token|signature|invite)|\/accounts\/(login|signup)\//

const paths = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))

const pages = [
  ...new Set(
    [...paths]
      // A page that also answers without the last slash is one page.
      .filter(path => !NO_PAGE.test(path) && !paths.has(`${path}/`))
      .map(path =>
        path
          .replace(/^\/(\w+)\/:uuid/, (_, noun: string) => `/${noun}/${subjects[noun]}`)
          .replace(':kind', 'email')
          .replace(':silence', String(silence.id))
          .replace(':policy', String(policy.id))
          .replace(/:n\b/, '1')
          .replace(/:id\b/, String(incident))
          .replace(':folder/:name', 'integrations/webhook')
          .replace('/docs/:name', '/docs/pinging'),
      ),
  ),
  `/docs/search/?q=${encodeURIComponent(HOSTILE)}`,
  `/projects/${project.uuid}/checks/?search=${encodeURIComponent(HOSTILE)}`,
  `/search/?q=${encodeURIComponent('img')}`,
  `/search/?check=${check}`,
  `/checks/${check}/log/?text=img`,
  `/projects/${project.uuid}/log/?kind=success&kind=start&kind=flip`,
  '/nothing/here/',
]

/** Documents have a list beside them; links in mails and a review lead to one page alone; the wall and what is missing have no place. */
const HAS_NO_PARENT =
  /^\/(docs|dev|tv|nothing|accounts\/(review|unsubscribe_reports)|projects\/[^/]+\/wall)\//

/** The navigation leads to the page, or else the page to the one above it. */
async function leadsBack(page: Page): Promise<boolean> {
  const isReached = await page
    .locator('.masthead a, .tabs a')
    .evaluateAll(links => links.some(link => (link as HTMLAnchorElement).pathname === location.pathname))
  return (await page.locator('main > .crumb a').count()) === (isReached ? 0 : 1)
}

const profile = await newProfile(DESKTOP)
after(() => profile.close())
await profile.addCookies([...alice.cookies].map(([name, value]) => ({ name, value, url: root })))
// One for all, because a new one starts a process and compiles the scripts again.
const page = await profile.newPage()
const found = troubles(page)

for (const path of pages) {
  test(`${nameOf(path)} is accessible, light, leads back, fits narrow windows, and runs nothing that it was given`, async () => {
    found.length = 0
    await page.setViewportSize(DESKTOP)
    await page.emulateMedia({ colorScheme: 'light' })
    const answer = await page.goto(root + path)
    assert.deepEqual(await findViolations(page), [])
    if (answer?.ok() && !HAS_NO_PARENT.test(path)) assert.ok(await leadsBack(page))
    await page.setViewportSize(PHONE)
    await page.emulateMedia({ colorScheme: 'dark' })
    assert.deepEqual(await findViolations(page, ['color-contrast']), [])
    for (const width of [320, PHONE.width, 768]) {
      await page.setViewportSize({ width, height: PHONE.height })
      const needed = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(needed <= width, `${needed} pixels wide in a window of ${width}`)
    }
    assert.equal(await page.evaluate(() => 'hacked' in window), false)
    const scripts = await page.evaluate(() => [...document.scripts].map(({ src }) => new URL(src).pathname))
    const bytes = scripts.reduce((sum, script) => sum + assetAt(script)!.plain.length, 0)
    assert.ok(bytes > 0 && bytes < 64_000, `${bytes} bytes of scripts`)
    assert.deepEqual(
      found.filter(text => !text.includes('404')),
      [],
    )
  })
}

test('the sign-in page is accessible', async () => {
  const stranger = await newProfile(PHONE)
  const page = await stranger.newPage()
  await page.goto(`${root}/accounts/login/`)
  assert.deepEqual(await findViolations(page), [])
  await stranger.close()
})

async function makeCheck(changes: { name: string; tags?: string; desc?: string }): Promise<string> {
  return (await store.checks.create(project.id, { changes, unique: null, now: clock.now() })).check.uuid
}

/** The path as the table of routes has it, near enough to find it. */
function nameOf(path: string): string {
  return path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':uuid').replace(/\?.*/, '?…')
}
