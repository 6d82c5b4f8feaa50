import { MailReaderBusy, shownMailReader } from '../../../lib/mail/mail-reader.js'
import type { PingText } from '../../../views/pages/pings/ping.js'

/** Longer bodies are shown only in part: the limits are in bytes as received, and in characters of the parsed texts. */
const SHOWN = 100_000

/** How long a page waits for the texts of an e-mail. */
const READ_WITHIN_MS = 5_000

/**
 * A ping's body as readable texts: the parts and the source of an e-mail, or the body as received. Invalid UTF-8
 * becomes replacement characters. If parsing an e-mail takes too long, only its source is returned.
 */
export async function pingTexts(
  scheme: string,
  body: Uint8Array | null,
  project: { id: number },
): Promise<{ subject: string | null; texts: PingText[] }> {
  if (!body) return { subject: null, texts: [] }
  const raw = { label: scheme === 'email' ? 'Source' : 'Body', text: textOf(body) }
  if (scheme !== 'email') return { subject: null, texts: [raw] }
  const mail = await shownMailReader
    .read(body, { turn: String(project.id), withinMs: READ_WITHIN_MS })
    .catch(nullWhenBusy)
  if (!mail) return { subject: null, texts: [raw] }
  const parts = [
    { label: 'Text', text: cut(mail.text) },
    { label: 'HTML', text: cut(mail.html) },
  ].filter(part => part.text !== '')
  return { subject: cut(mail.subject), texts: [...parts, raw] }
}

function nullWhenBusy(error: unknown): null {
  if (error instanceof MailReaderBusy) return null
  throw error
}

function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body.subarray(0, SHOWN))
}

function cut(text: string): string {
  return text.slice(0, SHOWN)
}
