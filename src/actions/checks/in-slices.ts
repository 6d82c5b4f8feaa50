/** One act on many things, in one transaction or several. Decisions 0116 and 0123. */
import { Refusal } from '../../core/errors.js'
import { endOfSlice, type Sizes, usualSizes } from '../../lib/slices.js'

/** What is written in one transaction. */
export interface Slice<Item> {
  items: readonly Item[]
  /** From 0. */
  number: number
  isOnly: boolean
}

/** How far an act went. */
export interface Progress<Result> {
  /** Of the transactions, in their order. */
  results: Result[]
  /** The number of things that were written, and of all. */
  done: number
  of: number
  /** Why the others were not: they were refused, or are not as their author saw them. Null: all were. */
  stop: Refusal | 'outdated' | null
}

export interface Slicing<Item> {
  items: readonly Item[]
  /** How much work each is, as a multiple of creating a check. */
  weights: readonly number[]
  sizes?: Sizes
}

/** Whether it is more than what is done all or none. */
export function isMuch({ weights, sizes = usualSizes() }: Omit<Slicing<unknown>, 'items'>): boolean {
  return weights.reduce((sum, one) => sum + one, 0) > sizes.atOnce
}

/**
 * Writes all items or none if that is little work. Else pings of others would wait for long, so they are written in several
 * transactions, each of which is complete. `write` returns null, and writes nothing, if its items are not as their author saw them. Throws
 * what the first transaction throws, and what is no refusal.
 */
export async function inSlices<Item, Result>(
  { items, weights, sizes = usualSizes() }: Slicing<Item>,
  write: (slice: Slice<Item>) => Promise<Result | null>,
): Promise<Progress<Result>> {
  const isOnly = !isMuch({ weights, sizes })
  const results: Result[] = []
  let done = 0
  let stop: Progress<Result>['stop'] = null
  while (done < items.length && stop === null) {
    const end = isOnly ? items.length : endOfSlice(weights, done, sizes.slices.size)
    const begunAt = performance.now()
    try {
      const result = await write({ items: items.slice(done, end), number: results.length, isOnly })
      if (result === null) stop = 'outdated'
      else {
        results.push(result)
        done = end
      }
    } catch (error) {
      if (done === 0 || !(error instanceof Refusal)) throw error
      stop = error
    }
    sizes.slices.took(performance.now() - begunAt)
  }
  return { results, done, of: items.length, stop }
}
