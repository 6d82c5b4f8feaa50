import type { NodemailerError } from 'nodemailer/lib/errors'
import { DeadlinePassed } from '../http/deadline.js'
import { namesUnknownRecipient } from './unknown-recipient.js'

/** A mail server did not accept an e-mail. The message is shown to users. */
export class MailError extends Error {
  override readonly name = 'MailError'
  constructor(
    message: string,
    /** Whether the failure is permanent. */
    readonly refused: boolean,
    /** Whether the server says that the recipient does not exist. It may be wrong for a while, for all recipients. */
    readonly badRecipient: boolean,
    cause: unknown,
  ) {
    super(message, { cause })
  }
}

/** Turns an error of the mail library into one with a message for users. */
export function mailErrorOf(error: NodemailerError): MailError {
  if (error instanceof DeadlinePassed) return new MailError('Connection timed out', false, false, error)
  const { responseCode, response } = error
  if (responseCode === undefined || response === undefined) {
    const code = CERTIFICATE.test(error.originalCode ?? '') ? 'ETLS' : (error.code ?? '')
    return new MailError(TEXTS[code] ?? 'Connection failed', code === 'EENVELOPE', false, error)
  }
  const refused = responseCode >= 500
  const badRecipient = error.command === 'RCPT TO' && namesUnknownRecipient(response)
  const text = `The mail server answered: ${response.replace(/\s+/g, ' ').slice(0, 160)}`
  return new MailError(text, refused, badRecipient, error)
}

/** Node's error codes for failed TLS handshakes and untrusted certificates. */
const CERTIFICATE = /^(CERT|DEPTH|SELF|UNABLE|ERR_TLS|ERR_SSL|EPROTO)/

const TEXTS: Record<string, string> = {
  ETIMEDOUT: 'Connection timed out',
  EDNS: 'Could not resolve host',
  ETLS: 'TLS handshake failed',
  EENVELOPE: 'The address is not valid',
}
