/** How a log tells the notifications about one change: as one row, however many channels got them. Pure. */

/** Notifications about one change begin within this time (ms) of the first. */
const TOGETHER_MS = 60_000

/** `check` is given where the log is of several checks. */
interface Notification {
  channel: { uuid: string }
  checkStatus: string
  check?: { uuid: string }
}

type LogEvent =
  | { type: 'ping' | 'flip'; at: number }
  | { type: 'notification'; at: number; notification: Notification }

/**
 * The rows of a log, newest first as `events` are. Notifications about the same status of one check that began within a minute, each to
 * another channel, are one row, at the place of the first, which begins it. All other events have a row each.
 */
export function sentTogether<E extends LogEvent>(events: readonly E[]): E[][] {
  const rows: E[][] = []
  const latest = new Map<string, E[]>()
  for (const event of events.toReversed()) {
    const check = event.type === 'notification' ? (event.notification.check?.uuid ?? '') : null
    const row = check === null ? undefined : latest.get(check)
    if (row && goesOn(row, event)) {
      row.push(event)
      continue
    }
    const begun = [event]
    rows.push(begun)
    if (check !== null) latest.set(check, begun)
  }
  return rows.toReversed()
}

function goesOn(row: readonly LogEvent[], event: LogEvent): boolean {
  if (event.type !== 'notification' || event.at - row[0]!.at > TOGETHER_MS) return false
  const { checkStatus, channel } = event.notification
  return row.every(
    one =>
      one.type === 'notification' &&
      one.notification.checkStatus === checkStatus &&
      one.notification.channel.uuid !== channel.uuid,
  )
}
