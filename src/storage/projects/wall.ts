import { sql } from 'kysely'
import { countStates, troubleOf } from '../../core/checks/check-list.js'
import type { Wall, WallProblem } from '../../core/projects/wall.js'
import { silencedBy } from '../../core/silences/silenced.js'
import { listItems } from '../checks/list/list-items.js'
import { shownNameOf } from '../checks/rows/shown-name.js'
import type { Db } from '../db.js'
import { isAmong } from '../gathered.js'
import { selectIncidents, toListedIncident } from '../incidents/incident-rows.js'
import { currentHold } from '../instance/outages.js'
import { longRead } from '../method.js'
import { listActive } from '../silences/silences.js'

/** The checks of a project for a wall display at `now`: how many are in each state, and at most `limit` problems. */
export const wall = longRead(async (db: Db, projectId: number, now: number, limit: number): Promise<Wall> => {
  const hold = await currentHold(db, now)
  const items = await listItems(db, [{ id: projectId, uuid: '' }], now, hold)
  const shown = items
    .filter(({ status }) => status === 'down' || status === 'grace')
    .sort((a, b) => troubleOf(a) - troubleOf(b) || b.troubleSince! - a.troubleSince! || a.id - b.id)
    .slice(0, limit)
  const [incidents, silences] =
    shown.length === 0
      ? [new Map<number, never>(), []]
      : await Promise.all([
          openIncidents(
            db,
            shown.map(({ id }) => id),
            now,
          ),
          listActive(db, [projectId], now),
        ])
  const problems = shown.map((item): WallProblem => {
    const incident = incidents.get(item.id)
    const silenced = silencedBy(silences, item)
    return {
      name: shownNameOf(item),
      status: item.status as WallProblem['status'],
      since: item.troubleSince!,
      running: item.running,
      cause: incident?.cause ?? '',
      detail: incident?.detail ?? {},
      acknowledged: incident?.acknowledged ?? null,
      silenced: silenced && !silenced.isPartial ? { until: silenced.until } : null,
    }
  })
  return { counts: countStates(items), problems }
})

async function openIncidents(db: Db, checkIds: readonly number[], now: number) {
  const rows = await selectIncidents(db, () => sql`i.closed_at IS NULL AND i.check_id ${isAmong(checkIds)}`)
    .where('i.check_id', 'in', checkIds)
    .where('i.closed_at', 'is', null)
    .execute()
  return new Map(rows.map(row => [row.check_id!, toListedIncident(row, now)]))
}
