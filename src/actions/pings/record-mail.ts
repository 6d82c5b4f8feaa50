import type { ArrivedPing, PingOutcome } from '../../core/pings/arrived-ping.js'
import type { MailSignal } from '../../core/pings/ping.js'
import type { Stamp } from '../../lib/clock.js'
import type { MailTexts } from '../../lib/mail/mail-texts.js'
import type { PingQueue } from './record-pings.js'

/** An e-mail as it came in. */
export interface ArrivedMail {
  /** The checks that its recipients name. */
  targets: readonly MailTarget[]
  /** The envelope sender; empty for a bounce. */
  sender: string
  remoteAddr: string | null
  /** As it was sent, headers and all. */
  raw: Uint8Array
}

export type MailTarget = { uuid: string } | { pingKey: string; slug: string }

export interface MailDeps {
  pings: PingQueue
  stamp(): Stamp
  /** Whether one of the checks that these name looks into e-mails. */
  looksIntoMail(targets: readonly MailTarget[]): Promise<boolean>
  /** The texts of an e-mail, or null where it cannot be read in reasonable time. */
  readMail(raw: Uint8Array): Promise<MailTexts | null>
}

/**
 * Makes a ping of an e-mail for each check that it names, and returns what became of each, in their order. Rejects
 * when none of the pings is on disk, since they are recorded together: the sender should then send the e-mail
 * again. Source: docs/behaviour.md, section 6.2.
 */
export async function recordMail(deps: MailDeps, mail: ArrivedMail): Promise<PingOutcome[]> {
  const pings = mail.targets.map(target => pingOf(deps.stamp(), mail, target))
  const recorded = deps.pings.arriving(pings[0]?.arrivedAt ?? deps.stamp().ms)
  try {
    return await recordAll(deps, mail, pings)
  } finally {
    recorded()
  }
}

async function recordAll(
  deps: MailDeps,
  mail: ArrivedMail,
  pings: readonly ArrivedPing[],
): Promise<PingOutcome[]> {
  // Read only where a check looks into it: anyone may send large e-mails, to addresses of no check.
  const isRead = pings.length > 1 && (await deps.looksIntoMail(mail.targets))
  const outcomes = isRead ? pings.map(() => 'unread' as const) : await deps.pings.recordTogether(pings)
  const unread = pings.filter((_, index) => outcomes[index] === 'unread')
  if (unread.length === 0) return outcomes
  const signal = signalOf(await deps.readMail(mail.raw))
  const read = await deps.pings.recordTogether(unread.map(ping => ({ ...ping, mail: signal })))
  return outcomes.map(outcome => (outcome === 'unread' ? read.shift()! : outcome))
}

function pingOf({ ms, us }: Stamp, mail: ArrivedMail, target: MailTarget): ArrivedPing {
  return {
    target: 'slug' in target ? { ...target, create: false } : target,
    arrivedAt: ms,
    arrivedUs: us,
    action: 'success',
    exitStatus: null,
    rid: null,
    invalid: null,
    scheme: 'email',
    remoteAddr: mail.remoteAddr,
    method: '',
    ua: `Email from ${mail.sender || '<>'}`.slice(0, 200),
    body: mail.raw,
    mail: null,
  }
}

/** What cannot be read says nothing. */
function signalOf(texts: MailTexts | null): MailSignal {
  if (!texts) return { subject: '', body: '' }
  return { subject: texts.subject, body: `${texts.text}\n${texts.htmlText}` }
}
