/** A placeholder of a template. */
export interface Placeholder {
  /** Without its `$`. */
  name: string
  /** The value; called only if the template contains the placeholder. */
  value(): string
  /** A value to use instead, at most `room` bytes if possible, because `value`, which is `size` bytes, does not fit. */
  cut(room: number, size: number): string
}

/** How many bytes of values may still be inserted. Templates that are expanded for one message share it. */
export interface Room {
  bytes: number
}

/** What is written where a value is cut. */
export const TRUNCATED = '[truncated]'

/**
 * Replaces placeholders in one pass, so that placeholders in values are not expanded. At each `$`, the first placeholder
 * that matches wins; if none does, the text is unchanged. Values that do not fit in `room` are cut.
 * Source: docs/behaviour.md, section 8.5.
 */
export function expand(template: string, placeholders: readonly Placeholder[], room: Room): string {
  const [head, ...pieces] = template.split('$')
  return head + pieces.map(piece => expandPiece(piece, placeholders, room)).join('')
}

function expandPiece(piece: string, placeholders: readonly Placeholder[], room: Room): string {
  const found = placeholders.find(({ name }) => piece.startsWith(name))
  return found ? valueWithin(found, room) + piece.slice(found.name.length) : `$${piece}`
}

function valueWithin(placeholder: Placeholder, room: Room): string {
  const whole = placeholder.value()
  const size = Buffer.byteLength(whole)
  const value = size <= room.bytes ? whole : placeholder.cut(room.bytes, size)
  room.bytes = Math.max(0, room.bytes - Buffer.byteLength(value))
  return value
}

/**
 * The end of a text after `[truncated]`, at most `room` bytes as `render` writes it, of which the whole text has `size`.
 * Only `[truncated]` if there is room for little else.
 */
export function endWithinBytes(
  text: string,
  { room, size, render }: { room: number; size: number; render: (text: string) => string },
): string {
  let length = text.length
  let share = room / size
  while (share * length > SHORT) {
    length = Math.floor(0.95 * share * length)
    const end = text.slice(text.length - length).replace(/^[\udc00-\udfff]/, '')
    const rendered = render(`${TRUNCATED}\n${end}`)
    const bytes = Buffer.byteLength(rendered)
    if (bytes <= room) return rendered
    share = room / bytes
  }
  return render(TRUNCATED)
}

/** An end of this many characters is not worth its bytes. */
const SHORT = 100

/** Percent-encodes a text for a URL's path or query, except for slashes. Source: RFC 3986, section 2.3. */
export function urlPart(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
    .replace(/[!'()*]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%2F', '/')
}
