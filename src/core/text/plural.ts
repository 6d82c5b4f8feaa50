/**
 * A number with its noun: `0 checks`, `1 check`, `2 checks`. `several` is the plural; the
 * default is `noun` with an s.
 */
export function plural(count: number, noun: string, several = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : several}`
}

/** The verb for a number: `1 of 3 checks is`, `2 of 3 checks are`. */
export function are(count: number): string {
  return count === 1 ? 'is' : 'are'
}
