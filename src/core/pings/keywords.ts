/**
 * Keyword fields: comma-separated keywords, trimmed, empty ones skipped; a plain, case-sensitive substring search. A
 * field without keywords never matches.
 */

/** The keywords of one field. */
export function keywordList(field: string): string[] {
  return field
    .split(',')
    .map(keyword => keyword.trim())
    .filter(keyword => keyword !== '')
}

/** Whether any keyword of `field` occurs in `text`. */
export function matches(field: string, text: string): boolean {
  return keywordList(field).some(keyword => text.includes(keyword))
}
