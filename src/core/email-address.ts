import { Refusal } from './errors.js'

/** Longer addresses are not deliverable. Source: RFC 5321, section 4.5.3.1. */
const MAX_LENGTH = 254

/** What no address holds: spaces, what lists and quotes addresses, and characters that do not show or are none. */
const PART = String.raw`[^\s@<>,;"\p{Cc}\p{Cf}\p{Cs}\ufffd]+`
const ADDRESS = new RegExp(`^${PART}@${PART}$`, 'u')

/** An address as accounts keep it: trimmed, in lower case. Throws a `Refusal` for what is none. */
export function emailAddress(text: string): string {
  const address = addressOrNull(text)
  if (address === null) {
    throw new Refusal('invalid', `${JSON.stringify(text)} is not an e-mail address`, 'email')
  }
  return address
}

/** What was typed as accounts keep addresses; null where no account can have it. */
export function addressOrNull(text: string): string | null {
  const address = text.trim().toLowerCase()
  return ADDRESS.test(address) && address.length <= MAX_LENGTH ? address : null
}

/**
 * What counts as the same mailbox where attempts are limited: without dots and without what follows a plus sign.
 * Source: section 11 of the behaviour.
 */
export function sameMailbox(address: string): string {
  const [local = '', domain = ''] = address.split('@')
  return `${local.replace(/\+.*/, '').replaceAll('.', '')}@${domain}`
}
