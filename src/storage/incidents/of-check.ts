import type { ListedIncident } from '../../core/incidents/listed-incident.js'
import type { Db } from '../db.js'
import { read } from '../method.js'
import { selectIncidents, toListedIncident } from './incident-rows.js'

/** The latest incidents of a check in its project, newest first; the first one may be open. */
export const ofCheck = read(
  async (
    db: Db,
    { id, projectId }: { id: number; projectId: number },
    limit: number,
    now: number,
  ): Promise<ListedIncident[]> => {
    const rows = await selectIncidents(db)
      .where('i.check_id', '=', id)
      .where('i.project_id', '=', projectId)
      .orderBy('i.id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(row => toListedIncident(row, now))
  },
)
