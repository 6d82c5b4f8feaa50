// Runs a test file as a suite of its own, and notes the processor time that it takes.
import { appendFileSync } from 'node:fs'
import { after, before, suite } from 'node:test'
import { processorSeconds } from './processor-time.js'

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
