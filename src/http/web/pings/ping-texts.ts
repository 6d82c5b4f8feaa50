import { SHOWN_BYTES } from '../../../core/pings/ping-log.js'
import { MailReaderBusy, shownMailReader } from '../../../lib/mail/mail-reader.js'
import type { FormattedOutput } from '../../../views/components/pings/output-viewer.js'
import { formatBody, formatTexts } from './format-output.js'

/** How long a page waits for the texts of an e-mail. */
const READ_WITHIN_MS = 5_000

/**
 * A ping's body for the viewer: the parts and the source of an e-mail, or the body as received. Invalid UTF-8 becomes
 * replacement characters. If parsing an e-mail takes too long, only its source is shown.
 */
export async function pingTexts(
  scheme: string,
  body: Uint8Array | null,
  project: { id: number },
): Promise<{ subject: string | null; output: FormattedOutput | null }> {
  if (!body) return { subject: null, output: null }
  const shown = body.subarray(0, SHOWN_BYTES)
  const facts = { size: body.length, part: body.length > SHOWN_BYTES ? 'beginning' : 'all' } as const
  if (scheme !== 'email') return { subject: null, output: await formatBody(shown, facts) }
  const mail = await shownMailReader
    .read(body, { turn: String(project.id), withinMs: READ_WITHIN_MS })
    .catch(nullWhenBusy)
  const parts = [
    { label: 'Text', text: cut(mail?.text ?? '') },
    { label: 'HTML', text: cut(mail?.html ?? '') },
  ].filter(part => part.text !== '')
  const texts = await formatTexts([...parts, { label: 'Source', text: new TextDecoder().decode(shown) }])
  return { subject: mail ? cut(mail.subject) : null, output: { texts, ...facts, isBinary: false } }
}

function nullWhenBusy(error: unknown): null {
  if (error instanceof MailReaderBusy) return null
  throw error
}

/** Parsed texts are cut after as many characters. */
function cut(text: string): string {
  return text.slice(0, SHOWN_BYTES)
}
