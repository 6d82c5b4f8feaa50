/** Rows that cannot be written, such as those on a damaged page. */
import { randomBytes } from 'node:crypto'
import { engine, type FreshStore } from './store.js'

/** Which writes fail: of the rows of a table for which a condition on NEW or OLD is true. */
export interface BadRow {
  on: 'INSERT' | 'UPDATE' | 'DELETE'
  table: string
  when: string
}

/** Makes those writes fail until the returned function is called. */
export async function breakRow(
  raw: FreshStore['raw'],
  { on, table, when }: BadRow,
): Promise<() => Promise<void>> {
  const name = `bad_row_${randomBytes(4).toString('hex')}`
  if (engine === 'sqlite') {
    const body = `BEGIN SELECT RAISE(ABORT, 'a bad row'); END`
    await raw(`CREATE TRIGGER ${name} BEFORE ${on} ON ${table} WHEN ${when} ${body}`)
    return async () => void (await raw(`DROP TRIGGER ${name}`))
  }
  await raw(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN RAISE EXCEPTION 'a bad row' USING ERRCODE = 'XX001'; END $$`)
  await raw(
    `CREATE TRIGGER ${name} BEFORE ${on} ON ${table} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`,
  )
  return async () => void (await raw(`DROP FUNCTION ${name} CASCADE`))
}
