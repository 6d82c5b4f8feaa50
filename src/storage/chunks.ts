/** Yields `items` in groups of at most `size`, for statements with a limited number of parameters. */
export function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
