import { plural } from '../text/plural.js'
import { periodWords } from '../time/duration.js'
import { type Alert, checkLabel, type Notice } from './alert.js'
import { changesWithinAnHour, STEADY_MS } from './delivery/flapping.js'

/** The notice that replaces an alert when a check is flapping. `changes`: see `isFlapping`. */
export function flappingNotice(alert: Alert, changes: readonly number[]): Omit<Notice, 'now' | 'site'> {
  const count = changesWithinAnHour(changes)
  return {
    type: 'notice',
    title: `${checkLabel(alert.check)} is flapping: ${plural(count, 'change')} in the last hour`,
    text:
      `It is ${alert.status.toUpperCase()} now. ` +
      `The next alert is sent when it has been steady for ${periodWords(STEADY_MS / 1000)}.`,
    url: alert.checkUrl,
    status: alert.status,
    ...(alert.acknowledgeUrl !== undefined && { acknowledgeUrl: alert.acknowledgeUrl }),
  }
}
