/** A real Chromium, which the test files of a process share. */
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { atEnd } from '../at-end.js'
import { launchChromium } from './chromium.js'

let running: Promise<Browser> | undefined

/** It ends with the last of them. */
export function browser(): Promise<Browser> {
  running ??= launch()
  return running
}

async function launch(): Promise<Browser> {
  const launched = await launchChromium()
  atEnd(() => launched.close())
  return launched
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
