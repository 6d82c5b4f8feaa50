import { type Wall, wallReason } from '../projects/wall.js'
import { acknowledgedShape } from './incident.js'
import { isoSeconds } from './timestamp.js'
import type { WireView } from './version.js'

/** The JSON value of what a wall display shows. */
export function wallShape({ counts, problems }: Wall, access: WireView['access']) {
  return {
    counts,
    problems: problems.map(problem => ({
      name: problem.name,
      status: problem.status,
      since: isoSeconds(problem.since),
      running: problem.running,
      reason: wallReason(problem),
      acknowledged: acknowledgedShape(problem.acknowledged, access),
      silenced: problem.silenced && {
        until: problem.silenced.until === null ? null : isoSeconds(problem.silenced.until),
      },
    })),
  }
}
