/** All of PostgreSQL's processes are killed under load. It recovers from its log while the program keeps running. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Fault } from './frame/bench.js'

const roundsOf = ({ thorough }: Bench) => (thorough ? 10 : 2)

export const databaseKilled: Fault = {
  name: 'PostgreSQL killed',
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
      const last = round === rounds
      if (last) trial.missed.push(await trial.fallSilent(10_000))
      const load = trial.startLoad()
      await load.acknowledged(200)
      await cluster.kill()
      refusedAt.push((await load.next(entry => entry.status === 503)).at)
      if (last) await trial.absence()
      else await sleep(Math.random() * 1_000)
      await cluster.start()
      const from = Date.now()
      const first = await load.next(entry => entry.status === 200)
      longestMs = Math.max(longestMs, first.at - from)
      await trial.program.waitUntilReady()
      await load.acknowledged(200)
      await load.settle()
    }
    await trial.assertOnRecord(refusedAt)
    trial.figures.kills = rounds
    trial.figures['takes pings again after, s'] = (longestMs / 1000).toFixed(1)
    return trial
  },
}
