/** Output as HTML text. It is made from text, not from elements, because it may have thousands of lines. */
import { type OutputLine, terminalLines } from '../../../core/text/output/terminal-lines.js'
import { escapeHtml } from '../../escape-html.js'

/** Texts with more lines than this are shown as they are, without numbers. */
const MOST_LINES = 5_000

/** A longer part of a line is formatted in steps of so many characters. */
const STEP = 8_000

export interface OutputOptions {
  /** Begins the IDs of lines: `L` for `#L12`. Null: without line numbers. */
  ids: string | null
  /** The address of the page that has the lines with these IDs; empty for the current page. */
  page?: string
}

/**
 * The contents of a `pre` in parts, so that the caller can pause between them. Everything of the text is escaped; its only
 * links are http and https.
 */
export function* outputHtml(text: string, { ids, page = '' }: OutputOptions): Generator<string> {
  if (lineCount(text) > MOST_LINES) {
    for (const part of inSteps(text)) yield escapeHtml(part)
    return
  }
  let number = 0
  for (const line of terminalLines(text)) {
    number += 1
    const id = ids === null || page !== '' ? '' : ` id="${ids}${number}"`
    const link = ids === null ? '' : `<a href="${escapeHtml(page)}#${ids}${number}">${number}</a>`
    yield `<span class="line"${id}>${link}`
    yield* lineHtml(line)
    yield '\n</span>'
  }
}

/** The number of line feeds of a text, and of lines if it ends in one. */
export function lineCount(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

function* lineHtml(line: OutputLine): Generator<string> {
  for (const { text, style } of line) {
    if (style !== '') yield `<span class="${style}">`
    for (const part of inSteps(text)) yield linked(part)
    if (style !== '') yield '</span>'
  }
}

function* inSteps(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += STEP) yield text.slice(at, at + STEP)
}

const ADDRESS = /(https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}])/

/** The text with its web addresses as links. */
function linked(text: string): string {
  if (!text.includes('://')) return escapeHtml(text)
  return text
    .split(ADDRESS)
    .map((part, index) => {
      const shown = escapeHtml(part)
      return index % 2 === 1 ? `<a href="${shown}" rel="noopener noreferrer nofollow">${shown}</a>` : shown
    })
    .join('')
}
