import { launchChromium } from '../../test/_support/browser/chromium.js'
import type { Case } from '../case.js'
import { median, percentile } from '../median.js'
import { signInTo } from '../sign-in.js'
import { openSite } from '../site.js'

const CHECKS = 10_000
const CRONS = ['*/5 * * * *', '0 3 * * *', '30 6 * * MON-FRI', '15 */2 1 * *', '0 0 * * 0']

/** The number of requests in each run whose first byte is timed, after as many for warming up. */
const REQUESTS = 20

/** How far the page scrolls in each frame, in pixels. */
const STEP = 60

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launchChromium>>['newPage']>>

export const dashboard: Case = {
  name: 'dashboard',
  title: 'The list page of 10,000 checks, half of them cron, in Chromium',
  target: 'first byte in under 200 ms, no frame over 50 ms while scrolling',
  remote: false,
  async run(options) {
    const schedule = (number: number) => (number % 2 === 0 ? null : CRONS[number % CRONS.length]!)
    const site = await openSite(options, { checks: CHECKS, pings: 30, schedule })
    const browser = await launchChromium()
    try {
      const { cookie, project } = await signInTo(site)
      const path = `${site.origin}/projects/${project}/checks/`
      const firstBytes: number[] = []
      for (let run = 0; run <= options.runs; run++) {
        const times = await timeFirstBytes(path, `${cookie.name}=${cookie.value}`)
        if (run > 0) firstBytes.push(...times)
      }
      const profile = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      await profile.addCookies([{ ...cookie, url: site.origin }])
      const page = await profile.newPage()
      const frames: number[] = []
      const longest: number[] = []
      for (let run = 0; run < options.runs; run++) {
        await page.goto(`${path}?page=${run + 1}`, { waitUntil: 'load' })
        const deltas = await scroll(page)
        frames.push(...deltas)
        longest.push(Math.max(...deltas))
      }
      return [
        {
          what: 'first byte',
          unit: 'ms',
          value: median(firstBytes),
          also: { 'p99 ms': percentile(firstBytes, 0.99) },
        },
        {
          what: 'longest frame',
          unit: 'ms',
          value: median(longest),
          also: { 'median frame ms': median(frames), 'worst run ms': Math.max(...longest) },
        },
      ]
    } finally {
      await browser.close()
      await site.stop()
    }
  },
}

/** The time from each request until its headers arrive (ms), one request after the other. */
async function timeFirstBytes(url: string, cookie: string): Promise<number[]> {
  const times: number[] = []
  for (let request = 0; request < REQUESTS; request++) {
    const startedAt = performance.now()
    const response = await fetch(url, { headers: { Cookie: cookie } })
    times.push(performance.now() - startedAt)
    if (response.status !== 200) throw new Error(`the list answered ${response.status}`)
    await response.text()
  }
  return times
}

/** Scrolls from the top to the bottom, and returns the duration of each frame (ms). */
async function scroll(page: Page): Promise<number[]> {
  return await page.evaluate(
    step =>
      new Promise<number[]>(resolve => {
        const deltas: number[] = []
        let last = 0
        const next = (now: number) => {
          if (last > 0) deltas.push(now - last)
          last = now
          const before = scrollY
          scrollBy(0, step)
          if (scrollY === before) resolve(deltas)
          else requestAnimationFrame(next)
        }
        requestAnimationFrame(next)
      }),
    STEP,
  )
}
