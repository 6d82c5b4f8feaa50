/**
 * Output as a terminal would show it: carriage returns and backspaces overwrite, colours apply, other control sequences
 * are left out. Source: ECMA-48 (control functions), xterm's ctlseqs (256 and 24-bit colours, OSC).
 */
import { plain, type Style, styleAfter, styleNames } from './terminal-style.js'

/** A part of a line with one style: class names, or an empty text. */
export interface Piece {
  text: string
  style: string
}

export type OutputLine = readonly Piece[]

/**
 * In this order: the end of a line; CSI; OSC and the like up to their end, which must be near; other escape sequences; CR,
 * BS; text. Every alternative takes at least a character, and none looks further ahead than it takes, but for OSC.
 */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\r*\n|\x1b\[([0-?]*)[ -/]*([@-~])|\x1b[\]P^_X][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]?|[\r\b]|[^\x1b\r\n\b]+/g

/** The lines of a text, one after the other. A line feed at its end begins no further line. */
export function* terminalLines(text: string): Generator<OutputLine> {
  let isEmpty = true
  let style: Style = plain
  let line = new Line()
  for (const [token, parameters = '', final] of text.matchAll(TOKEN)) {
    const first = token.charCodeAt(0)
    if (final === 'm') style = styleAfter(style, parameters)
    else if (final !== undefined) line.control(final, parameters)
    else if (token.endsWith('\n')) {
      yield line.pieces()
      isEmpty = false
      line = new Line()
    } else if (token === '\r') line.moveToStart()
    else if (token === '\b') line.moveBy(-1)
    else if (first !== ESCAPE) line.write(visible(token), styleNames(style))
  }
  const last = line.pieces()
  if (last.length > 0 || isEmpty) yield last
}

const ESCAPE = 0x1b

/** Control characters as the pictures that Unicode has for them; a tab stays. */
function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, char =>
    String.fromCharCode(char === '\x7f' ? 0x2421 : 0x2400 + char.charCodeAt(0)),
  )
}

/** A line that draws progress is no longer than this. In a longer one a carriage return starts an empty line. */
const MOST_CELLS = 1_000

/** A line that is being written. It keeps whole texts until something moves the cursor, then single characters. */
class Line {
  #pieces: Piece[] = []
  #cells: Piece[] | null = null
  #column = 0

  write(text: string, style: string): void {
    if (this.#cells !== null && this.#column + text.length > MOST_CELLS) this.#join()
    if (this.#cells === null) {
      const last = this.#pieces.at(-1)
      if (last?.style === style) last.text += text
      else this.#pieces.push({ text, style })
      return
    }
    for (const char of text) this.#cells[this.#column++] = { text: char, style }
  }

  moveToStart(): void {
    this.#split()
    this.#column = 0
  }

  moveBy(columns: number): void {
    const cells = this.#split()
    this.#column = Math.min(cells.length, Math.max(0, this.#column + columns))
  }

  /** The control functions by which progress is drawn: to the first column, back, and erasing. */
  control(final: string, parameters: string): void {
    const count = Number(parameters === '' ? 1 : parameters)
    if (final === 'G' && count <= 1) this.moveToStart()
    else if (final === 'D' && count >= 1) this.moveBy(-count)
    else if (final === 'K' && (parameters === '' || count === 0)) this.#split().length = this.#column
    else if (final === 'K' && count === 2) this.#clear()
  }

  pieces(): OutputLine {
    return this.#cells === null ? this.#pieces : joined(this.#cells)
  }

  #clear(): Piece[] {
    this.#pieces = []
    this.#column = 0
    this.#cells = []
    return this.#cells
  }

  /** What follows is too long for cells: the line up to the cursor is kept. */
  #join(): void {
    this.#pieces = joined(this.#cells!.slice(0, this.#column))
    this.#cells = null
  }

  #split(): Piece[] {
    if (this.#cells !== null) return this.#cells
    const length = this.#pieces.reduce((sum, { text }) => sum + text.length, 0)
    if (length > MOST_CELLS) return this.#clear()
    this.#cells = this.#pieces.flatMap(({ text, style }) => Array.from(text, char => ({ text: char, style })))
    this.#column = this.#cells.length
    return this.#cells
  }
}

/** Neighbours of one style as one piece. */
function joined(cells: readonly Piece[]): Piece[] {
  const pieces: Piece[] = []
  for (const { text, style } of cells) {
    const last = pieces.at(-1)
    if (last?.style === style) last.text += text
    else pieces.push({ text, style })
  }
  return pieces
}
