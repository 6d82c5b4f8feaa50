import type { PingText } from '../../../views/pages/ping.js'

/** More of a body than this is left to the download, in bytes. */
const SHOWN_BYTES = 100_000

/**
 * A ping's body as texts to read: an e-mail's parts and its source, or the body as it came. Bytes that are no UTF-8
 * show as replacement characters.
 */
export async function pingTexts(
  scheme: string,
  body: Uint8Array | null,
): Promise<{ subject: string | null; texts: PingText[] }> {
  if (!body) return { subject: null, texts: [] }
  const raw = { label: scheme === 'email' ? 'Source' : 'Body', text: textOf(body) }
  if (scheme !== 'email') return { subject: null, texts: [raw] }
  // Loaded at the first e-mail that is read: most pings are none.
  const { simpleParser } = await import('mailparser')
  const mail = await simpleParser(Buffer.from(body), { skipHtmlToText: true, skipImageLinks: true })
  const parts = [
    { label: 'Text', text: mail.text ?? '' },
    { label: 'HTML', text: mail.html || '' },
  ].filter(part => part.text !== '')
  return { subject: mail.subject ?? '', texts: [...parts, raw] }
}

function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, SHOWN_BYTES))
}
