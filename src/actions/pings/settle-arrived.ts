/** What has to be done before a process may say until when it has heard pings. */
import type { PingQueue } from './record-pings.js'

/**
 * Resolves when every ping that has already reached the system is on disk, or was refused; or, if connections wait, when it is known since
 * when.
 */
export async function settleArrived(pings: Pick<PingQueue, 'hearing' | 'settled'>): Promise<void> {
  await pings.hearing.doors.settle()
  await pings.settled()
}
