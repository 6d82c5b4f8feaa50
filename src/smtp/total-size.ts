import type { SMTPServerSession } from 'smtp-server'

/** The maximum size of an e-mail times its recipients, each of which keeps it, in bytes. One recipient is always possible. */
const MAX_TOTAL_BYTES = 32 * 1024 * 1024

/** An e-mail may be a little larger than its sender declared (RFC 1870, 6.3). */
const LARGER_THAN_DECLARED = 1.1

type Envelope = SMTPServerSession['envelope']

/** Whether one more recipient is too many for the size that the sender has declared, if it has. */
export function hasEnoughRecipients({ mailFrom, rcptTo }: Envelope): boolean {
  const args = mailFrom ? mailFrom.args : false
  const declared = args ? Number(args.SIZE ?? 0) : 0
  return isTooMuch(declared, rcptTo.length + 1)
}

/** Whether an e-mail that turned out to have this size, in bytes, has too many recipients. */
export function hasTooManyRecipients(bytes: number, { rcptTo }: Envelope): boolean {
  return isTooMuch(bytes / LARGER_THAN_DECLARED, rcptTo.length)
}

/** Recipients that are no checks count too, so that the answer does not tell which are. */
function isTooMuch(bytes: number, recipients: number): boolean {
  return recipients > 1 && bytes * recipients > MAX_TOTAL_BYTES
}
