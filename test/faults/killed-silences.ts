/** The program is killed under load, again and again, while silences and policies are in use. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench, Fault } from './frame/bench.js'
import { Night, type Path } from './frame/nights.js'
import type { Trial } from './frame/trial.js'

const roundsOf = ({ thorough }: Bench) => (thorough ? 50 : 2)

/** How long the program runs before a kill (ms): long enough that some messages are sent, too short for others. */
const RUNS_MS = { least: 50, most: 3_000 }

/** Checks of each sort. */
const EACH = 3

/** Far shorter than people can choose, so that they come between kills. */
const POLICY = { afterSeconds: 1, repeat: { every: 1, times: 3 } }

export const killedSilences: Fault = {
  name: 'program killed, with silences and policies',
  engines: ['sqlite', 'postgres'],
  inShort: ['postgres'],
  mayRepeat: roundsOf,

  async run(bench) {
    const trial = await bench.open()
    const nights = await openNights(trial)
    let isOver = false
    const played = Promise.all(
      nights.map(async ({ night, play }) => {
        while (!isOver) {
          await play(night)
          night.cycles++
        }
      }),
    )
    // It is waited for below; until then it must not end the process.
    played.catch(() => {})
    for (let round = 1; round <= roundsOf(bench); round++) {
      const load = trial.startLoad()
      await load.acknowledged(1)
      await sleep(RUNS_MS.least + Math.random() * RUNS_MS.most)
      await trial.program.kill()
      await load.settle()
      await trial.program.start()
    }
    isOver = true
    await played
    await trial.settled()
    trial.figures.kills = roundsOf(bench)
    trial.figures['incidents in silences'] = nights.reduce((sum, { night }) => sum + night.cycles, 0)
    trial.figures['their messages'] = nights.reduce((sum, { night }) => sum + night.audit(), 0)
    return trial
  },
}

async function openNights(trial: Trial): Promise<{ night: Night; play(night: Night): Promise<void> }[]> {
  const channels = {} as Record<Path, string>
  for (const path of ['quiet', 'pager'] as const) {
    const url = `${trial.receiver.url}/${path}`
    channels[path] = await trial.addChannel('webhook', path, {
      url_down: url,
      url_up: url,
      method_down: 'POST',
      method_up: 'POST',
      body_down: '$CODE down',
      body_up: '$CODE up',
    })
  }
  const plays = [
    (night: Night) => night.heldAndOver(),
    (night: Night) => night.heldAndDown(),
    (night: Night) => night.recoversInSilence(),
    (night: Night) => night.downBeforeAndAfter(),
  ]
  const open = async (name: string, repeats: boolean) =>
    new Night(trial, await trial.newCheck(name, { channels: 'quiet' }), channels, repeats)
  const nights: { night: Night; play(night: Night): Promise<void> }[] = []
  for (let index = 0; index < EACH; index++) {
    for (const play of plays) nights.push({ night: await open(`night ${nights.length}`, false), play })
    const night = await open(`escalating ${index}`, true)
    await trial.usePolicy(night.check, {
      steps: [
        { after: 0, channels: 'check' },
        { after: POLICY.afterSeconds, channels: [channels.pager] },
      ],
      repeat: POLICY.repeat,
    })
    nights.push({ night, play: one => one.escalates() })
  }
  return nights
}
