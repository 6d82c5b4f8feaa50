import { type TestResult, testChannel } from '../../../actions/channels/test-channel.js'
import { limitAttempts } from '../../../actions/people/sign-in/limit-attempts.js'
import { runLength } from '../../../core/time/duration.js'
import { withRemedy } from '../../../lib/http/fetch-error.js'
import { channelOf } from '../access.js'
import { seeOther, type WebContext } from '../context.js'
import { setFlash } from '../flash.js'
import { requireUser } from '../people/session.js'

/** POST: sends a test notification. Read-only members may do so too. Source: docs/behaviour.md, section 8.6. */
export async function sendTest(c: WebContext): Promise<Response> {
  const { channel } = await channelOf(c, c.req.param('uuid')!, 'read')
  const { store, clock } = c.var.deps
  const { uuid: user } = requireUser(c).user
  await limitAttempts(store, clock, { test: `${channel.uuid}:${user}`, tests: user })
  const results = await testChannel(c.var.deps.delivery, channel.uuid)
  sayTested(c, results)
  return seeOther(c, `/integrations/${channel.uuid}/`)
}

/** Says on the next page what came of tests. */
export function sayTested(c: WebContext, results: readonly TestResult[]): void {
  const { isGood, text } = testWords(results)
  setFlash(c, isGood ? 'good' : 'bad', text)
}

/** The result of tests for the person who sent them. */
export function testWords(results: readonly TestResult[]): { isGood: boolean; text: string } {
  const failed = results.filter(result => result.error !== '')
  return { isGood: failed.length === 0 && results.length > 0, text: wordsFor(results, failed) }
}

function wordsFor(results: readonly TestResult[], failed: readonly TestResult[]): string {
  if (results.length === 0) return 'No test was sent: the group has no members.'
  const took = runLength(Math.max(...results.map(result => result.durationMs)))
  if (failed.length === 0) {
    return `${results.length === 1 ? 'The test was' : `All ${results.length} tests were`} delivered in ${took}.`
  }
  const errors = withRemedy([...new Set(failed.map(result => result.error))].join('; '))
  const some = results.length === 1 ? 'The test was' : `${failed.length} of ${results.length} tests were`
  return `${some} not delivered: ${errors}`
}
