/**
 * Since when (ms) no ping of any check has arrived, for the alert at `now` about a check whose ping was due at `dueAt`; `pings`
 * are the newest of all checks. Null where one arrived since it was due, or where no other check pinged in as long a time
 * before: then silence is usual.
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
