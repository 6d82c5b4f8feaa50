/**
 * How many slots a project gets at a time where there are fewer than that for each: to claim two messages of a channel
 * costs little more than to claim one.
 */
const AT_A_TIME = 2

/**
 * Shares slots among the projects that wait: those with the fewest messages under way get the next ones. `underWay` is
 * in the order of the projects' turns. Returns how many messages each project may have under way, including those that
 * it has. Decision 0103.
 */
export function sharesOf(underWay: ReadonlyMap<number, number>, free: number): Map<number, number> {
  const shares = new Map(underWay)
  const fewestFirst = [...underWay].sort(([, a], [, b]) => a - b)
  // The projects that are raised to the same number, and how many messages they have.
  let raised = 0
  let have = 0
  for (const [, count] of fewestFirst) {
    if (count * raised - have > free) break
    raised++
    have += count
  }
  const slots = Math.max(0, free) + have
  if (slots < AT_A_TIME * raised) {
    let left = Math.max(0, free)
    for (const [projectId, count] of fewestFirst) {
      const more = Math.min(left, Math.max(0, AT_A_TIME - count))
      shares.set(projectId, count + more)
      left -= more
    }
    return shares
  }
  for (const [index, [projectId, count]] of fewestFirst.slice(0, raised).entries()) {
    const share = Math.floor(slots / raised) + (index < slots % raised ? 1 : 0)
    shares.set(projectId, Math.max(count, share))
  }
  return shares
}

/** What is left for one more project: this part of the share of each. */
const FOR_ONE_MORE = 0.5

/**
 * How many of `slots` each project may have if one more is to find half as many. `underWay` are the numbers that
 * projects have: what those with fewer do not use goes to the others. At least one. Decision 0103.
 */
export function shareBesideOneMore(underWay: Iterable<number>, slots: number): number {
  const fewestFirst = [...underWay].sort((a, b) => a - b)
  let left = slots
  let shares = fewestFirst.length + FOR_ONE_MORE
  for (const count of fewestFirst) {
    if (count >= Math.floor(left / shares)) break
    left -= count
    shares--
  }
  return Math.max(1, Math.min(slots, Math.floor(left / shares)))
}
