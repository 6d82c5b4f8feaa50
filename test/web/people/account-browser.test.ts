/** What people do with accounts, in a real browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { createFirstProject } from '../../../src/actions/people/create-first-project.js'
import { offerFirstAccount } from '../../../src/actions/people/offer-first-account.js'
import { systemClock } from '../../../src/lib/clock.js'
import { findViolations } from '../../_support/browser/axe.js'
import { DESKTOP, newProfile, PHONE, troubles } from '../../_support/browser/browser.js'
import { ownSession } from '../../_support/own-session.js'
import { openWebWorld, PASSWORD, type Person } from '../../_support/worlds/web-world.js'
import { openWorld } from '../../_support/worlds/world.js'

const world = await openWebWorld()
// Passkeys are bound to the name of the site.
const root = world.root.replace('127.0.0.1', 'localhost')
Object.assign(world.config, { SITE_ROOT: root })

/** A browser window in which this person is signed in. */
async function windowOf(person: Person | null, view: Parameters<typeof newProfile>[0] = {}) {
  const profile = await newProfile(view)
  const cookies = person ? [...person.cookies] : []
  await profile.addCookies(cookies.map(([name, value]) => ({ name, value, url: root })))
  return await profile.newPage()
}

/** Fills the sign-in form in and sends it. */
async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto(`${root}/accounts/login/`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('the printed link leads to an account and to a check, which turns green when its first ping comes', async () => {
  const fresh = await openWorld({ projects: false })
  const made = (await createFirstProject(fresh.store, fresh.clock))!
  const { path } = (await offerFirstAccount(fresh.store, fresh.clock))!
  const page = await (await newProfile()).newPage()
  const found = troubles(page)
  await page.goto(fresh.root + path)
  await page.getByLabel('E-mail address').fill('alice@example.org')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`**/checks/${made.check}/details/`)
  await page.locator('.status-new').first().waitFor()
  await fresh.ping({ uuid: made.check })
  await page.locator('.status-up').first().waitFor()
  assert.deepEqual(found, [])
})

test('somebody sets an authenticator app up and signs in with its code', async () => {
  const user = await world.person('twostep')
  const page = await windowOf(user)
  await page.goto(`${root}/accounts/profile/`)
  await page.getByRole('link', { name: 'Set up' }).click()
  const secret = await page.locator('input[name="secret"]').inputValue()
  const code = () => new TOTP({ secret }).generate({ timestamp: world.clock.now() })
  await page.getByRole('textbox', { name: 'Code' }).fill(code())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('Signing in now requires a code').waitFor()

  const other = await windowOf(null)
  await signIn(other, user.email)
  world.clock.advance(30)
  await other.getByLabel('Code from your authenticator app').fill(code())
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByText(user.email).first().waitFor()
})

test('somebody adds a passkey and signs in with it', async () => {
  const user = await world.person('keeper')
  const page = await windowOf(user)
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'usb', hasUserVerification: true, isUserVerified: true },
  })
  await page.goto(`${root}/accounts/profile/`)
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  await page.getByLabel('Name').fill('Key ring')
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByText('Signing in now requires Key ring').waitFor()

  await page.locator('.menu-end > summary').click()
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await signIn(page, user.email)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByText(user.email).first().waitFor()
  await page.goto(`${root}/accounts/profile/`)
  await page.getByRole('cell', { name: 'Key ring Used just now' }).waitFor()
})

test('an owner invites somebody, who opens the link in another browser and belongs', async () => {
  const page = await windowOf(world.alice)
  await page.goto(`${root}/projects/${world.project.uuid}/settings/`)
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Read-only')
  await page.getByRole('button', { name: 'Invite' }).click()
  const link = await page.locator('.notice code').textContent()
  const guest = await windowOf(null, PHONE)
  await guest.goto(link!)
  await guest.getByLabel('E-mail address').fill('guest@example.org')
  await guest.getByLabel('Password').fill(PASSWORD)
  await guest.getByRole('button', { name: 'Create an account and join' }).click()
  await guest.waitForURL(`**/projects/${world.project.uuid}/checks/`)
  await page.reload()
  await page.getByRole('cell', { name: 'guest@example.org' }).waitFor()
})

test('a member’s role is changed by keyboard alone', async () => {
  const page = await windowOf(world.alice)
  await page.goto(`${root}/projects/${world.project.uuid}/settings/`)
  const row = page.getByRole('row', { name: /bob@example\.org/ })
  await row.locator('summary').focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Manager')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('The role is now: manager.').waitFor()
})

test('without scripts too a key is made, shown once and revoked', async () => {
  const page = await windowOf(world.alice, { script: false })
  await page.goto(`${root}/projects/${world.project.uuid}/settings/`)
  await page.getByRole('button', { name: 'New read-only key' }).click()
  await page.getByText('Copy the new key now.').waitFor()
  await page.locator('#keys .rows summary').click()
  await page.getByRole('button', { name: 'Revoke key' }).first().click()
  await page.getByText('is revoked.').waitFor()
})

const PAGES: [path: string, person: Person | null][] = [
  ['/accounts/login/', null],
  ['/accounts/signup/', null],
  ['/accounts/profile/', world.alice],
  ['/accounts/password/', world.alice],
  ['/accounts/email/', world.alice],
  ['/accounts/totp/', world.alice],
  ['/accounts/passkeys/add/', world.alice],
  ['/accounts/close/', world.alice],
  ['/accounts/confirm/', world.alice],
  ['/projects/add/', world.alice],
  [`/projects/${world.project.uuid}/settings/`, world.alice],
  [`/projects/${world.project.uuid}/settings/`, world.rita],
]

test('the pages of accounts and projects are accessible, fit a phone and run nothing hostile, light and dark', async () => {
  await world.store.projects.rename(
    world.project.id,
    `</title><script>alert(1)</script>"'<img src=x onerror=alert(1)>`,
    1,
  )
  await world.stranger({ 'User-Agent': '<img src=x onerror=alert(1)>' }).signIn(world.alice.email, PASSWORD)
  const name = `${'long'.repeat(20)}@${'domain'.repeat(9)}.example`
  const invitation = {
    projectId: world.project.id,
    by: await ownSession(world.store, world.alice, world.clock),
    digest: 'x',
    role: 'member',
    email: name,
  } as const
  const now = systemClock.now()
  await world.store.projects.addInvitation({ ...invitation, now, expiresAt: now + 1e9 })
  for (const view of [
    { ...DESKTOP, theme: 'light' },
    { ...PHONE, theme: 'dark' },
  ] as const) {
    for (const person of [null, world.alice, world.rita]) {
      const page = await windowOf(person, view)
      const found = troubles(page)
      for (const [path] of PAGES.filter(([, reader]) => reader === person)) {
        await page.goto(root + path)
        assert.deepEqual(await findViolations(page), [], `${path} ${view.theme}`)
        const width = await page.evaluate(() => document.documentElement.scrollWidth)
        assert.ok(width <= view.width, `${path} is ${width} wide`)
      }
      assert.deepEqual(found, [])
      await page.context().close()
    }
  }
})
