/**
 * How well a text has the words that a person typed, in any order, ignoring case and accents. A text is a name, and if
 * it is found by more than that, a line break and the rest, which counts half. All texts and words are folded.
 */

/** Where a word is as it was typed, and what else it may be. */
const AT_START = 1
const AT_WORD = 0.9
const INSIDE = 0.6
const INITIALS = 0.4
const MISTYPED = 0.3
const SCATTERED = 0.2
const IN_REST = 0.5

/** In lower case and without accents. */
export function folded(text: string): string {
  const lower = text.toLowerCase()
  return /[^\0-\x7f]/.test(lower) ? lower.normalize('NFD').replace(/\p{Mn}/gu, '') : lower
}

/** The words of what a person typed, folded. */
export function wordsOf(typed: string): string[] {
  return folded(typed).split(/\s+/).filter(Boolean)
}

/** Whether a text contains every word. */
export function hasWords(text: string, words: readonly string[]): boolean {
  return words.every(word => text.includes(word))
}

/** Whether every word begins a word of a text without a rest. */
export function hasStarts(text: string, words: readonly string[]): boolean {
  return words.every(word => matchWord(text, word) >= AT_WORD)
}

/** How well a text has the words as they are typed: from 0, some word is missing, to 1, it begins with them. */
export function matchWords(text: string, words: readonly string[]): number {
  return hasWords(text, words) ? average(text, words, matchWord) : 0
}

/** As {@link matchWords}, but words may also be initials (`bd` for `backup db`), mistyped, or lack letters (`bkup`). */
export function matchFuzzily(text: string, words: readonly string[]): number {
  return average(text, words, (from, word) => matchWord(from, word) || guess(from, word))
}

function average(text: string, words: readonly string[], score: typeof matchWord): number {
  let sum = 0
  for (const word of words) {
    const one = score(text, word)
    if (one === 0) return 0
    sum += one
  }
  return words.length === 0 ? 0 : sum / words.length
}

function matchWord(text: string, word: string): number {
  let at = text.indexOf(word)
  if (at <= 0) return at === 0 ? AT_START : 0
  let best = weight(text, at) * INSIDE
  for (; at >= 0; at = text.indexOf(word, at + 1)) {
    if (isStart(text, at)) return Math.max(best, weight(text, at) * AT_WORD)
    best = Math.max(best, weight(text, at) * INSIDE)
  }
  return best
}

/** The best that a word which is not in the text may be. */
function guess(text: string, word: string): number {
  if (word.length < 2) return 0
  let best = 0
  for (let at = 0; at < text.length; at++) {
    if (!isStart(text, at)) continue
    const one = guessAt(text, at, word)
    if (one > 0) best = Math.max(best, one * weight(text, at))
  }
  return best
}

function guessAt(text: string, at: number, word: string): number {
  if (text[at] === word[0]) {
    if (areInitials(text, at, word)) return INITIALS
    if (word.length > 2 && isScattered(text, at, word)) return SCATTERED
  }
  return word.length > 3 && isMistyped(text, at, word) ? MISTYPED : 0
}

/** Whether the letters begin this part of the text and those after it. */
function areInitials(text: string, from: number, word: string): boolean {
  let at = from
  for (const letter of word) {
    while (at < text.length && !isStart(text, at)) at++
    if (text[at] !== letter) return false
    at++
  }
  return true
}

/** Whether the part has one letter that is wrong, missing or too many, or swapped with the next, and begins so. */
function isMistyped(text: string, from: number, word: string): boolean {
  let same = 0
  while (same < word.length && text[from + same] === word[same]) same++
  const at = from + same
  // A word that begins with neither of its first two letters is another one.
  if (same === 0 && text[at] !== word[1] && text[at + 1] !== word[1]) return false
  const rest = word.slice(same + 1)
  return (
    text.startsWith(rest, at + 1) ||
    text.startsWith(rest, at) ||
    text.startsWith(word.slice(same), at + 1) ||
    (word[same] === text[at + 1] &&
      word[same + 1] === text[at] &&
      text.startsWith(word.slice(same + 2), at + 2))
  )
}

/** Whether the part has all letters of the word in their order. */
function isScattered(text: string, from: number, word: string): boolean {
  let found = 0
  for (let at = from; found < word.length && isLetter(text.charCodeAt(at)); at++) {
    if (text[at] === word[found]) found++
  }
  return found === word.length
}

function weight(text: string, at: number): number {
  const end = text.indexOf('\n')
  return end < 0 || at < end ? 1 : IN_REST
}

/** Whether a part of letters and digits begins here. */
function isStart(text: string, at: number): boolean {
  return isLetter(text.charCodeAt(at)) && (at === 0 || !isLetter(text.charCodeAt(at - 1)))
}

/** ASCII letters and digits, and everything beyond ASCII; beyond the end there is none. */
function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code > 127
}
