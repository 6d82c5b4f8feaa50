/** The number of texts whose results are kept. */
const REMEMBERED = 500

/** `make`, which runs once for each of the texts that were seen last: many checks have the same tags and rules. */
export function remembering<Made>(make: (text: string) => Made): (text: string) => Made {
  const made = new Map<string, Made>()
  return text => {
    const known = made.get(text)
    if (known !== undefined) return known
    if (made.size >= REMEMBERED) made.clear()
    const fresh = make(text)
    made.set(text, fresh)
    return fresh
  }
}
