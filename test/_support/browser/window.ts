import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Person } from '../worlds/web-world.js'
import { newProfile, troubles, type View } from './browser.js'

/** A page of somebody's browser, with what its scripts and the policy complained of. */
export type Window = Page & { complaints: string[] }

/** Opens a path of the world in a browser of this person's own; null: of somebody who is not signed in. */
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

/** Closes a window; fails the test where a script or the policy complained. */
export async function closeWindow(window: Window): Promise<void> {
  assert.deepEqual(window.complaints, [])
  await window.context().close()
}
