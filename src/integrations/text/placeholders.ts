/** A placeholder's name, without its `$`, and what stands in its place. */
export type Placeholder = readonly [name: string, value: string]

/**
 * The template with its placeholders replaced in one pass: what a value brings in is never read again. At each
 * `$` the first placeholder that the text begins with wins; where none does, the text stays.
 * Source: docs/behaviour.md, section 8.5.
 */
export function expand(template: string, placeholders: readonly Placeholder[]): string {
  const [head, ...pieces] = template.split('$')
  return head + pieces.map(piece => expandPiece(piece, placeholders)).join('')
}

function expandPiece(piece: string, placeholders: readonly Placeholder[]): string {
  const found = placeholders.find(([name]) => piece.startsWith(name))
  return found ? found[1] + piece.slice(found[0].length) : `$${piece}`
}

/** A text as part of a URL's path or query; slashes stay. Source: RFC 3986, section 2.3. */
export function urlPart(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
    .replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%2F', '/')
}
