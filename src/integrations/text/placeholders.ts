/** A placeholder's name, without its `$`, and its value. */
export type Placeholder = readonly [name: string, value: string]

/**
 * Replaces placeholders in one pass, so that placeholders in values are not expanded. At each `$`, the first placeholder
 * that matches wins; if none does, the text is unchanged.
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

/** Percent-encodes a text for a URL's path or query, except for slashes. Source: RFC 3986, section 2.3. */
export function urlPart(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
    .replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%2F', '/')
}
