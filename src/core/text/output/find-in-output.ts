/** Finding a text in an output. */

/** Where an output has a text. */
export interface Excerpt {
  /** The number of the line, from 1. */
  line: number
  /** What the line has before the text, the text as it is in the output, and what follows; cut where it is long. */
  before: string
  found: string
  after: string
}

/** The maximum length of a text that is looked for, in characters. */
export const LONGEST_SOUGHT = 200

/** How much of a line is shown before and after the text, in characters, without the part of a word at the cut. */
const BEFORE = 40
const AFTER = 120

/** Control sequences, which a terminal does not show; see terminal-lines.ts. */
const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\x1b\[[0-?]*[ -/]*[@-~]|\x1b[\]P^_X][^\x07\x1b\n]{0,2000}(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]?/g

/**
 * Returns what finds the first place of a text within a line of an output, in any case and across colours; null if there is
 * none. A line that draws progress is found by each of its states.
 */
export function finderOf(text: string): (output: string) => Excerpt | null {
  const pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu')
  return output => {
    const plain = output.includes('\x1b') ? output.replace(SEQUENCES, '') : output
    const match = pattern.exec(plain)
    return match && excerptAt(plain, match.index, match[0])
  }
}

function excerptAt(output: string, at: number, found: string): Excerpt {
  const from = Math.max(output.lastIndexOf('\n', at - 1), output.lastIndexOf('\r', at - 1)) + 1
  const rest = output.slice(at + found.length)
  const end = rest.search(/[\r\n]/)
  const before = output.slice(from, at)
  const after = end === -1 ? rest : rest.slice(0, end)
  return {
    line: linesBefore(output, at) + 1,
    before: clean(
      before.length > BEFORE
        ? `…${whole(before.slice(-BEFORE)).replace(/^\S*\s+(?=\S)/, '')}`
        : before.trimStart(),
    ),
    found: clean(found),
    after: clean(
      after.length > AFTER
        ? `${whole(after.slice(0, AFTER)).replace(/(?<=\S)\s+\S*$/, '')}…`
        : after.trimEnd(),
    ),
  }
}

function linesBefore(output: string, end: number): number {
  let lines = 0
  for (let at = output.indexOf('\n'); at !== -1 && at < end; at = output.indexOf('\n', at + 1)) lines += 1
  return lines
}

/** Without the half of a character at either end. */
function whole(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
}

function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replace(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
}
