import type { ArrivedPing, PingOutcome } from '../../core/pings/arrived-ping.js'
import type { MailSignal } from '../../core/pings/classify.js'
import type { Stamp } from '../../lib/clock.js'
import type { MailTexts } from '../../lib/mail/mail-texts.js'
import { isDatabaseAtFault } from '../../storage/errors.js'
import { ANSWER_WITHIN_MS, NoAnswerYet } from './ping-refusals.js'
import type { PingQueue } from './record-pings.js'

/** An e-mail that arrived. */
export interface ArrivedMail {
  /** The checks that its recipients name. */
  targets: readonly MailTarget[]
  /** The envelope sender; empty for a bounce. */
  sender: string
  remoteAddr: string | null
  /** The complete e-mail with its headers. */
  raw: Uint8Array
}

export type MailTarget = { uuid: string } | { pingKey: string; slug: string }

export interface MailDeps {
  pings: PingQueue
  stamp(): Stamp
  /** Whether one of these checks looks for keywords in e-mails. */
  looksIntoMail(targets: readonly MailTarget[]): Promise<boolean>
  /**
   * The texts of an e-mail; null if it cannot be read within reasonable time, or is no longer
   * wanted when its turn comes. Those from different networks are read in turns.
   */
  readMail(mail: Pick<ArrivedMail, 'raw' | 'remoteAddr'>, isWanted: () => boolean): Promise<MailTexts | null>
}

/**
 * Records an e-mail as a ping of each check that it names, and returns their outcomes in order. The pings are
 * recorded together: if it rejects, none is on disk, and the sender should send the e-mail again. Source:
 * docs/behaviour.md, section 6.2.
 */
export async function recordMail(deps: MailDeps, mail: ArrivedMail): Promise<PingOutcome[]> {
  const pings = mail.targets.map(target => pingOf(deps.stamp(), mail, target))
  // The e-mail has arrived completely and is answered within this time.
  const recorded = deps.pings.arriving(pings[0]?.arrivedAt ?? deps.stamp().ms, ANSWER_WITHIN_MS)
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
  const since = performance.now()
  // E-mails are read only if a check looks for keywords: anyone may send large ones to addresses without a check.
  const isRead = pings.length > 1 && (await looksIntoMail(deps, mail, pings, since))
  const outcomes = isRead ? pings.map(() => 'unread' as const) : await deps.pings.recordTogether(pings, since)
  const unread = pings.filter((_, index) => outcomes[index] === 'unread')
  if (unread.length === 0) return outcomes
  const signal = signalOf(await readMail(deps, mail, pings, since))
  const read = await deps.pings.recordTogether(
    unread.map(ping => ({ ...ping, mail: signal })),
    since,
  )
  return outcomes.map(outcome => (outcome === 'unread' ? read.shift()! : outcome))
}

async function looksIntoMail(
  deps: MailDeps,
  { targets }: ArrivedMail,
  pings: readonly ArrivedPing[],
  since: number,
): Promise<boolean> {
  try {
    return await withinSenderTimeout(since, deps.looksIntoMail(targets))
  } catch (error) {
    if (isDatabaseAtFault(error)) deps.pings.failed(pings[0]!.arrivedAt)
    throw error
  }
}

async function readMail(
  deps: MailDeps,
  mail: ArrivedMail,
  pings: readonly ArrivedPing[],
  since: number,
): Promise<MailTexts | null> {
  let isWanted = true
  try {
    return await withinSenderTimeout(
      since,
      deps.readMail(mail, () => isWanted),
    )
  } catch (error) {
    deps.pings.turnedAway(pings[0]!.arrivedAt)
    throw error
  } finally {
    isWanted = false
  }
}

/**
 * Resolves with the result of `work`. Rejects with `NoAnswerYet` if senders have waited too
 * long, counted from `since`.
 */
async function withinSenderTimeout<T>(since: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const leftMs = Math.max(0, ANSWER_WITHIN_MS - (performance.now() - since))
    timer = setTimeout(() => reject(new NoAnswerYet('the e-mail could not be taken in time')), leftMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function pingOf({ ms, us }: Stamp, mail: ArrivedMail, target: MailTarget): ArrivedPing {
  return {
    target: 'slug' in target ? { ...target, create: false } : target,
    arrivedAt: ms,
    arrivedUs: us,
    action: 'success',
    exitStatus: null,
    rid: null,
    durationMs: null,
    ranAt: null,
    invalid: null,
    scheme: 'email',
    remoteAddr: mail.remoteAddr,
    method: '',
    ua: `Email from ${mail.sender || '<>'}`.slice(0, 200),
    body: mail.raw,
    mail: null,
  }
}

/** An unreadable e-mail has no keywords. */
function signalOf(texts: MailTexts | null): MailSignal {
  if (!texts) return { subject: '', body: '' }
  return { subject: texts.subject, body: `${texts.text}\n${texts.htmlText}` }
}
