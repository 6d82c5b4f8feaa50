/** Brings back the instants within texts after a clock that was ahead has been set back: see `IN_TEXTS` in instants.ts. */
import { sql } from 'kysely'
import type { Tracking } from '../../core/checks/health/tracking.js'
import { EARLY_RULES, trackingSetBack } from '../../core/checks/health/tracking-set-back.js'
import { type CanaryRecord, canarySetBack } from '../../core/instance/canary.js'
import { type Earlier, earlierSetBack } from '../../core/silences/versions.js'
import { instant, type SetBack } from '../../core/time/set-back.js'
import { selectSettings, toSettings } from '../checks/rows/check-columns.js'
import type { Db } from '../db.js'
import { readBehind, writeBehind } from './behind.js'
import { CANARY } from './canary.js'
import { setBackMails } from './set-back-mails.js'

export async function setBackTexts(db: Db, step: SetBack): Promise<void> {
  await setBackTracking(db, step)
  await setBackMails(db, step)
  await rewrite(db, { table: 'beats', key: 'process', column: 'behind' }, text => {
    const behind = Object.entries(readBehind(text) ?? {})
    return writeBehind(Object.fromEntries(behind.map(([part, at]) => [part, instant(at, step)])))
  })
  await rewrite(db, { table: 'silences', key: 'id', column: 'earlier' }, text =>
    JSON.stringify(earlierSetBack(JSON.parse(text) as Earlier[], step)),
  )
  await rewrite(db, { table: 'meta', key: 'key', column: 'value' }, (text, key) =>
    key === CANARY ? JSON.stringify(canarySetBack(JSON.parse(text) as CanaryRecord, step)) : text,
  )
}

async function setBackTracking(db: Db, step: SetBack): Promise<void> {
  const rows = await db.sql
    .selectFrom('checks as c')
    .select(['c.id', 'c.tracking', ...selectSettings(EARLY_RULES)])
    .where('c.tracking', 'is not', null)
    .execute()
  for (const { id, tracking, ...settings } of rows) {
    const rules = toSettings(EARLY_RULES, settings)
    const after = JSON.stringify(trackingSetBack(JSON.parse(tracking!) as Tracking, rules, step))
    if (after === tracking) continue
    await db.sql.updateTable('checks').set({ tracking: after }).where('id', '=', id).execute()
  }
}

interface Texts {
  table: string
  key: string
  column: string
}

/** Replaces each text of a column by `back` of it and the key of its row, where that differs. */
async function rewrite(
  db: Db,
  { table, key, column }: Texts,
  back: (text: string, key: string | number) => string,
): Promise<void> {
  const [from, id, text] = [sql.table(table), sql.ref(key), sql.ref(column)]
  const { rows } = await sql<{ id: string | number; text: string }>`
    SELECT ${id} AS id, ${text} AS text FROM ${from} WHERE ${text} IS NOT NULL`.execute(db.sql)
  for (const row of rows) {
    const after = back(row.text, row.id)
    if (after !== row.text)
      await sql`UPDATE ${from} SET ${text} = ${after} WHERE ${id} = ${row.id}`.execute(db.sql)
  }
}
