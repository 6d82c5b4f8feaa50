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
  return objects.map(({ key, name }) => {
    if (key !== null) return key
    const start = slugify(name) || unnamed
    let unused = start
    for (let count = 2; used.has(unused); count += 1) {
      const end = `-${count}`
      unused = start.slice(0, LONGEST_KEY - end.length) + end
    }
    used.add(unused)
    return unused
  })
}
