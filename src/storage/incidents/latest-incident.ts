import { sql } from 'kysely'

/** The ID of the latest incident of a check, open or not; null if it has none. `checkId` names a column. */
export function latestIncident(checkId: string) {
  return sql<number | null>`(SELECT max(li.id) FROM incidents li WHERE li.check_id = ${sql.ref(checkId)})`
}
