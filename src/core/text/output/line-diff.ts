/**
 * The difference of two lists of lines: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations" (1986), the greedy
 * form, with a limit on the number of differences and so on its work.
 */

/** `same`: in both; `removed`: only in the first; `added`: only in the second. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** With so many differences the rest is not worth reading line by line. */
export const MOST_DIFFERENCES = 200

/**
 * The lines of both in order, with as few differences as possible. Where there are more than `most`, the lines that
 * remain are given as removed and then as added.
 */
export function lineDiff(
  before: readonly string[],
  after: readonly string[],
  most = MOST_DIFFERENCES,
): DiffLine[] {
  let start = 0
  const shorter = Math.min(before.length, after.length)
  while (start < shorter && before[start] === after[start]) start += 1
  let tail = 0
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  const [a, b] = [before.slice(start, before.length - tail), after.slice(start, after.length - tail)]
  return [
    ...linesOf('same', before.slice(0, start)),
    ...(edits(a, b, most) ?? [...linesOf('removed', a), ...linesOf('added', b)]),
    ...linesOf('same', before.slice(before.length - tail)),
  ]
}

function linesOf(kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] {
  return lines.map(text => ({ kind, text }))
}

/** The shortest edit script; null if it is longer than `most`. */
function edits(before: readonly string[], after: readonly string[], most: number): DiffLine[] | null {
  const { rounds, length } = search(before, after, most)
  if (length === null) return null
  const script: DiffLine[] = []
  let [x, y] = [before.length, after.length]
  for (let d = length; d >= 0; d--) {
    const reach = rounds[d]!
    const k = x - y
    const isDown = k === -d || (k !== d && reach.get(k - 1)! < reach.get(k + 1)!)
    const fromX = d === 0 ? 0 : isDown ? reach.get(k + 1)! : reach.get(k - 1)!
    const fromY = d === 0 ? 0 : fromX - (isDown ? k + 1 : k - 1)
    const [stepX, stepY] = d === 0 ? [0, 0] : isDown ? [fromX, fromY + 1] : [fromX + 1, fromY]
    for (; x > stepX && y > stepY; x--, y--) script.push({ kind: 'same', text: before[x - 1]! })
    if (d > 0)
      script.push(isDown ? { kind: 'added', text: after[fromY]! } : { kind: 'removed', text: before[fromX]! })
    ;[x, y] = [fromX, fromY]
  }
  return script.reverse()
}

/** How far each diagonal reaches with each number of differences, before that round; and the number that suffices. */
function search(before: readonly string[], after: readonly string[], most: number) {
  const reach = new Map([[1, 0]])
  const rounds: Map<number, number>[] = []
  for (let d = 0; d <= most; d++) {
    rounds.push(new Map(reach))
    for (let k = -d; k <= d; k += 2) {
      const isDown = k === -d || (k !== d && reach.get(k - 1)! < reach.get(k + 1)!)
      let x = isDown ? reach.get(k + 1)! : reach.get(k - 1)! + 1
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1
      reach.set(k, x)
      if (x >= before.length && x - k >= after.length) return { rounds, length: d }
    }
  }
  return { rounds, length: null }
}
