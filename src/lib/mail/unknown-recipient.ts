/** Whether a mail server that refuses a recipient, or returns an e-mail, says that there is no such recipient. */

/**
 * Whether a reply to RCPT TO says that this recipient does not exist, and not that the server does not want the e-mail for another
 * reason: because of us, a policy, or all recipients alike. An enhanced status code decides, wherever it stands: 5.1 is an
 * address, except for the sender's (5.1.7, 5.1.8), and 5.2.1 a disabled mailbox. Without one, the text decides: the plain
 * codes 550 and 553 are used for all of this. Source: RFC 3463; RFC 5321, section 4.2; replies of common servers.
 */
export function namesUnknownRecipient(reply: string): boolean {
  if (!/^5\d\d\b/.test(reply)) return false
  // An address may contain any of the words.
  const text = reply
    .slice(0, LONGEST_REPLY)
    .toLowerCase()
    .replace(/<[^>]*>|\S+@\S+/g, ' address ')
    .replace(/\s+/g, ' ')
  if (OTHER_REASON.test(text)) return false
  const enhanced = ENHANCED_CODE.exec(text)
  if (!enhanced) return UNKNOWN.some(pattern => pattern.test(text))
  const [, kind, detail] = enhanced
  return kind === '5.1' ? detail !== '7' && detail !== '8' : kind === '5.2' && detail === '1'
}

/**
 * Whether the report about an e-mail that came back says so: the reply in it, and where that has no enhanced status code the
 * report's own. A status such as 5.0.0 or 5.3.0 of one that had only a plain code says nothing. Source: RFC 3464.
 */
export function reportsUnknownRecipient({
  status,
  diagnostic,
}: {
  status: string
  diagnostic: string
}): boolean {
  const [, code = '550', text = ''] = /^(?:(\d{3})\b[ -]?)?(.*)$/s.exec(diagnostic) ?? []
  const own = ENHANCED_CODE.test(text) || GENERIC.test(status) ? '' : `${status} `
  return namesUnknownRecipient(`${code} ${own}${text}`)
}

/** Statuses of a class or subject without a detail. */
const GENERIC = /^5\.\d{1,3}\.0$/

/** In characters; a line has 512 at most. */
const LONGEST_REPLY = 2_000

/** Not part of an IP address or a longer version number. */
const ENHANCED_CODE = /(?<![\d.])([245]\.\d{1,3})\.(\d{1,3})(?!\.?\d)/

/** Postfix names a table of known recipients after relaying. */
const OTHER_REASON =
  /\b(sender|helo|ehlo|client|relay(?! recipient table)|relaying|rcpthosts|gateway|policy|denied|permitted|prohibited|allowed|authenticat|black|block|grey|gray|spam|reputation)/

const UNKNOWN = [
  // "no such user", "unknown recipient", "invalid mailbox", "unrouteable address"
  /\b(no such|unknown|invalid|non-?existent|unroute?able|bad) (local |virtual )?(user|recipient|mailbox|address|alias|person)/,
  // "user unknown", "mailbox is unavailable", "the account that you tried to reach does not exist"
  /\b(user|recipient|mailbox|address|alias|account|person)\b[^:;,.]{0,40} (unknown|unavailable|not found|not known|not exist|does not exist|doesn't exist|no longer exists)\b/,
  // "no mailbox here by that name"
  /\bno (mailbox|user|account|person)\b.{0,20} (by|with) that name\b/,
  // "is not a known user", "not a valid recipient"
  /\bnot a (known|valid) (user|recipient|mailbox|address)\b/,
  /\brecipient is not in my validrcptto list\b/,
  /\buser doesn't have an? .{1,40} account\b/,
]
