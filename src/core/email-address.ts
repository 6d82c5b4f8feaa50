import { Refusal } from './errors.js'

/** Longer addresses are not deliverable. Source: RFC 5321, section 4.5.3.1. */
const MAX_LENGTH = 254

/** An address as accounts keep it: trimmed, in lower case. Throws a `Refusal` for what is none. */
export function emailAddress(text: string): string {
  const address = text.trim().toLowerCase()
  if (!/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(address) || address.length > MAX_LENGTH) {
    throw new Refusal('invalid', `${JSON.stringify(text)} is not an e-mail address`, 'email')
  }
  return address
}

/**
 * What counts as the same mailbox where attempts are limited: without dots and without what follows a plus sign.
 * Source: section 11 of the behaviour.
 */
export function sameMailbox(address: string): string {
  const [local = '', domain = ''] = address.split('@')
  return `${local.replace(/\+.*/, '').replaceAll('.', '')}@${domain}`
}
