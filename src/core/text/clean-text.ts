/** Texts from users without what a screen would obey instead of showing it. */

/** Colours and cursor movements of a terminal. Source: ECMA-48, section 5.4. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const TERMINAL = /\u001b\[[0-?]*[ -/]*[@-~]/g

/** Control characters other than a tab and a line's end, and the marks that turn the direction of a text. */
const CONTROL = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu

/** A text of one line: what would break the line, move the cursor or turn the direction becomes a space. */
export function oneLine(text: string): string {
  return text
    .replace(TERMINAL, '')
    .replace(CONTROL, ' ')
    .replace(/[\s\u2028\u2029]+/g, ' ')
    .trim()
}

/** A text of several lines without terminal codes and control characters. */
export function cleanLines(text: string): string {
  return text.replace(TERMINAL, '').replaceAll('\r\n', '\n').replace(CONTROL, '')
}
