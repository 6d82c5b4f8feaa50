import type { TestContext } from 'node:test'
import { testWays } from '../alert.js'
import { openRecorder, type Recorder } from './recorder.js'

/** A recorder that stands in for a service at `origin`, and transports that lead to it; `respond` as the recorder's. */
export async function standIn(
  t: TestContext,
  origin: string,
  respond?: Parameters<typeof openRecorder>[1],
): Promise<{ requests: Recorder['requests']; transports: ReturnType<typeof testWays> }> {
  const { url, requests } = await openRecorder(t, respond)
  return { requests, transports: testWays(null, { routes: { [origin]: url } }) }
}
