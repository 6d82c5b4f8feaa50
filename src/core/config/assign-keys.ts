import { slugify } from '../checks/slugify.js'

const LONGEST_KEY = 100

/**
 * The keys of the objects of a section, in their order: the one that a file gave (`key`), else one made of the name,
 * which for a check is its slug if it has one. An object keeps its key while those before it stay. `unnamed`: for
 * objects whose names have no letters.
 */
export function assignKeys(
  objects: readonly { key: string | null; name: string }[],
  unnamed: string,
): string[] {
  const used = new Set(objects.flatMap(({ key }) => key ?? []))
  const numbered = new NumberedKeys(used)
  return objects.map(({ key, name }) => {
    if (key !== null) return key
    const start = slugify(name) || unnamed
    const unused = used.has(start) ? numbered.next(start) : start
    used.add(unused)
    return unused
  })
}

/** Keys with the lowest number from 2 on that makes them unused. Thousands of objects may have one name, so no number is tried twice. */
class NumberedKeys {
  /** The lowest number that was not tried, by its number of digits and what stands before it. */
  readonly #untried = new Map<string, number>()

  constructor(private readonly used: ReadonlySet<string>) {}

  next(start: string): string {
    for (let digits = 1; ; digits++) {
      const beginning = start.slice(0, LONGEST_KEY - 1 - digits)
      const tried = `${digits} ${beginning}`
      let number = this.#untried.get(tried) ?? Math.max(2, 10 ** (digits - 1))
      while (number < 10 ** digits && this.used.has(`${beginning}-${number}`)) number++
      this.#untried.set(tried, number)
      if (number < 10 ** digits) return `${beginning}-${number}`
    }
  }
}
