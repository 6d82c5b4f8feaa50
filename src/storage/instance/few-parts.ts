/** Missed pings of very many parts of the checks, as those of fewer parts. Decision 0104. */
import type { Missed } from '../../core/instance/outage.js'
import { appendTo } from '../../lib/append-to.js'
import { isWithinProject, partOfProject } from './parts.js'

/** If there are more parts within projects than this, the single checks of the projects with the most become one part each. */
const MOST_APART = 100

/** If there are still more than this, they become one of all checks. */
const MOST_PARTS = 1_000

/**
 * The same missed times, of few parts. What many checks of a project miss at once has a reason in that project, so it becomes the
 * part, and the deadlines of others do not wait.
 */
export function inFewParts(missed: readonly Missed[]): readonly Missed[] {
  const isApart = ({ part }: Missed) => part !== undefined && isWithinProject(part)
  const apart = missed.filter(isApart)
  if (countParts(apart) <= MOST_APART) return missed
  const fewer = joinProjects(apart)
  const others = missed.filter(one => !isApart(one))
  return [...others, ...(countParts(fewer) <= MOST_PARTS ? fewer : [inOne(fewer)])]
}

/** Joins those of a project, of the projects with the most first, until few parts are left. */
function joinProjects(apart: readonly Missed[]): Missed[] {
  const byProject = new Map<number | undefined, Missed[]>()
  for (const one of apart) appendTo(byProject, one.projectId, one)
  let left = countParts(apart)
  return [...byProject]
    .map(([projectId, own]) => ({ projectId, own, count: countParts(own) }))
    .sort((a, b) => b.count - a.count)
    .flatMap(({ projectId, own, count }) => {
      if (left <= MOST_APART || projectId === undefined) return own
      left -= count - 1
      return [{ ...inOne(own), part: partOfProject(projectId), projectId }]
    })
}

/** Pings of some of these checks may have been recorded in that time. */
function inOne(missed: readonly Missed[]): Missed {
  const from = missed.reduce((earliest, one) => Math.min(earliest, one.from), Number.POSITIVE_INFINITY)
  const to = missed.reduce((latest, one) => Math.max(latest, one.to), Number.NEGATIVE_INFINITY)
  return { from, to, partial: true }
}

function countParts(missed: readonly Missed[]): number {
  return new Set(missed.map(({ part }) => part)).size
}
