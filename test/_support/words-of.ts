/** The text of a page without its markup. */
export function wordsOf(html: string): string {
  return html
    .replace(/<(script|style|svg)[^>]*>.*?<\/\1>/gs, '')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
