/** Removes from users' texts what a screen would execute rather than show. */

/** Colours and cursor movements of a terminal. Source: ECMA-48, section 5.4. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is looked for.
const TERMINAL = /\u001b\[[0-?]*[ -/]*[@-~]/g

/** Control characters except tab and line feed, and characters that change the direction of text. */
const CONTROL = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu

/**
 * The text on one line: characters that would break the line, move the cursor or change the direction become spaces.
 */
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
