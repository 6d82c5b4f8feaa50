/** A receiver of webhooks accepts every request and never answers. */
import assert from 'node:assert/strict'
import type { Fault } from './frame/bench.js'

export const hangingReceiver: Fault = {
  name: 'receiver of webhooks hangs',
  engines: ['sqlite', 'postgres'],
  inShort: ['sqlite'],

  async run(bench) {
    const trial = await bench.open()
    const { receiver } = trial
    const other = { url_down: `${receiver.url}/other`, method_down: 'POST', body_down: '$CODE down $NOW' }
    await trial.addChannel('webhook', 'other', other)
    receiver.hang('hook')
    const load = trial.startLoad()
    const names = Array.from({ length: bench.thorough ? 200 : 30 }, (_, index) => `lagging-${index}`)
    const checks = await Promise.all(names.map(name => trial.newCheck(name, { channels: 'webhook,other' })))
    const from = performance.now()
    for (const check of checks) assert.equal(await trial.ping(check, '/fail'), 200)
    // In the meantime, messages arrive through the other channel, and pings are recorded.
    await trial.eventually('the messages through the other channel', () => {
      const arrived = receiver.arrivals.filter(({ path }) => path === 'other')
      return arrived.length >= checks.length ? true : null
    })
    trial.figures['alerts through the other channel after, s'] = ((performance.now() - from) / 1000).toFixed(
      1,
    )
    trial.figures['requests that hung at once'] = receiver.hanging()
    await load.acknowledged(500)
    assert.ok(receiver.hanging() > 0, 'the receiver hangs')
    assert.equal(receiver.arrivals.filter(({ path }) => path === 'hook').length, 0)
    // Long enough for the program to stop waiting, if there is time.
    if (bench.thorough) await new Promise(resolve => setTimeout(resolve, 40_000))
    receiver.answerAgain()
    await load.settle()
    for (const check of checks) await trial.waitForMessage(check, 'down')
    return trial
  },
}
