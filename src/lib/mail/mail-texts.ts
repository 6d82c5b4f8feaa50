/** Extracts the texts of an e-mail, for keyword filters and for display. */
import { once } from 'node:events'
import { type AddressObject, type Headers, MailParser } from 'mailparser'
import { htmlToText } from './html-to-text.js'

/** The texts of an e-mail; missing ones are empty. */
export interface MailTexts {
  /** Decoded and unfolded. */
  subject: string
  /** The first address in To. */
  to: string
  /** The displayed text parts, decoded, without attachments and attached e-mails. */
  text: string
  /** The source of the displayed HTML parts. */
  html: string
  /** The HTML as displayed text. */
  htmlText: string
}

/**
 * Parses an e-mail in any encoding and character set; invalid bytes become replacement characters. Texts may be missing
 * if the e-mail is malformed, or has more than 1,000 parts or 1 MB of headers. Time and memory grow with `raw`:
 * mail-reader.ts limits both.
 */
export async function parseMailTexts(raw: Uint8Array): Promise<MailTexts> {
  const found: MailTexts = { subject: '', to: '', text: '', html: '', htmlText: '' }
  const parser = new MailParser(OPTIONS)
  parser.on('headers', (headers: Headers) => {
    const subject = headers.get('subject')
    if (typeof subject === 'string') found.subject = subject
    const to = headers.get('to')
    if (isAddressed(to)) found.to = to.value[0]?.address ?? ''
  })
  parser.on('data', part => {
    if (part.type === 'text') {
      found.text = part.text ?? ''
      found.html = part.html || ''
      return
    }
    // The parser waits until the attachment has been read.
    part.content.on('end', () => part.release())
    part.content.resume()
  })
  const ended = once(parser, 'end')
  parser.end(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
  try {
    await ended
  } catch {
    // Keep what was parsed before the error, above all the subject.
  }
  return { ...found, htmlText: htmlToText(found.html) }
}

const OPTIONS = {
  skipHtmlToText: true,
  skipTextToHtml: true,
  skipTextLinks: true,
  skipImageLinks: true,
  ignoreEmbedded: true,
}

function isAddressed(header: unknown): header is AddressObject {
  return typeof header === 'object' && header !== null && 'value' in header && Array.isArray(header.value)
}
