/**
 * A telephone number as it is dialled, `+` and 5 to 15 digits, without the blanks, hyphens and invisible marks that
 * people copy along; null where it is none. Source: docs/behaviour.md, section 8.4.
 */
export function phoneNumber(typed: string): string | null {
  const number = typed.replace(/[^\x21-\x7e]|[-()]/g, '')
  return /^\+\d{5,15}$/.test(number) ? number : null
}
