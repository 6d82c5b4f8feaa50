/** The quotes around a piece of a shell command. */
export type Quotes = 'none' | 'single' | 'double'

/** A part of a command inside one pair of quotes, or outside quotes. `text` does not include those quotes. */
export interface Piece {
  quotes: Quotes
  text: string
  /** False if the closing quote is missing. */
  closed: boolean
}

const MARKS = { none: '', single: "'", double: '"' } as const

/** Splits a command into pieces by the quoting rules of POSIX shells. Comments are treated as text. */
export function piecesOf(command: string): Piece[] {
  const pieces: Piece[] = []
  let piece: Piece = { quotes: 'none', text: '', closed: true }
  const begin = (quotes: Quotes) => {
    pieces.push(piece)
    piece = { quotes, text: '', closed: quotes === 'none' }
  }
  for (let at = 0; at < command.length; at++) {
    const mark = command[at]!
    const { quotes } = piece
    if (quotes === 'none' && mark === "'") begin('single')
    else if (quotes === 'none' && mark === '"') begin('double')
    else if (quotes !== 'none' && mark === MARKS[quotes]) {
      piece.closed = true
      begin('none')
    } else if (mark === '\\' && quotes !== 'single') piece.text += mark + (command[++at] ?? '')
    else piece.text += mark
  }
  return [...pieces, piece].filter(({ quotes, text }) => quotes !== 'none' || text !== '')
}

/** A piece with its quotes, and `text` in place of its own. */
export function withQuotes({ quotes, closed }: Piece, text: string): string {
  return MARKS[quotes] + text + (closed ? MARKS[quotes] : '')
}

/** The text of a piece with each `$NAME` of `names` replaced by the result of `replace`. `\$NAME` is unchanged. */
export function replacePlaceholders(
  { quotes, text }: Piece,
  names: readonly string[],
  replace: (name: string) => string,
): string {
  let result = ''
  for (let at = 0; at < text.length; ) {
    const name = text[at] === '$' && names.find(name => text.startsWith(name, at + 1))
    const length = text[at] === '\\' && quotes !== 'single' ? 2 : 1
    result += name ? replace(name) : text.slice(at, at + length)
    at += name ? 1 + name.length : length
  }
  return result
}

/** Whether a piece contains one of the placeholders. */
export function holds(piece: Piece, names: readonly string[]): boolean {
  let found = false
  replacePlaceholders(piece, names, name => {
    found = true
    return name
  })
  return found
}

/** The words of a command, each a list of pieces. */
export function wordsOf(pieces: readonly Piece[]): Piece[][] {
  const words: Piece[][] = [[]]
  for (const piece of pieces) {
    if (piece.quotes !== 'none') words.at(-1)!.push(piece)
    else {
      const [first = '', ...rest] = piece.text.split(/[\s;|&()<>]/)
      words.at(-1)!.push({ ...piece, text: first })
      words.push(...rest.map(text => [{ ...piece, text }]))
    }
  }
  return words.map(word => word.filter(({ quotes, text }) => quotes !== 'none' || text !== ''))
}
