/** What has to be done before a process may say until when it has heard pings. */
import { setImmediate } from 'node:timers/promises'
import type { PingQueue } from './record-pings.js'

/** Resolves when every ping that has already reached the system is on disk, or was refused. */
export async function settleArrived(pings: Pick<PingQueue, 'settled'>): Promise<void> {
  await readArrivedRequests()
  await pings.settled()
}

/** Gives the event loop three turns to accept and read requests that have already reached the system. */
export async function readArrivedRequests(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate()
}
