import type { NodemailerError } from 'nodemailer/lib/errors'
import { DeadlinePassed } from '../http/deadline.js'

/** Why a mail server did not take a message. The message is for people. */
export class MailError extends Error {
  override readonly name = 'MailError'
  constructor(
    message: string,
    /** The server answered, and would answer the same again. */
    readonly refused: boolean,
    /** It refused the recipient: the address does not exist or takes no mail. */
    readonly badRecipient: boolean,
    cause: unknown,
  ) {
    super(message, { cause })
  }
}

/** A failure of the mail library as the error that says what people can do something about. */
export function mailErrorOf(error: NodemailerError): MailError {
  if (error instanceof DeadlinePassed) return new MailError('Connection timed out', false, false, error)
  const { responseCode, response } = error
  if (responseCode === undefined || response === undefined) {
    const code = CERTIFICATE.test(error.originalCode ?? '') ? 'ETLS' : (error.code ?? '')
    return new MailError(TEXTS[code] ?? 'Connection failed', code === 'EENVELOPE', false, error)
  }
  const refused = responseCode >= 500
  const badRecipient = refused && error.command === 'RCPT TO' && namesRecipient(responseCode, response)
  const text = `The mail server answered: ${response.replace(/\s+/g, ' ').slice(0, 160)}`
  return new MailError(text, refused, badRecipient, error)
}

/** What Node's TLS calls a handshake that failed or a certificate that is not trusted. */
const CERTIFICATE = /^(CERT|DEPTH|SELF|UNABLE|ERR_TLS|ERR_SSL|EPROTO)/

const TEXTS: Record<string, string> = {
  ETIMEDOUT: 'Connection timed out',
  EDNS: 'Could not resolve host',
  ETLS: 'TLS handshake failed',
  EENVELOPE: 'The address is not valid',
}

/**
 * Whether a refusal of RCPT TO is about the recipient and not about us (a relay that we may not use, a
 * blocklist, our own sender address). The enhanced status code says so: 5.1 addresses but for the sender's
 * (5.1.7, 5.1.8), 5.2.1 mailbox disabled. Without one the plain code decides. Source: RFC 3463, RFC 5321.
 */
function namesRecipient(code: number, response: string): boolean {
  const enhanced = /^\d{3}[ -](\d+)\.(\d+)\.(\d+)\b/.exec(response)
  if (!enhanced) return code === 550 || code === 551 || code === 553
  const [subject, detail] = [Number(enhanced[2]), Number(enhanced[3])]
  return (subject === 1 && detail !== 7 && detail !== 8) || (subject === 2 && detail === 1)
}
