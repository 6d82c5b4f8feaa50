/** How a list of incidents is told: many that began within the same minutes are one line. Pure. */

/** Incidents that began together; one that began alone is a group of one. In the order of the list. */
export type Together<T> = readonly T[]

/** Incidents whose beginnings are no further apart (ms) are about the same event. */
const APART_MS = 2 * 60_000
/** Fewer are easier to read one by one. */
const FEWEST = 4

/** Groups incidents, newest first, by the minutes in which they began. */
export function together<T extends { openedAt: number }>(incidents: readonly T[]): Together<T>[] {
  const runs: T[][] = []
  for (const incident of incidents) {
    const run = runs.at(-1)
    if (run && run.at(-1)!.openedAt - incident.openedAt <= APART_MS) run.push(incident)
    else runs.push([incident])
  }
  return runs.flatMap(run => (run.length < FEWEST ? run.map(one => [one]) : [run]))
}
