/** Turns a phrase, such as the text of a refusal, into a sentence; an empty text stays empty. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return first === '' || /[.?]$/.test(first) ? first : `${first}.`
}
