/** Whether the list of incidents of some projects has changed, which open pages ask each second. */
import { sql } from 'kysely'
import type { Db } from '../db.js'
import { readWithoutSnapshot } from '../method.js'

/** How many of the newest open incidents are searched for what was held or dropped. */
const SEARCHED = 200

/**
 * A text that changes whenever a list of these projects' incidents may look different; see `recent`. Only open incidents
 * are read, because closed ones do not change.
 */
export const fingerprint = readWithoutSnapshot(
  async (db: Db, projects: readonly string[]): Promise<string> => {
    if (projects.length === 0) return ''
    const { rows } = await sql`
      WITH own AS (SELECT id FROM projects WHERE uuid IN (${sql.join(projects)})),
      open AS (SELECT i.id, i.down_at, i.ack_at, i.ack_until FROM incidents i
        WHERE i.project_id IN (SELECT id FROM own) AND i.closed_at IS NULL)
      SELECT
        (SELECT count(*) FROM open) AS open, (SELECT sum(id) FROM open) AS ids, (SELECT max(down_at) FROM open) AS down,
        (SELECT sum(ack_at) FROM open) AS acknowledged, (SELECT sum(ack_until) FROM open) AS until,
        (SELECT max((
          SELECT max(i.closed_at) FROM incidents i WHERE i.project_id = own.id AND i.closed_at IS NOT NULL
        )) FROM own) AS closed,
        (SELECT max((SELECT max(i.opened_at) FROM incidents i WHERE i.project_id = own.id)) FROM own) AS opened,
        (SELECT max(e.id) FROM incident_events e
          WHERE e.incident_id IN (SELECT id FROM open ORDER BY id DESC LIMIT ${SEARCHED})) AS events,
        (SELECT max(ch.last_notify) FROM channels ch WHERE ch.project_id IN (SELECT id FROM own)) AS sent
    `.execute(db.sql)
    return JSON.stringify(rows)
  },
)
