/** The drawing of who depends on whom: nested lists, the checks that depend on no other at the top. Pure. */
import type { Status } from '../checks/check.js'
import type { Edge } from './dependency-graph.js'
import { childrenOf, parentsOf } from './dependency-graph.js'

/** A check as a page shows it with those that depend on it. */
export interface LinkedCheck {
  id: number
  uuid: string
  label: string
  status: Status
}

/** A check in the drawing. */
export interface Drawn<C> {
  check: C
  /** Those that depend on it directly. */
  children: Drawn<C>[]
  /** How many others do that are not drawn. */
  more: number
  /** It depends on several: those below it are drawn elsewhere. */
  again: boolean
}

/**
 * Draws, in their order, at most `most` checks that depend on others or that others depend on. A check that depends on several is below each of
 * them, with its own dependants at the first place only.
 */
export function dependencyTree<C extends { id: number }>(
  checks: readonly C[],
  edges: readonly Edge[],
  most: number,
): Drawn<C>[] {
  const known = new Map(checks.map(check => [check.id, check]))
  const parents = parentsOf(edges)
  const rank = new Map(checks.map(({ id }, place) => [id, place]))
  const inOrder = [...edges].sort((a, b) => rank.get(a.checkId)! - rank.get(b.checkId)!)
  const children = childrenOf(parentsOf(inOrder))
  const drawn = new Set<number>()
  let left = most
  const draw = (id: number): Drawn<C> => {
    left--
    const below = children.get(id) ?? []
    const again = drawn.has(id)
    drawn.add(id)
    const node: Drawn<C> = { check: known.get(id)!, children: [], more: 0, again: again && below.length > 0 }
    if (again) return node
    for (const child of below) {
      if (left > 0) node.children.push(draw(child))
      else node.more++
    }
    return node
  }
  const roots = checks.filter(({ id }) => children.has(id) && !parents.has(id))
  return roots.flatMap(({ id }) => (left > 0 ? [draw(id)] : []))
}
