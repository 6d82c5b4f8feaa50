/** Parts nested more deeply than this are not processed. */
const MAX_LEVELS = 20

/** Longer lines break mail servers. Source: RFC 5321, section 4.5.3.1.6. */
const LONG_LINE = /[^\n]{990}/

const OMITTED_NOTE =
  'Content-Type: text/plain; charset=us-ascii\r\n\r\nAn e-mail that was attached here was left out.'

/**
 * Prepares an e-mail for attaching to another. Replaces the e-mails attached to it with a note, and encodes in Base64
 * the parts that some servers would not pass on. Everything else stays the same, byte for byte, even if it is
 * malformed. Source: docs/behaviour.md, section 8.7.
 */
export function attachableMail(raw: Uint8Array): Uint8Array {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1')
  return Buffer.from(convertEntity(text, 0), 'latin1')
}

function convertEntity(text: string, level: number): string {
  const { head, gap, body } = split(text)
  const type = headerOf(head, 'content-type')
  if (/^multipart\//i.test(type)) {
    const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i.exec(type) ?? []
    const boundary = quoted ?? bare ?? ''
    if (boundary === '' || level === MAX_LEVELS) return text
    const digest = /^multipart\/digest\b/i.test(type)
    return head + gap + convertParts(body, boundary, digest, level)
  }
  if (/^message\//i.test(type) || isPlain(body)) return text
  return /^(|7bit|8bit|binary)$/i.test(headerOf(head, 'content-transfer-encoding'))
    ? encodeBase64(head, body)
    : text
}

function convertParts(body: string, boundary: string, digest: boolean, level: number): string {
  const escaped = boundary.replace(/[^A-Za-z0-9]/g, '\\$&')
  const lines = [...body.matchAll(new RegExp(`(?:^|\\r?\\n)--${escaped}(--)?[ \\t]*(?=\\r?\\n|$)`, 'g'))]
  let converted = body.slice(0, lines[0]?.index ?? body.length)
  for (const [index, line] of lines.entries()) {
    if (line[1]) return converted + body.slice(line.index)
    const content = body.slice(line.index + line[0].length, lines[index + 1]?.index ?? body.length)
    const [newline] = /^(?:\r?\n)?/.exec(content)!
    const part = content.slice(newline.length)
    converted += line[0] + newline + (isMail(part, digest) ? OMITTED_NOTE : convertEntity(part, level + 1))
  }
  return converted
}

/** A part of a digest is an e-mail unless it says otherwise. Source: RFC 2046, section 5.1.5. */
function isMail(part: string, digest: boolean): boolean {
  const type = headerOf(split(part).head, 'content-type')
  return type === '' ? digest : /^message\/rfc822\b/i.test(type)
}

function split(text: string): { head: string; gap: string; body: string } {
  const found = /^\r?\n|\r?\n\r?\n/.exec(text)
  if (!found) return { head: text, gap: '', body: '' }
  const end = found.index + found[0].length
  return { head: text.slice(0, found.index), gap: found[0], body: text.slice(end) }
}

function headerOf(head: string, name: string): string {
  const unfolded = head.replace(/\r?\n[ \t]+/g, ' ')
  return new RegExp(`^${name}[ \\t]*:(.*)$`, 'im').exec(unfolded)?.[1]?.trim() ?? ''
}

function isPlain(body: string): boolean {
  return !/[\u0080-\u00ff]/.test(body) && !LONG_LINE.test(body)
}

function encodeBase64(head: string, body: string): string {
  const kept = head.replace(/^content-transfer-encoding[ \t]*:.*(?:\r?\n[ \t].*)*(?:\r?\n|$)/im, '').trimEnd()
  const lines =
    Buffer.from(body, 'latin1')
      .toString('base64')
      .match(/.{1,76}/g) ?? []
  return [...(kept === '' ? [] : [kept]), 'Content-Transfer-Encoding: base64', '', ...lines].join('\r\n')
}
