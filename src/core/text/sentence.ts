import { capitalize } from './capitalize.js'

/** Turns a phrase, such as the text of a refusal, into a sentence; an empty text stays empty. */
export function sentence(text: string): string {
  const first = capitalize(text)
  return first === '' || /[.?]$/.test(first) ? first : `${first}.`
}
