import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Drawn, dependencyTree } from '../../../src/core/incidents/dependency-tree.js'

const edge = (checkId: number, parentId: number) => ({ checkId, parentId })

/** The drawing as a text: `1(2(3) 3)`; `!`: what is below is drawn elsewhere; `+n`: n more. */
function drawn(count: number, edges: ReturnType<typeof edge>[], most = 100): string {
  const checks = Array.from({ length: count }, (_, index) => ({ id: index + 1 }))
  const words = ({ check, children, more, again }: Drawn<{ id: number }>): string => {
    const below = [...children.map(words), ...(more > 0 ? [`+${more}`] : [])]
    return `${check.id}${again ? '!' : ''}${below.length > 0 ? `(${below.join(' ')})` : ''}`
  }
  return dependencyTree(checks, edges, most).map(words).join(' ')
}

test('checks are drawn below those on which they depend', () => {
  assert.equal(drawn(5, [edge(2, 1), edge(3, 1), edge(4, 3)]), '1(2 3(4))')
})

test('what depends on several is below each of them, and its own dependants only once', () => {
  assert.equal(drawn(4, [edge(2, 1), edge(3, 1), edge(3, 2), edge(4, 3)]), '1(2(3(4)) 3!)')
})

test('the rest of a large drawing is counted', () => {
  assert.equal(drawn(6, [edge(2, 1), edge(3, 1), edge(4, 1), edge(6, 5)], 3), '1(2 3 +1)')
})
