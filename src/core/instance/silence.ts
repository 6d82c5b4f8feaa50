/**
 * Since when (ms) no ping of any check has arrived, for the alert at `now` about a check whose ping was due at
 * `dueAt`. `pings` are the newest of all checks. Null if a ping has arrived since, or if silence is usual: no other
 * check pinged in as long a time before.
 */
export function silentSince(
  pings: readonly { checkId: number; at: number }[],
  checkId: number,
  dueAt: number,
  now: number,
): number | null {
  if (pings.length === 0) return null
  const last = Math.max(...pings.map(({ at }) => at))
  const usual = pings.some(ping => ping.checkId !== checkId && ping.at >= last - (now - last))
  return last < dueAt && usual ? last : null
}
