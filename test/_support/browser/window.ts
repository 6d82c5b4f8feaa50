import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Person } from '../worlds/web-world.js'
import { newProfile, troubles, type View } from './browser.js'

/** A page in a user's browser, with the errors of its scripts and violations of the policy. */
export type Window = Page & { complaints: string[] }

/** Opens a path of the world in a browser of this user; null: without signing in. */
export async function openWindow(
  world: { root: string },
  person: Person | null,
  path: string,
  view: View = {},
): Promise<Window> {
  const profile = await newProfile(view)
  const cookies = [...(person?.cookies ?? [])].map(([name, value]) => ({ name, value, url: world.root }))
  await profile.addCookies(cookies)
  const page = await profile.newPage()
  const complaints = troubles(page)
  await page.goto(world.root + path)
  return Object.assign(page, { complaints })
}

/** Closes a window. Fails the test if a script or the policy reported an error. */
export async function closeWindow(window: Window): Promise<void> {
  assert.deepEqual(window.complaints, [])
  await window.context().close()
}
