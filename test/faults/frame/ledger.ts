/** What a load records about each of its pings. */
export interface LedgerEntry {
  /** The ping's run ID, which no other ping has. */
  rid: string
  check: string
  /** The status of the answer; 0 if there was none. */
  status: number
  /** How long the answer took. */
  ms: number
  /** When it arrived, by the machine's clock. */
  at: number
  retryAfter?: string
  /** The text of the answer if it is not the usual one, or why there was none. */
  text?: string
}

/** The run ID of a load's ping, made of both numbers. */
export function runId(load: number, n: number): string {
  return `${String(load).padStart(8, '0')}-0000-4000-8000-${String(n).padStart(12, '0')}`
}
