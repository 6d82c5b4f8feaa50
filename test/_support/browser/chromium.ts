/** Starts a real Chromium: an installed one, or the one from npm. */
import { existsSync } from 'node:fs'
import bundled from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--hide-scrollbars',
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
]

/** Starts a browser, which the caller must close. */
export async function launchChromium(): Promise<Browser> {
  const system = SYSTEM.find(path => existsSync(path))
  return await chromium.launch({
    executablePath: system ?? (await bundled.executablePath()),
    args: system ? ARGUMENTS : [...bundled.args.filter(arg => arg !== '--single-process'), ...ARGUMENTS],
    headless: true,
  })
}
