/** Starts a real Chromium: an installed one, or the one from npm, which bin/test.js unpacks. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import bundled from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import { packageRoot } from '../../../src/lib/package-root.js'

const SYSTEM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const UNPACKED = join(packageRoot, 'test/node_modules/.chromium/chromium')

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
    executablePath: system ?? UNPACKED,
    args: system ? ARGUMENTS : [...bundled.args.filter(arg => arg !== '--single-process'), ...ARGUMENTS],
    headless: true,
  })
}
