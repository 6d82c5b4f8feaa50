const WIDTH = 16

/** Bytes as `hexdump -C` writes them: offset (of the first byte: `from`), bytes, and the characters that are ASCII. */
export function hexDump(bytes: Uint8Array, from = 0): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += WIDTH) {
    const row = [...bytes.subarray(at, at + WIDTH)]
    const hex = row.map(byte => byte.toString(16).padStart(2, '0')).join(' ')
    const ascii = row.map(byte => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${(from + at).toString(16).padStart(8, '0')}  ${hex.padEnd(WIDTH * 3 - 1)}  ${ascii}`)
  }
  return lines.join('\n')
}

/** How much of a body is looked at (bytes). */
const SAMPLE = 4_096
/** The share of bytes that no text has from which on a body counts as binary. */
const MOST_STRANGE = 0.1

/** Whether a body is not a text: it has a zero byte, or much that is not UTF-8, or many control characters. */
export function isBinary(body: Uint8Array): boolean {
  const sample = body.subarray(0, SAMPLE)
  if (sample.includes(0)) return true
  const text = new TextDecoder().decode(sample)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const strange = text.match(/[\x01-\x07\x0e-\x1a\x1c-\x1f\x7f\ufffd]/g)?.length ?? 0
  return strange > text.length * MOST_STRANGE
}
