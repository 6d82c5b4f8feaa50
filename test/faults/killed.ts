/** The program is killed under load, again and again, and each time starts with what it left. */
import type { Bench, Fault } from './frame/bench.js'

const roundsOf = ({ thorough }: Bench) => (thorough ? 50 : 2)

/** The maximum time (ms) of load before a kill. */
const LOAD_AT_MOST_MS = 1_200

export const killed: Fault = {
  name: 'program killed',
  engines: ['sqlite', 'postgres'],
  mayRepeat: roundsOf,

  async run(bench) {
    const trial = await bench.open()
    const { program } = trial
    const starts: number[] = []
    for (let round = 1; round <= roundsOf(bench); round++) {
      const last = round === roundsOf(bench)
      if (last) trial.missed.push(await trial.fallSilent(10_000))
      const load = trial.startLoad()
      await load.acknowledged(1)
      await new Promise(resolve => setTimeout(resolve, 50 + Math.random() * LOAD_AT_MOST_MS))
      await program.kill()
      await load.settle()
      if (last) await trial.absence()
      const from = performance.now()
      await program.start()
      starts.push(performance.now() - from)
    }
    trial.figures.kills = starts.length
    trial.figures['serves again after, s'] = (Math.max(...starts) / 1000).toFixed(1)
    return trial
  },
}
