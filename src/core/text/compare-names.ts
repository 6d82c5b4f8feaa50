const ORDER = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** The order of names for people: without regard to case and accents, and numbers by their value. */
export function compareNames(a: string, b: string): number {
  return ORDER.compare(a, b)
}
