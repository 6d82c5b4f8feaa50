/** Sends queued e-mails to people: notices, reports and reminders. None waits for one that is slow. Decision 0063. */
import { setMaxListeners } from 'node:events'
import { type SendQueuedMailDeps, sendQueuedMail } from '../../actions/people/mail/send-queued-mail.js'
import { MailSettlements, type MailSettlementsDeps } from '../../actions/people/mail/settle-mail.js'
import { MailError } from '../../lib/mail/mail-error.js'
import { mayBeOneRow } from '../../storage/errors.js'
import type { ClaimedMail, DueMail } from '../../storage/people/claim-mails.js'
import type { SettledMail } from '../../storage/people/settle-mails.js'
import { type Failed, SetAside } from '../../storage/set-aside.js'
import type { StoreWith } from '../../storage/store.js'
import { Loop } from '../loop.js'
import { finishUnderWay } from './finish-under-way.js'
import { releaseEndedClaims } from './release-ended-claims.js'
import { PeopleMailSlots } from './slots/people-mail-slots.js'
import { tookTooLong } from './slots/took-too-long.js'
import { WaitingMails } from './waiting-mails.js'

export interface MailsDeps extends Omit<SendQueuedMailDeps, 'settle'> {
  store: SendQueuedMailDeps['store'] &
    MailSettlementsDeps['store'] &
    StoreWith<'people.dueMails' | 'people.claimMails' | 'people.releaseMails' | 'people.mailClaimants'>
  /** Called when an e-mail cannot be claimed or settled, for a row that cannot be written or read. */
  onSetAside(failed: Failed): void
}

/** How long (ms) a claim lasts: longer than one attempt of the mailer. */
const LEASE_MS = 240_000

/** How often (ms) to look for more while others wait: never for more than a tenth of the time. */
const SEARCH_EVERY_MS = 1_000
const SEARCH_SHARE = 10

/** The number of e-mails per query. */
const PAGE = 1_000

export function mailsJob(deps: MailsDeps) {
  const { store, clock, worker, onError } = deps
  const abort = new AbortController()
  // Every e-mail under way listens to this signal, which is not a leak.
  setMaxListeners(0, abort.signal)
  const aside = new SetAside('mail', deps.onSetAside)
  const settlements = new MailSettlements(deps, abort.signal)
  const loop = new Loop(look, clock, onError)
  const slots = new PeopleMailSlots(
    () => performance.now(),
    () => loop.wake(),
  )
  const claims = {
    claimants: () => store.people.mailClaimants(),
    release: (workers: readonly string[], now: number) => store.people.releaseMails(workers, now),
  }
  const waiting = new WaitingMails()
  /** The e-mails that were begun and are not settled yet, by ID. */
  const inHand = new Map<number, Promise<void>>()
  let started = false
  let searchAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<null> {
    if (!started) await releaseEndedClaims(claims, deps)
    started = true
    if (waiting.isEmpty || performance.now() >= searchAt) await search()
    await begin()
    return null
  }

  async function search(): Promise<void> {
    const from = performance.now()
    const found: DueMail[] = []
    const now = clock.now()
    for (;;) {
      const page = await store.people.dueMails({ now, after: found.at(-1) ?? null, limit: PAGE })
      found.push(...page)
      if (page.length < PAGE || abort.signal.aborted) break
    }
    // A lease may look over because the clock was set or the process was frozen.
    waiting.replace(found.filter(({ id }) => !inHand.has(id) && aside.pauseOf(id) === 0))
    searchAt = from + Math.max(SEARCH_EVERY_MS, SEARCH_SHARE * (performance.now() - from))
  }

  /** Claims what may begin now, so no claimed e-mail waits, and begins it. */
  async function begin(): Promise<void> {
    const due = waiting.take(slots.budget())
    if (due.length === 0 || abort.signal.aborted) return
    const together = due.filter(({ id }) => !aside.has(id))
    const isDone = together.length === 0 || (await claimTogether(together))
    const alone = isDone ? due.filter(({ id }) => aside.has(id)) : due
    for (const mail of alone) await aside.tryAlone(mail.id, () => claim([mail]))
    // Others may have the slots of those that were not to be sent, or that another process has.
    if (due.some(({ id }) => !inHand.has(id))) loop.wake()
  }

  /** Claims and begins these in one transaction. Returns false if nothing was claimed, for one row. */
  async function claimTogether(due: readonly DueMail[]): Promise<boolean> {
    try {
      await claim(due)
      return true
    } catch (error) {
      if (!mayBeOneRow(error)) throw error
      return false
    }
  }

  async function claim(due: readonly DueMail[]): Promise<void> {
    const now = clock.now()
    const ids = due.map(({ id }) => id)
    const claimed = await store.people.claimMails({ worker, now, leaseUntil: now + LEASE_MS, ids })
    for (const mail of claimed) start(mail, due.find(({ id }) => id === mail.id)!)
  }

  function start(mail: ClaimedMail, due: DueMail): void {
    const own = new AbortController()
    const slot = slots.begin(due, tookMs =>
      own.abort(new MailError(tookTooLong(tookMs).message, false, false, null)),
    )
    const signals = { stop: abort.signal, cutOff: own.signal }
    const sending = { ...deps, settle: (one: SettledMail) => settlements.settle(mail.id, one) }
    const settled = sendQueuedMail(sending, mail, signals, slot)
      .catch(onError)
      .then(() => {
        inHand.delete(mail.id)
        loop.wake()
      })
    inHand.set(mail.id, settled)
  }

  return {
    /** The number of e-mails that cannot be claimed or settled. */
    setAside: () => aside.ids.length + settlements.unsettled.ids.length,
    start: () => loop.start(),
    /** Starts a pass now. */
    wake: () => loop.wake(),
    /** Waits a moment for e-mails under way, and releases the rest. */
    async stop() {
      const looked = loop.stop()
      const ended = looked.then(() => Promise.all(inHand.values()))
      await finishUnderWay(ended, () => abort.abort())
      await looked
      await store.people.releaseMails([worker], clock.now(), [...settlements.sent.values()]).catch(onError)
    },
  }
}
