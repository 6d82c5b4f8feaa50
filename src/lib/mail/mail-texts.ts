/** What an e-mail says, for looking keywords up and for people to read. */
import { once } from 'node:events'
import { type AddressObject, type Headers, MailParser } from 'mailparser'
import { htmlText } from './html-text.js'

/** The texts of an e-mail; empty where there is none. */
export interface MailTexts {
  /** Decoded, its folded lines joined. */
  subject: string
  /** The first address in To; empty where there is none. */
  to: string
  /** The text parts that are shown, decoded. Attachments and attached e-mails are left out. */
  text: string
  /** The HTML parts that are shown, as source. */
  html: string
  /** What a reader of the HTML sees. */
  htmlText: string
}

/**
 * Takes an e-mail apart, whatever its encodings and character sets are; bytes that fit none become replacement
 * characters. Of one that is not well formed, or has more than 1,000 parts or a megabyte of headers, the texts
 * may be missing. Costs time and memory in proportion to `raw`: see mail-reader.ts, which bounds both.
 */
export async function mailTexts(raw: Uint8Array): Promise<MailTexts> {
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
    // The parser waits until an attachment was read.
    part.content.on('end', () => part.release())
    part.content.resume()
  })
  const ended = once(parser, 'end')
  parser.end(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))
  try {
    await ended
  } catch {
    // What came before the fault counts: most of all the subject.
  }
  return { ...found, htmlText: htmlText(found.html) }
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
