/** The services at which integrations are connected, as far as these conversations need them. */
import { after, type TestContext } from 'node:test'
import { type Answer, openRecorder, type RecordedRequest } from './recorder.js'

/** By method, host and path: `POST slack.com/api/oauth.v2.access`. */
type Answers = Record<string, object | ((request: RecordedRequest) => Answer)>

/**
 * A server that stands in for all of these origins until the end of the file's tests. `answers` may change between
 * tests: an object is sent as JSON; requests without an answer get 404.
 */
export async function openServices(origins: readonly string[], answers: Answers) {
  const owner = { after } as unknown as Pick<TestContext, 'after'>
  const recorder = await openRecorder(owner, request => {
    const path = new URL(request.url, 'http://service').pathname
    const answer = answers[`${request.method} ${request.headers.host}${path}`]
    if (typeof answer === 'function') return answer(request)
    return answer ? { body: JSON.stringify(answer) } : { status: 404, body: '{"error":"not_found"}' }
  })
  return {
    requests: recorder.requests,
    answers,
    /** For `testWays`: every origin leads here. */
    routes: Object.fromEntries(origins.map(origin => [origin, recorder.url])),
  }
}
