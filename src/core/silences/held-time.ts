/** How long silences and other holds were active together, for many that ask at once. Pure; instants and lengths in ms. */
import { cutTo, edgesOf, lengthsWithin, unionOf } from '../time/edges.js'
import { type Span, within } from '../time/spans.js'
import type { Timed } from './silence.js'
import { activeAmong } from './windows.js'

/** A question: for how much of `spans` one of `silences` was active, or one of `others` lasted. */
export interface HeldAsk {
  silences: readonly Timed[]
  others: readonly Span[]
  /** They do not overlap. */
  spans: readonly Span[]
}

/** How much time is looked at at once, so that memory does not depend on how long ago the first span is. */
const PART_MS = 7 * 86_400_000

/** The answers. The windows of each silence are computed once for all, and those of the same silences are joined once. */
export function heldLengths(asks: readonly HeldAsk[]): number[] {
  const lengths = asks.map(() => 0)
  const spans = asks.flatMap(ask => ask.spans)
  if (spans.length === 0) return lengths
  const end = Math.max(...spans.map(({ to }) => to))
  const groups = grouped(asks)
  for (let from = Math.min(...spans.map(span => span.from)); from < end; from += PART_MS) {
    addPart(groups, { from, to: Math.min(from + PART_MS, end) }, lengths)
  }
  return lengths
}

/** Those that ask about the same silences. `index`: of their answers. */
interface Group {
  silences: readonly Timed[]
  members: { ask: HeldAsk; index: number }[]
}

function grouped(asks: readonly HeldAsk[]): Group[] {
  const oneOf = firstOfSame(asks)
  const groups = new Map<string, Group>()
  for (const [index, ask] of asks.entries()) {
    const silences = new Map(ask.silences.map(silence => oneOf.get(silence)!))
    const key = [...silences.keys()].sort((a, b) => a - b).join()
    const group = groups.get(key) ?? { silences: [...silences.values()], members: [] }
    groups.set(key, group)
    group.members.push({ ask, index })
  }
  return [...groups.values()]
}

/** For each silence, the first with the same windows and its number. */
function firstOfSame(asks: readonly HeldAsk[]): Map<Timed, [number, Timed]> {
  const byTimes = new Map<string, [number, Timed]>()
  const firsts = new Map<Timed, [number, Timed]>()
  for (const silence of new Set(asks.flatMap(({ silences }) => silences))) {
    const key = JSON.stringify([silence.times, silence.endedAt, silence.appliesFrom])
    const first = byTimes.get(key) ?? [byTimes.size, silence]
    byTimes.set(key, first)
    firsts.set(silence, first)
  }
  return firsts
}

/** Adds what was held in a part of the time. */
function addPart(groups: readonly Group[], part: Span, lengths: number[]): void {
  const asking = groups.flatMap(({ silences, members }) => {
    const inside = members.filter(({ ask }) => ask.spans.some(span => within(span, part)))
    return inside.length > 0 ? [{ silences, members: inside }] : []
  })
  const activeOf = activeAmong(
    asking.flatMap(({ silences }) => silences),
    part,
  )
  for (const { silences, members } of asking) {
    const active = activeOf(silences)
    const lengthOf = lengthsWithin(active)
    for (const { ask, index } of members) {
      const others = cutTo(edgesOf(ask.others), part)
      const ownLength = others.length > 0 ? lengthsWithin(unionOf(active, others)) : lengthOf
      for (const span of ask.spans) {
        const inside = within(span, part)
        if (inside) lengths[index]! += ownLength(inside)
      }
    }
  }
}
