/** The program is asked to stop under load, again and again: no request is cut off. */
import assert from 'node:assert/strict'
import type { Bench, Fault } from './frame/bench.js'

const roundsOf = ({ thorough }: Bench) => (thorough ? 12 : 2)

export const stopped: Fault = {
  name: 'program stopped',
  engines: ['sqlite', 'postgres'],
  inShort: ['sqlite'],

  async run(bench) {
    const trial = await bench.open()
    let refused = 0
    for (let round = 1; round <= roundsOf(bench); round++) {
      const load = trial.startLoad()
      await load.acknowledged(300)
      assert.equal(await trial.program.stop(), 0)
      await load.settle()
      const unanswered = load.entries.filter(entry => entry.status === 0)
      const cutOff = unanswered.filter(entry => entry.text !== 'ECONNREFUSED')
      assert.deepEqual(cutOff, [], 'who was connected was answered')
      refused += unanswered.length
      await trial.program.start()
    }
    trial.figures.stops = roundsOf(bench)
    trial.figures['connections refused after a stop'] = refused
    return trial
  },
}
