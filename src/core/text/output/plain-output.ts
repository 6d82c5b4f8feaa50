import { terminalLines } from './terminal-lines.js'

/** The lines of an output as a terminal would show them, without colours. */
export function plainLines(text: string): string[] {
  return Array.from(terminalLines(text), line => line.map(piece => piece.text).join(''))
}

/** The first line that says something; empty if none does. */
export function firstLine(text: string): string {
  return (
    plainLines(text)
      .map(line => line.trim())
      .find(line => line !== '') ?? ''
  )
}
