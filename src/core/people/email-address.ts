import { Refusal } from '../errors.js'

/** Longer addresses are not deliverable. Source: RFC 5321, section 4.5.3.1. */
const MAX_LENGTH = 254

/**
 * The parts of an address. They exclude spaces, the marks of lists, quotes and comments, and
 * invisible or invalid characters.
 */
const PART = String.raw`[^\s@<>,;:"()\[\]\\\p{Cc}\p{Cf}\p{Cs}\p{DI}\ufffd]+`
const ADDRESS = new RegExp(`^${PART}@${PART}$`, 'u')

/** A domain with two spellings, and the characters of a domain. */
const INTERNATIONAL = /[^\p{ASCII}]|xn--/iu
const HOST = /^[\p{L}\p{M}\p{N}._-]+$/u

/** Characters that mail systems treat as the dot of a domain, and dots that they ignore. */
const ODD_DOTS = /[\u3002\uff0e\uff61]|@\.|\.\.|\.$/

/**
 * An address as accounts store it: trimmed, in lower case, its domain in ASCII. Throws a
 * `Refusal` if it is not an address.
 */
export function emailAddress(text: string): string {
  const address = addressOrNull(text)
  if (address === null) {
    throw new Refusal('invalid', `${JSON.stringify(text)} is not an e-mail address`, 'email')
  }
  return address
}

/** A typed address as accounts store it, or null if no account can have it. */
export function addressOrNull(text: string): string | null {
  const typed = text.trim()
  if (!ADDRESS.test(typed) || !isNormal(typed)) return null
  const lower = typed.toLowerCase()
  // A capital that becomes two characters, such as the Turkish dotted I, would name a mailbox that nobody typed. Others become letters
  // that are written in two ways.
  if (lower.length !== typed.length || !isNormal(lower)) return null
  const address = withAsciiDomain(lower)
  return address !== null && address.length <= MAX_LENGTH ? address : null
}

/**
 * The address with its domain in ASCII: `bücher.example` and `xn--bcher-kva.example` are the same. Null for an
 * invalid domain, and for one that programs may read as another, such as `1.2` and `corp%2eexample`. Source: RFC 5891, UTS #46.
 */
export function withAsciiDomain(address: string): string | null {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  if (!HOST.test(domain) || !URL.canParse(`http://${domain}`)) return null
  const { hostname } = new URL(`http://${domain}`)
  if (INTERNATIONAL.test(domain)) return address.slice(0, at + 1) + hostname
  return hostname === domain.toLowerCase() ? address : null
}

/**
 * Whether an address is in its normal form. Full-width letters and the Kelvin sign become ordinary letters on the way
 * to a mailbox or here, which would make it another person's address. Source: RFC 8265, RFC 5891.
 */
function isNormal(address: string): boolean {
  return address.normalize('NFKC') === address && !ODD_DOTS.test(address)
}

/**
 * The key of a mailbox for rate limits: the address in lower case, without dots and without the part after a plus
 * sign. It does not identify an account, because some servers treat these as different mailboxes. Source:
 * docs/behaviour.md, section 11.
 */
export function sameMailbox(address: string): string {
  // As mail systems may read it: full-width letters are ordinary ones.
  const [local = '', domain = ''] = address.normalize('NFKC').trim().toLowerCase().split('@')
  const mailbox = `${local.replace(/\+.*/, '').replaceAll('.', '')}@${serverOf(domain)}`
  return withAsciiDomain(mailbox) ?? mailbox
}

/** The domain that ignores dots before the @; elsewhere `a.b` and `ab` are two people. */
const WITHOUT_DOTS = 'gmail.com'

/** The domain of its mailboxes: one server has two. Source: support.google.com/mail/answer/10313. */
function serverOf(domain: string): string {
  return domain === 'googlemail.com' ? WITHOUT_DOTS : domain
}

/**
 * The mailbox of an address as it is spelled. A mailbox has any number of addresses with a tag (`name+tag@`); their
 * e-mails are counted apart from those to the address without one.
 */
export function mailboxSpelling(address: string): string {
  const [local = '', typed = ''] = address.trim().toLowerCase().split('@')
  const domain = serverOf(typed)
  const name = local.replace(/\+.*/, '')
  const mailbox = `${domain === WITHOUT_DOTS ? name.replaceAll('.', '') : name}@${domain}`
  return local.includes('+') ? `tagged ${mailbox}` : mailbox
}
