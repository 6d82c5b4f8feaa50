/** All of PostgreSQL's processes are frozen under load: the server hangs, but no connection breaks. */
import assert from 'node:assert/strict'
import type { Bench, Fault } from './frame/bench.js'

const roundsOf = ({ thorough }: Bench) => (thorough ? 3 : 1)

export const databaseFrozen: Fault = {
  name: 'PostgreSQL hangs',
  engines: ['postgres'],
  // Messages that were being sent at that moment could not be recorded as sent.
  mayRepeat: roundsOf,

  async run(bench) {
    const cluster = await bench.cluster()
    const trial = await bench.open({ database: cluster.url })
    const rounds = roundsOf(bench)
    let longestMs = 0
    const refusedAt: number[] = []
    for (let round = 1; round <= rounds; round++) {
      trial.missed.push(await trial.fallSilent(10_000))
      // Silent as well, but pinged again before the hold ends.
      const pingedInTime = await trial.fallSilent(10_000)
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
      assert.equal(await trial.ping(pingedInTime), 200)
      await load.acknowledged(200)
      await load.settle()
      // By then its hold is over.
      await trial.settled()
      assert.deepEqual(trial.arrivals(pingedInTime, 'down'), [], 'no false alarm')
    }
    await trial.assertOnRecord(refusedAt)
    trial.figures.freezes = rounds
    trial.figures['takes pings again after, s'] = (longestMs / 1000).toFixed(1)
    return trial
  },
}
