import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshInstallation, serving } from '../../_support/cli.js'
import { eventually } from '../../_support/eventually.js'

/** More of them in `bin/ci` on newer versions of Node.js: a crash in one of ten hides from few. */
const STARTS = Number(process.env.PUNCTUAL_TEST_STARTS ?? 2)

/** What is no longer used is collected many times a second: native code that frees too early or too late crashes then. */
const SMALL_YOUNG_HEAP = ['--semi-space-growth-factor=1', '--max-semi-space-size=1']

/** Enough that the garbage of the start is collected before the end. */
const PINGS = 300

for (const flags of [[], SMALL_YOUNG_HEAP]) {
  test(`${STARTS} starts in new folders take pings and end cleanly, with ${flags.join(' ') || 'no flags'}`, async t => {
    for (let start = 1; start <= STARTS; start++) {
      const server = await serving(t, await freshInstallation(t), [], flags)
      const [, check] = await eventually(() => /\/ping\/(\S+)/.exec(server.output.stdout))
      for (let ping = 1; ping <= PINGS; ping++) {
        const answer = await fetch(`${server.url}/ping/${check}`)
        assert.equal(await answer.text(), 'OK')
      }
      assert.equal(await server.end('SIGTERM'), 0, server.output.stderr)
    }
  })
}
