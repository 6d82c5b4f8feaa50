import { Refusal } from '../errors.js'

/** Longer addresses are not deliverable. Source: RFC 5321, section 4.5.3.1. */
const MAX_LENGTH = 254

/**
 * What no address holds: spaces, what lists, quotes and comments addresses, and characters that do not show or are none.
 */
const PART = String.raw`[^\s@<>,;:"()\[\]\\\p{Cc}\p{Cf}\p{Cs}\p{DI}\ufffd]+`
const ADDRESS = new RegExp(`^${PART}@${PART}$`, 'u')

/** A domain that may be written in two ways, and what a domain is made of. */
const INTERNATIONAL = /[^\p{ASCII}]|xn--/iu
const HOST = /^[\p{L}\p{M}\p{N}._-]+$/u

/** What mail systems take for the dot of a domain, besides the dot, and dots that they leave out. */
const ODD_DOTS = /[\u3002\uff0e\uff61]|@\.|\.\.|\.$/

/** An address as accounts keep it: trimmed, in lower case, its domain in ASCII. Throws a `Refusal` for what is not an address. */
export function emailAddress(text: string): string {
  const address = addressOrNull(text)
  if (address === null) {
    throw new Refusal('invalid', `${JSON.stringify(text)} is not an e-mail address`, 'email')
  }
  return address
}

/** What was typed as accounts keep addresses; null where no account can have it. */
export function addressOrNull(text: string): string | null {
  const typed = text.trim()
  if (!ADDRESS.test(typed) || !isNormal(typed)) return null
  const address = withAsciiDomain(typed.toLowerCase())
  return address !== null && address.length <= MAX_LENGTH ? address : null
}

/**
 * The same address with its domain as mail servers exchange it: `bücher.example` and `xn--bcher-kva.example` are one. Null for
 * a domain that cannot be. Source: RFC 5891, UTS #46.
 */
export function withAsciiDomain(address: string): string | null {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  if (!INTERNATIONAL.test(domain)) return address
  if (!HOST.test(domain) || !URL.canParse(`http://${domain}`)) return null
  return `${address.slice(0, at + 1)}${new URL(`http://${domain}`).hostname}`
}

/**
 * Whether an address is written in the one way that it has. Full-width letters and the sign for kelvin become ordinary
 * letters on the way to a mailbox or here, and the address somebody else's. Source: RFC 8265, RFC 5891.
 */
function isNormal(address: string): boolean {
  return address.normalize('NFKC') === address && !ODD_DOTS.test(address)
}

/**
 * What counts as the same mailbox where mails to it are limited: in lower case, without dots and without what follows a plus
 * sign. It names no account, since elsewhere these are different mailboxes.
 * Source: docs/behaviour.md, section 11.
 */
export function sameMailbox(address: string): string {
  const [local = '', domain = ''] = address.trim().toLowerCase().split('@')
  const mailbox = `${local.replace(/\+.*/, '').replaceAll('.', '')}@${domain}`
  return withAsciiDomain(mailbox) ?? mailbox
}

/** Where dots in the part before the at sign lead to the same mailbox; elsewhere `a.b` and `ab` are two people. */
const WITHOUT_DOTS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox of an address as it is spelled: that of an address with a tag (`name+tag@`), of which a mailbox has any number,
 * differs from that of one without, so that mails to the former never count for the latter.
 */
export function mailboxSpelling(address: string): string {
  const [local = '', domain = ''] = address.trim().toLowerCase().split('@')
  const name = local.replace(/\+.*/, '')
  const mailbox = `${WITHOUT_DOTS.has(domain) ? name.replaceAll('.', '') : name}@${domain}`
  return local.includes('+') ? `tagged ${mailbox}` : mailbox
}
