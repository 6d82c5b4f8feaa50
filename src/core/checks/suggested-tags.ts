import { compareNames } from '../text/compare-names.js'

/** More would make pages heavy. */
const MOST_SUGGESTED = 200

/** The tags that a field suggests: those that most checks have, in alphabetical order. */
export function suggestedTags(counts: readonly { tag: string; checks: number }[]): string[] {
  const first = [...counts].sort((a, b) => b.checks - a.checks).slice(0, MOST_SUGGESTED)
  return first.map(({ tag }) => tag).sort(compareNames)
}
