/** What a wall display shows of a project. Instants in ms. */

import type { StateCounts } from '../checks/check-list.js'
import type { CauseDetail } from '../incidents/cause-detail.js'
import type { Acknowledgement } from '../incidents/listed-incident.js'
import { periodWords } from '../time/duration.js'

/** A check that is down or late. */
export interface WallProblem {
  name: string
  status: 'down' | 'grace'
  since: number
  running: boolean
  /** Why it is down, if that is known. */
  cause: string
  detail: CauseDetail
  acknowledged: Acknowledgement | null
  /** Whether its alerts are held, and until when; null: not within a year. */
  silenced: { until: number | null } | null
}

/** The number of problems that a wall shows at once. */
export const MOST_WALL_PROBLEMS = 30

export interface Wall {
  counts: StateCounts
  /** Down before late, each with what began last first; not necessarily all. */
  problems: WallProblem[]
}

/** Why a check is on a wall, in as few words as can be read from afar: `exit status 2`. */
export function wallReason({
  status,
  cause,
  detail,
}: Pick<WallProblem, 'status' | 'cause' | 'detail'>): string {
  const { exitStatus = 0, limitSeconds } = detail
  if (status === 'grace') return 'late'
  if (cause === 'failed') return exitStatus > 0 ? `exit status ${exitStatus}` : 'failed'
  if (cause === 'missed') return 'no ping'
  if (cause === 'overrun')
    return limitSeconds === undefined ? 'ran too long' : `ran over ${periodWords(limitSeconds)}`
  return cause === 'too_short' ? 'ended too soon' : 'down'
}
