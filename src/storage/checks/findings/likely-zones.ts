import type { Db } from '../../db.js'
import { prepared } from '../../prepared.js'
import type { CheckWithIds } from '../rows/check-rows.js'

const MOST_PEOPLE = 50
const MOST_CHECKS = 200

/** The zones of the people of a check's project, then those of its other checks, the frequent ones first. */
export async function likelyZones(db: Db, { id: checkId, projectId }: CheckWithIds): Promise<string[]> {
  const [people, checks] = await Promise.all([
    ofPeople.all(db, { projectId }),
    ofOtherChecks.all(db, { projectId, checkId }),
  ])
  return [...new Set([...people, ...checks].map(({ tz }) => tz))]
}

const ofPeople = prepared((sql, value: { projectId: number }) =>
  sql
    .selectFrom('users')
    .select('timezone as tz')
    .where('id', 'in', eb =>
      eb
        .selectFrom('projects')
        .select('owner_id as id')
        .where('id', '=', value.projectId)
        .union(eb.selectFrom('members').select('user_id as id').where('project_id', '=', value.projectId))
        .$narrowType<{ id: number }>(),
    )
    .orderBy('id')
    .limit(MOST_PEOPLE),
)

const ofOtherChecks = prepared((sql, value: { projectId: number; checkId: number }) =>
  sql
    .selectFrom(eb =>
      eb
        .selectFrom('checks')
        .select('tz')
        .where('project_id', '=', value.projectId)
        .where('kind', '<>', 'simple')
        .where('id', '<>', value.checkId)
        .limit(MOST_CHECKS)
        .as('c'),
    )
    .select('c.tz')
    .groupBy('c.tz')
    .orderBy(eb => eb.fn.countAll(), 'desc')
    .orderBy('c.tz'),
)
