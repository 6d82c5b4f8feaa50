/** The program is killed under load, again and again, while silences, dependencies, policies and acknowledgements are in use. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AcknowledgedNight } from './frame/acknowledged-nights.js'
import type { Bench, Fault } from './frame/bench.js'
import { DependentNight } from './frame/dependent-nights.js'
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
  name: 'program killed, with incidents held',
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
          await play()
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
    trial.figures.incidents = nights.reduce((sum, { night }) => sum + night.cycles, 0)
    trial.figures['their messages'] = nights.reduce((sum, { night }) => sum + night.audit(), 0)
    return trial
  },
}

interface Played {
  night: Night
  play(): Promise<void>
}

async function openNights(trial: Trial): Promise<Played[]> {
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
  const open = async (name: string, repeats: boolean) =>
    new Night(trial, await trial.newCheck(name, { channels: 'quiet' }), channels, repeats)
  const nights: Played[] = []
  for (let index = 0; index < EACH; index++) {
    const held = await Promise.all(['a', 'b', 'c', 'd'].map(name => open(`silenced ${index} ${name}`, false)))
    nights.push(
      { night: held[0]!, play: () => held[0]!.heldAndOver() },
      { night: held[1]!, play: () => held[1]!.heldAndDown() },
      { night: held[2]!, play: () => held[2]!.recoversInSilence() },
      { night: held[3]!, play: () => held[3]!.downBeforeAndAfter() },
    )
    const escalating = await open(`escalating ${index}`, true)
    await trial.usePolicy(escalating.check, {
      steps: [
        { after: 0, channels: 'check' },
        { after: POLICY.afterSeconds, channels: [channels.pager] },
      ],
      repeat: POLICY.repeat,
    })
    nights.push({ night: escalating, play: () => escalating.escalates() })
    nights.push(...(await openDependent(trial, index, channels)))
    nights.push(...(await openAcknowledged(trial, index, channels)))
  }
  return nights
}

async function openDependent(trial: Trial, index: number, channels: Record<Path, string>): Promise<Played[]> {
  const open = (name: string, waitSeconds: number) =>
    DependentNight.open(trial, `${name} ${index}`, channels, waitSeconds)
  const [over, down, first] = [await open('over', 300), await open('down', 300), await open('first', 3_600)]
  return [
    { night: over, play: () => over.overUnderParent() },
    { night: down, play: () => down.downUnderParent() },
    { night: first, play: () => first.downFirst() },
  ]
}

async function openAcknowledged(
  trial: Trial,
  index: number,
  channels: Record<Path, string>,
): Promise<Played[]> {
  const open = async (name: string, repeats: boolean) => {
    const check = await trial.newCheck(`${name} ${index}`, { channels: 'quiet' })
    return new AcknowledgedNight(trial, check, channels, repeats)
  }
  const repeated = await open('acknowledged', true)
  await trial.usePolicy(repeated.check, {
    steps: [{ after: 0, channels: 'check' }],
    repeat: { every: 1, times: 100 },
  })
  const once = await open('for a while', false)
  return [
    { night: repeated, play: () => repeated.acknowledged() },
    { night: once, play: () => once.acknowledgedForAWhile() },
  ]
}
