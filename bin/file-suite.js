// Runs a test file as a suite of its own, and notes the processor time that it takes.
import { appendFileSync } from 'node:fs'
import { after, before, suite } from 'node:test'
import { processorSeconds } from './processor-time.js'

/** How long a process may live on after its last test. */
const LAST_MS = 60_000

/**
 * Ends this process, as failed, if something keeps it alive after its last test. From Node.js 24 on, no time limit of the
 * test runner does that.
 */
export function endAfterTests() {
  after(() => {
    const end = () => {
      console.error(`Alive ${LAST_MS / 1000} s after the last test:`, process.getActiveResourcesInfo())
      process.exit(1)
    }
    setTimeout(end, LAST_MS).unref()
  })
}

/** Makes a suite of the test file at `url`, so that its hooks apply only to its own tests. */
export function fileSuite(name, url) {
  suite(name, async () => {
    let from = 0
    before(() => {
      from = processorSeconds()
    })
    await import(url)
    // After the hooks of the file itself.
    after(() => {
      const seconds = processorSeconds() - from
      appendFileSync(process.env.PUNCTUAL_TEST_COSTS, `${JSON.stringify({ name, seconds })}\n`)
    })
  })
}
