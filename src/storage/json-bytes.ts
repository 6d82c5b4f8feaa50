/**
 * `before`, the parts joined by `, `, and `after`, as bytes in a buffer of their own, which crosses threads
 * without being copied. All of it must be ASCII, as `toJson` makes it.
 */
export function jsonBytes(before: string, parts: readonly string[], after: string): Uint8Array {
  const text = before + parts.join(', ') + after
  const bytes = Buffer.from(new ArrayBuffer(text.length))
  bytes.write(text, 'latin1')
  return new Uint8Array(bytes.buffer)
}
