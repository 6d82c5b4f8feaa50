import {
  type CanaryRecord,
  type CanaryResult,
  type CanaryRun,
  judgeCanary,
  NO_CANARY,
} from '../../core/instance/canary.js'
import type { Db } from '../db.js'
import { write } from '../method.js'
import { newestPings } from '../pings/newest-pings.js'
import { addOutages, lockOutages } from './add-outages.js'

/** The key in `meta` of what all processes share about it. */
export const CANARY = 'canary'

/** Judges the newest request of a process's canary at `now`, and stores the outage that it found or that continues. */
export const noteCanary = write(async (db: Db, run: CanaryRun, now: number): Promise<CanaryResult> => {
  const record = await lockRecord(db)
  const [newest] = await newestPings(db, 1)
  const result = judgeCanary(record, run, newest?.at ?? null, now, db.settings.outageHoldMs)
  if (result.outage) {
    await lockOutages(db)
    await addOutages(db, [result.outage])
  }
  const value = JSON.stringify(result.record)
  await db.sql.updateTable('meta').set({ value }).where('key', '=', CANARY).execute()
  return result
})

/** The record so far, locked until the transaction ends. */
async function lockRecord(db: Db): Promise<CanaryRecord> {
  const { value } = await db.sql
    .insertInto('meta')
    .values({ key: CANARY, value: JSON.stringify(NO_CANARY) })
    .onConflict(oc => oc.column('key').doUpdateSet(eb => ({ value: eb.ref('meta.value') })))
    .returning('value')
    .executeTakeFirstOrThrow()
  return JSON.parse(value) as CanaryRecord
}
