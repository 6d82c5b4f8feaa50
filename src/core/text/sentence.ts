/** A part of a sentence, as refusals are written, as a whole one; empty where it is. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1)
  return first === '' || /[.?]$/.test(first) ? first : `${first}.`
}
