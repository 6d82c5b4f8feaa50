/** All of PostgreSQL's processes are stopped where they stand, under load: it hangs, and breaks no connection. */
import assert from 'node:assert/strict'
import type { Bench, Fault } from './frame/bench.js'

const roundsOf = ({ thorough }: Bench) => (thorough ? 3 : 1)

export const databaseFrozen: Fault = {
  name: 'PostgreSQL hangs',
  engines: ['postgres'],
  // What was sent when it happened could not be noted as sent.
  mayRepeat: roundsOf,

  async run(bench) {
    const cluster = await bench.cluster()
    const trial = await bench.open({ database: cluster.url })
    const rounds = roundsOf(bench)
    let longestMs = 0
    const refusedAt: number[] = []
    for (let round = 1; round <= rounds; round++) {
      trial.missed.push(await trial.fallSilent(10_000))
      // Silent as well, but heard of again before the hold ends.
      const spared = await trial.fallSilent(10_000)
      trial.quiet.pop()
      const load = trial.startLoad()
      await load.acknowledged(200)
      const thaw = cluster.freeze()
      bench.defer(thaw)
      refusedAt.push((await load.next(entry => entry.status === 503)).at)
      await trial.absence()
      thaw()
      const from = Date.now()
      const first = await load.next(entry => entry.status === 200)
      longestMs = Math.max(longestMs, first.at - from)
      assert.equal(await trial.ping(spared), 200)
      await load.acknowledged(200)
      await load.settle()
      // Its hold is over then.
      await trial.settled()
      assert.deepEqual(trial.arrivals(spared, 'down'), [], 'no false alarm')
    }
    await trial.assertOnRecord(refusedAt)
    trial.figures.freezes = rounds
    trial.figures['takes pings again after, s'] = (longestMs / 1000).toFixed(1)
    return trial
  },
}
