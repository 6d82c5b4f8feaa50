/** How a list tells failures that are equal: as one row that opens. Pure. */

/** Fewer are easier to read one by one. */
const FEWEST = 3

export interface FailureRules<T> {
  /** What failed, and how; null if the entry is not a failure. Equal texts are equal failures. */
  failureOf(entry: T): string | null
  /** Whether the entry may stand between equal failures, such as the start of a run. */
  isBetween(entry: T): boolean
  /** Its day; failures of several days are not one row. */
  dayOf(entry: T): number
}

/**
 * The rows of a list, newest first as `entries` are. At least three equal failures one after another are one row, with what stands
 * between them and the one entry before the oldest, with which its run began. All other entries have a row each.
 */
export function foldedFailures<T>(entries: readonly T[], rules: FailureRules<T>): T[][] {
  const rows: T[][] = []
  let fold: Fold<T> | null = null
  for (const entry of entries) {
    const failure = rules.failureOf(entry)
    if (fold && rules.dayOf(entry) === fold.day) {
      if (failure === fold.failure) {
        fold.entries.push(...fold.between, entry)
        fold.between = []
        fold.count++
        continue
      }
      if (failure === null && rules.isBetween(entry)) {
        fold.between.push(entry)
        continue
      }
    }
    if (fold) rows.push(...rowsOf(fold))
    fold = null
    if (failure === null) rows.push([entry])
    else fold = { failure, day: rules.dayOf(entry), entries: [entry], between: [], count: 1 }
  }
  if (fold) rows.push(...rowsOf(fold))
  return rows
}

interface Fold<T> {
  failure: string
  day: number
  entries: T[]
  /** Older than all of `entries`; they belong to the fold if one more equal failure follows. */
  between: T[]
  count: number
}

function rowsOf<T>({ entries, between, count }: Fold<T>): T[][] {
  if (count < FEWEST) return [...entries, ...between].map(entry => [entry])
  return [[...entries, ...between.slice(0, 1)], ...between.slice(1).map(entry => [entry])]
}
