/**
 * Normalises a phone number to `+` and 5 to 15 digits, without blanks, hyphens and invisible characters from copying.
 * Returns null if it is not valid. Source: docs/behaviour.md, section 8.4.
 */
export function phoneNumber(typed: string): string | null {
  const number = typed.replace(/[^\x21-\x7e]|[-()]/g, '')
  return /^\+\d{5,15}$/.test(number) ? number : null
}
