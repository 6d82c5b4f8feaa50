/** A real Chromium, one for each test file. */
import { after } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { launchChromium } from './chromium.js'

let running: Promise<Browser> | undefined

// Outside any test, so that it runs after all of them.
after(async () => (await running)?.close())

/** The browser of this test file; it ends with the file's tests. */
export function browser(): Promise<Browser> {
  running ??= launchChromium()
  return running
}

export interface View {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  script?: boolean
}

export const DESKTOP = { width: 1280, height: 800 } as const
export const PHONE = { width: 375, height: 740 } as const

/** A new profile, without cookies and storage. */
export async function newProfile(view: View = {}): Promise<BrowserContext> {
  const { width = DESKTOP.width, height = DESKTOP.height, theme = 'light', script = true } = view
  return await (await browser()).newContext({
    viewport: { width, height },
    colorScheme: theme,
    javaScriptEnabled: script,
    locale: 'en-GB',
    timezoneId: 'UTC',
  })
}

/** The errors in a page: those of scripts, and violations of the Content-Security-Policy. */
export function troubles(page: Page): string[] {
  const found: string[] = []
  page.on('pageerror', error => found.push(error.message))
  page.on('console', message => {
    if (message.type() === 'error') found.push(message.text())
  })
  return found
}
