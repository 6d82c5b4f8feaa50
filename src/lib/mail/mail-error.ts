import type { NodemailerError } from 'nodemailer/lib/errors'
import { DeadlinePassed } from '../http/deadline.js'

/** A mail server did not accept an e-mail. The message is shown to users. */
export class MailError extends Error {
  override readonly name = 'MailError'
  constructor(
    message: string,
    /** Whether the failure is permanent. */
    readonly refused: boolean,
    /** Whether the recipient was refused: the address does not exist or accepts no mail. */
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
  const badRecipient = refused && error.command === 'RCPT TO' && namesRecipient(responseCode, response)
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

/**
 * Whether a refusal of RCPT TO concerns the recipient rather than us (relaying denied, a blocklist, our sender address).
 * The enhanced status code decides: 5.1 is an address, except for the sender's (5.1.7, 5.1.8), and 5.2.1 a disabled
 * mailbox. Without one, the plain code decides. Source: RFC 3463, RFC 5321.
 */
function namesRecipient(code: number, response: string): boolean {
  const enhanced = /^\d{3}[ -](\d+)\.(\d+)\.(\d+)\b/.exec(response)
  if (!enhanced) return code === 550 || code === 551 || code === 553
  const [subject, detail] = [Number(enhanced[2]), Number(enhanced[3])]
  return (subject === 1 && detail !== 7 && detail !== 8) || (subject === 2 && detail === 1)
}
