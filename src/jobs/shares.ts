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
  for (const [index, [projectId, count]] of fewestFirst.slice(0, raised).entries()) {
    const share = Math.floor(slots / raised) + (index < slots % raised ? 1 : 0)
    shares.set(projectId, Math.max(count, share))
  }
  return shares
}
