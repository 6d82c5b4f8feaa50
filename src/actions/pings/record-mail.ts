import {
  type ArrivedPing,
  keptUserAgent,
  NO_DETAILS,
  type PingOutcome,
} from '../../core/pings/arrived-ping.js'
import type { MailSignal } from '../../core/pings/classify.js'
import type { Stamp } from '../../lib/clock.js'
import type { FairQueue } from '../../lib/fair/fair-queue.js'
import type { MailTexts } from '../../lib/mail/mail-texts.js'
import type { NamedByMail } from '../../storage/pings/keywords.js'
import { PingArrival } from './ping-arrival.js'
import type { PingQueue } from './record-pings.js'
import { BATCH_BYTES } from './waiting-pings.js'

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
  /** The checks that its recipients name. */
  namedByMail(targets: readonly MailTarget[]): Promise<NamedByMail[]>
  /**
   * The texts of an e-mail; null if it cannot be read within reasonable time, or is no longer
   * wanted when its turn comes. Those with different turns are read in turns.
   */
  readMail(raw: Uint8Array, how: { turn: string; isWanted: () => boolean }): Promise<MailTexts | null>
}

/** The checks that a larger e-mail names are looked up before it is handed to the database: anyone may send large ones to none. */
export const LOOKED_UP_BYTES = 16_384

/** An e-mail that stores more pings or bytes than this waits for its turn: anyone can send their own checks many at once. */
const SMALL_PINGS = 10
const SMALL_BYTES = 100_000

/**
 * Records an e-mail as a ping of each check that it names, and returns their outcomes in order. If it rejects, none of
 * them is on disk, or only some of a large e-mail, and the sender should send it again. Source: docs/behaviour.md, section 6.2.
 */
export function recordMail(deps: MailDeps, mail: ArrivedMail): Promise<PingOutcome[]> {
  return PingArrival.of(deps.pings, deps.stamp, arrival => recordAll(deps, mail, arrival))
}

/** Notes that an e-mail to these recipients was refused, and the sender should send it again: the deadlines of its checks wait for that. */
export async function putOffMail(deps: MailDeps, targets: readonly MailTarget[]): Promise<void> {
  await PingArrival.of(deps.pings, deps.stamp, async arrival => {
    arrival.refuse(await arrival.lookUp(deps.namedByMail(targets)))
  })
}

async function recordAll(deps: MailDeps, mail: ArrivedMail, arrival: PingArrival): Promise<PingOutcome[]> {
  const pings = mail.targets.map(target => pingOf(arrival.stamp(), mail, target))
  // E-mails are read only if a check looks for keywords: anyone may send large ones to addresses without a check.
  const lookUp = () => arrival.lookUp(deps.namedByMail(mail.targets))
  let named = pings.length === 1 && mail.raw.length <= LOOKED_UP_BYTES ? null : await lookUp()
  const isRead = named?.some(({ isReader }) => isReader) ?? false
  const outcomes = isRead ? pings.map(() => 'unread' as const) : await record(deps, pings, named, arrival)
  const unread = pings.filter((_, index) => outcomes[index] === 'unread')
  if (unread.length === 0) return outcomes
  named ??= await lookUp()
  const signal = signalOf(await readMail(deps, mail, named, arrival))
  const withSignal = unread.map(ping => ({ ...ping, mail: signal }))
  const read = await record(deps, withSignal, named, arrival)
  return outcomes.map(outcome => (outcome === 'unread' ? read.shift()! : outcome))
}

/**
 * Projects take turns, however their e-mails get here: all may come through one relay. If it takes too long, only the deadlines of these
 * checks wait for the sender to try again: anyone can send their own checks e-mails that are slow to read.
 */
async function readMail(
  deps: MailDeps,
  { raw }: ArrivedMail,
  named: readonly NamedByMail[],
  arrival: PingArrival,
): Promise<MailTexts | null> {
  const turn = String(named[0]?.projectId ?? '')
  let isWanted = true
  try {
    const texts = deps.readMail(raw, { turn, isWanted: () => isWanted })
    return await arrival.prepare(texts, named)
  } finally {
    isWanted = false
  }
}

/** Records many or large pings of an e-mail in turns, so that those of other projects, and the pings of others, come between. */
async function record(
  { pings: { mailTurns } }: MailDeps,
  pings: readonly ArrivedPing[],
  named: readonly NamedByMail[] | null,
  arrival: PingArrival,
): Promise<PingOutcome[]> {
  if (!named) return await arrival.record(pings)
  const [first] = named
  // Only the outcomes are still to be told.
  if (!first) return await arrival.record(pings.map(ping => ({ ...ping, body: null })))
  // It may have waited for long to be read, which is no fault of the database.
  if (isSmall(pings)) return await arrival.record(pings, { of: named })
  const outcomes: PingOutcome[] = []
  for (const part of partsOf(pings)) {
    const turn = takeTurn(mailTurns, first.projectId)
    // If it comes too late, it ends at once.
    const endTurn = () => void turn.then(end => end())
    try {
      await arrival.prepare(turn, named)
      outcomes.push(...(await arrival.record(part, { of: named, putOff: endTurn })))
    } finally {
      endTurn()
    }
  }
  return outcomes
}

/** Resolves when the project's turn has come, with what ends it. */
function takeTurn(turns: FairQueue<number>, projectId: number): Promise<() => void> {
  return new Promise(resolve => {
    void turns.run(projectId, () => new Promise<void>(end => resolve(end)))
  })
}

/** The pings of an e-mail, as many together as fit in one batch. */
function partsOf(pings: readonly ArrivedPing[]): ArrivedPing[][] {
  const inPart = Math.max(1, Math.floor(BATCH_BYTES / Math.max(1, sizeOf(pings[0]!))))
  const count = Math.ceil(pings.length / inPart)
  return Array.from({ length: count }, (_, part) => pings.slice(part * inPart, (part + 1) * inPart))
}

function isSmall(pings: readonly ArrivedPing[]): boolean {
  return pings.length <= SMALL_PINGS && pings.length * sizeOf(pings[0]!) <= SMALL_BYTES
}

/** Of each ping of the e-mail, in bytes. */
function sizeOf({ body }: ArrivedPing): number {
  return body?.length ?? 0
}

function pingOf({ ms, us }: Stamp, mail: ArrivedMail, target: MailTarget): ArrivedPing {
  return {
    target: 'slug' in target ? { ...target, create: false } : target,
    arrivedAt: ms,
    arrivedUs: us,
    action: 'success',
    ...NO_DETAILS,
    scheme: 'email',
    remoteAddr: mail.remoteAddr,
    method: '',
    ua: keptUserAgent(`Email from ${mail.sender || '<>'}`),
    body: mail.raw,
    mail: null,
  }
}

/** An unreadable e-mail has no keywords. */
function signalOf(texts: MailTexts | null): MailSignal {
  if (!texts) return { subject: '', body: '' }
  return { subject: texts.subject, body: `${texts.text}\n${texts.htmlText}` }
}
