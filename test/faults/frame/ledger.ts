/** What a load wrote down of each of its pings. */
export interface LedgerEntry {
  /** The ping's run id, which no other ping has. */
  rid: string
  check: string
  /** The answer's; 0 where none came. */
  status: number
  /** How long the answer took to come. */
  ms: number
  /** When it came, by the machine's clock. */
  at: number
  retryAfter?: string
  /** The answer's text, where it is not the usual one, or why none came. */
  text?: string
}

/** The run id of a load's ping: both numbers are in it. */
export function runId(load: number, n: number): string {
  return `${String(load).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`
}
