/**
 * A distinct mark of one to three characters for each name: the first letters if they differ, else the letters of the
 * first two words, else numbers.
 */
export function distinctMarks(names: readonly string[]): string[] {
  for (const words of [1, 2]) {
    const marks = names.map(name => initials(name, words))
    if (new Set(marks).size === names.length && marks.every(mark => mark !== '')) return marks
  }
  return names.map((_, index) => String(index + 1))
}

function initials(name: string, words: number): string {
  const found = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = found.slice(0, words).map(word => String.fromCodePoint(word.codePointAt(0)!))
  return letters.join('').toUpperCase()
}
