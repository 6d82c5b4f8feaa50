/** Who depends on whom, by the checks' IDs. Pure. */

/** The checks on which each check depends directly. */
export type ParentsOf = ReadonlyMap<number, readonly number[]>

/** That a check depends on another. */
export interface Edge {
  checkId: number
  parentId: number
}

export function parentsOf(edges: readonly Edge[]): Map<number, number[]> {
  const parents = new Map<number, number[]>()
  for (const { checkId, parentId } of edges) append(parents, checkId, parentId)
  return parents
}

export function childrenOf(parents: ParentsOf): Map<number, number[]> {
  const children = new Map<number, number[]>()
  for (const [checkId, ids] of parents) for (const id of ids) append(children, id, checkId)
  return children
}

/**
 * For each check, those of `holders` on which it depends, directly or not: at most `most`, the first in that order. A
 * check that has as many is not passed again, because those below it have them too.
 */
export function inherited(
  parents: ParentsOf,
  holders: readonly number[],
  most: number,
): Map<number, number[]> {
  const children = childrenOf(parents)
  const found = new Map<number, number[]>()
  for (const holder of holders) {
    const next = [...(children.get(holder) ?? [])]
    for (let id = next.pop(); id !== undefined; id = next.pop()) {
      const known = found.get(id) ?? []
      if (known.length >= most || known.at(-1) === holder) continue
      append(found, id, holder)
      for (const child of children.get(id) ?? []) next.push(child)
    }
  }
  return found
}

/** The way from a check up to itself, if it depended on `added` too: its ID, ..., its ID again. Null: there is none. */
export function circleThrough(
  checkId: number,
  added: readonly number[],
  parents: ParentsOf,
): number[] | null {
  const cameFrom = new Map<number, number>(added.map(id => [id, checkId]))
  const next = [...added]
  for (let id = next.shift(); id !== undefined; id = next.shift()) {
    if (id === checkId) return wayTo(checkId, cameFrom)
    for (const parent of parents.get(id) ?? []) {
      if (cameFrom.has(parent)) continue
      cameFrom.set(parent, id)
      next.push(parent)
    }
  }
  return null
}

function wayTo(checkId: number, cameFrom: ReadonlyMap<number, number>): number[] {
  const way = [checkId]
  for (let id = cameFrom.get(checkId)!; id !== checkId; id = cameFrom.get(id)!) way.unshift(id)
  return [checkId, ...way]
}

function append(lists: Map<number, number[]>, key: number, id: number): void {
  const list = lists.get(key)
  if (list) list.push(id)
  else lists.set(key, [id])
}
