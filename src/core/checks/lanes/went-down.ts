/** Checks that went down together within a range of time, and the tag that they share. Pure. */
import { FEWEST_TOGETHER, together } from '../../incidents/incident-night.js'
import { compareNames } from '../../text/compare-names.js'
import type { Span } from '../../time/spans.js'
import type { Lane } from './lane.js'

/** Instants in ms. */
export interface WentDown extends Span {
  /** The number of checks. */
  count: number
  /** A tag that most of them have, and few others; null if there is none. */
  tag: string | null
  /** The number of those checks that have it. */
  tagged: number
}

/** The maximum number of groups: those with the most checks. */
const MOST = 3
/** A tag is named if this share of the checks that went down have it, and of the checks with the tag this share went down. */
const OF_DOWN = 0.75
const OF_TAG = 0.5

/** The largest groups of checks that went down together in `range`, in the order of time. The rule of time is that of incidents. */
export function wentDownTogether(lanes: readonly Lane[], range: Span): WentDown[] {
  const began = lanes
    .flatMap(({ check, incidents }) =>
      incidents
        .filter(({ openedAt }) => openedAt >= range.from && openedAt < range.to)
        .map(({ openedAt }) => ({ openedAt, check })),
    )
    .sort((a, b) => b.openedAt - a.openedAt)
  const groups = together(began).flatMap(group => {
    const checks = new Set(group.map(({ check }) => check))
    return checks.size >= FEWEST_TOGETHER ? [{ group, checks }] : []
  })
  const all = groups.length === 0 ? NO_TAGS : countTags(lanes.map(({ check }) => check))
  const largest = groups.sort((a, b) => b.checks.size - a.checks.size).slice(0, MOST)
  return largest
    .map(({ group, checks }) => {
      const [from, to] = [group.at(-1)!.openedAt, group[0]!.openedAt]
      return { count: checks.size, ...sharedTag([...checks], all), from, to }
    })
    .sort((a, b) => a.from - b.from)
}

const NO_TAGS: ReadonlyMap<string, number> = new Map()

/** The tag that tells these checks from the others best; of several, the first by name. `all`: the number of checks with each tag. */
function sharedTag(
  checks: readonly Lane['check'][],
  all: ReadonlyMap<string, number>,
): Pick<WentDown, 'tag' | 'tagged'> {
  const down = countTags(checks)
  const named = [...down]
    .map(([tag, tagged]) => ({ tag, tagged, ofDown: tagged / checks.length, ofTag: tagged / all.get(tag)! }))
    .filter(({ ofDown, ofTag }) => ofDown >= OF_DOWN && ofTag >= OF_TAG)
    .sort((a, b) => b.ofDown * b.ofTag - a.ofDown * a.ofTag || compareNames(a.tag, b.tag))
  const [best] = named
  return best ? { tag: best.tag, tagged: best.tagged } : { tag: null, tagged: 0 }
}

function countTags(checks: readonly Pick<Lane['check'], 'tags'>[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tags } of checks) {
    for (const tag of new Set(tags.split(' '))) {
      if (tag !== '') counts.set(tag, (counts.get(tag) ?? 0) + 1)
    }
  }
  return counts
}
