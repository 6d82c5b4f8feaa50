/** A policy on a line of time: who is alerted when, if nobody acknowledges. */
import { capitalize } from '../text/capitalize.js'
import { periodWords } from '../time/duration.js'
import type { PolicyRepeat, PolicyRules } from './policy.js'
import { type PolicyNames, repeatWords } from './policy-words.js'

/** When some receivers are alerted, in seconds after the check went down. */
export interface PolicyLane {
  /** Names, separated by commas. */
  who: string
  /** `At once, after 15 minutes, then every hour, 5 times`. */
  words: string
  steps: readonly number[]
  repeats: readonly number[]
}

export interface PolicyLine {
  /** Receivers that are alerted at the same times share one; in the order in which they are first alerted. */
  lanes: readonly PolicyLane[]
  /** The seconds that are drawn: up to the last step, or the third repeat after it. */
  seconds: number
  /** When the last repeat is, if not all of them are drawn. */
  untilSeconds: number | null
}

const DRAWN_REPEATS = 3

/** The line of time of a policy; without lanes if it alerts nobody. */
export function policyLine({ steps, repeat }: PolicyRules, names: PolicyNames): PolicyLine {
  const last = steps.at(-1)?.after ?? 0
  const drawn = Math.min(repeat?.times ?? 0, DRAWN_REPEATS)
  const repeats = Array.from({ length: drawn }, (_, index) => last + (index + 1) * repeat!.every)
  const lanes = new Map<string, { who: string[]; steps: number[] }>()
  for (const { name, isCheck, at } of stepsByReceiver(steps, names)) {
    const lane = lanes.get(at.join()) ?? { who: [], steps: at }
    lanes.set(at.join(), lane)
    // Names of channels stay as they are; what the check's own are called begins with a capital where the lane does.
    lane.who.push(isCheck && lane.who.length === 0 ? capitalize(name) : name)
  }
  return {
    lanes: [...lanes.values()].map(lane => ({
      who: lane.who.join(', '),
      words: laneWords(lane.steps, repeat),
      steps: lane.steps,
      repeats,
    })),
    seconds: repeats.at(-1) ?? last,
    untilSeconds: repeat && repeat.times > drawn ? last + repeat.times * repeat.every : null,
  }
}

/** The names of the receivers with the times of their steps, each time once. Channels that were deleted are left out. */
function stepsByReceiver(
  steps: PolicyRules['steps'],
  names: PolicyNames,
): readonly { name: string; isCheck: boolean; at: number[] }[] {
  const times = new Map<string, number[]>()
  for (const { after, channels } of steps) {
    for (const receiver of channels === 'check' ? ['check'] : channels) {
      const before = times.get(receiver) ?? []
      if (before.at(-1) !== after) times.set(receiver, [...before, after])
    }
  }
  return [...times].flatMap(([receiver, at]) => {
    const named = receiver === 'check' ? names.check : [names.channels.get(receiver) ?? []].flat()
    return named.map(name => ({ name, isCheck: receiver === 'check', at }))
  })
}

function laneWords(steps: readonly number[], repeat: PolicyRepeat | null): string {
  const words = steps.map(after => (after === 0 ? 'at once' : `after ${periodWords(after)}`))
  const all = [...words, ...(repeat === null ? [] : [`then ${repeatWords(repeat)}`])].join(', ')
  return capitalize(all)
}
