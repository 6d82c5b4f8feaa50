/** How a list of incidents is told: many that began within the same minutes are one line. Pure. */

/** Incidents that began together; one that began alone is a group of one. In the order of the list. */
export type Together<T> = readonly T[]

/** Incidents whose beginnings are no further apart (ms) are about the same event. */
const APART_MS = 2 * 60_000
/** Fewer are easier to read one by one. */
export const FEWEST_TOGETHER = 4

/** Whether an incident belongs to the group of the one that follows it in time. */
function isTogether(later: { openedAt: number }, incident: { openedAt: number }): boolean {
  return later.openedAt - incident.openedAt <= APART_MS
}

/**
 * How many incidents, newest first, are at least `least` and end with a whole group; null if more of them must be known for that. Then no
 * group is on two pages.
 */
export function wholeGroups(incidents: readonly { openedAt: number }[], least: number): number | null {
  const next = incidents.findIndex(
    (incident, index) => index >= least && index > 0 && !isTogether(incidents[index - 1]!, incident),
  )
  return next === -1 ? null : next
}

/** Groups incidents, newest first, by the minutes in which they began. */
export function together<T extends { openedAt: number }>(incidents: readonly T[]): Together<T>[] {
  const runs: T[][] = []
  for (const incident of incidents) {
    const run = runs.at(-1)
    if (run && isTogether(run.at(-1)!, incident)) run.push(incident)
    else runs.push([incident])
  }
  return runs.flatMap(run => (run.length < FEWEST_TOGETHER ? run.map(one => [one]) : [run]))
}
