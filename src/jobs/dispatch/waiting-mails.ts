import { appendTo } from '../../lib/append-to.js'
import type { DueMail } from '../../storage/people/claim-mails.js'
import { Turns } from './turns.js'

/** E-mails by owner and domain. */
type Waiting = Map<number, Map<string, DueMail[]>>

/**
 * The e-mails to people that were found to be due: first the notices, then reports and reminders. Of each, the owners take turns, and
 * so do the domains of an owner.
 */
export class WaitingMails {
  readonly #turns = new Turns()
  /** In the order of the turns. */
  #notices: Waiting = new Map()
  #others: Waiting = new Map()

  get isEmpty(): boolean {
    return this.#notices.size + this.#others.size === 0
  }

  /** Replaces those that were found before. */
  replace(found: readonly DueMail[]): void {
    const mails = new Map<number, DueMail[]>()
    for (const mail of found) appendTo(mails, mail.owner, mail)
    const owners = [...mails.keys()].map(owner => ({ id: owner, projectId: owner }))
    const inOrder = this.#turns.inOrder(owners).map(({ id }) => [id, byDomain(mails.get(id)!)] as const)
    // Projects own notices, see `DueMail`.
    this.#notices = new Map(inOrder.filter(([owner]) => owner > 0))
    this.#others = new Map(inOrder.filter(([owner]) => owner < 0))
  }

  /** Removes and returns those for which `mayBegin` is true, which is called in the order of the turns. */
  take(mayBegin: (mail: DueMail) => boolean): DueMail[] {
    return [this.#notices, this.#others].flatMap(owners => this.#takeOf(owners, mayBegin))
  }

  #takeOf(owners: Waiting, mayBegin: (mail: DueMail) => boolean): DueMail[] {
    const taken: DueMail[] = []
    // An owner who is inserted again comes once more, after the others.
    for (const [owner, domains] of owners) {
      const mail = takeFrom(domains, mayBegin)
      if (!mail) continue
      taken.push(mail)
      this.#turns.took({ id: owner, projectId: owner })
      owners.delete(owner)
      if (domains.size > 0) owners.set(owner, domains)
    }
    return taken
  }
}

function byDomain(mails: readonly DueMail[]): Map<string, DueMail[]> {
  const domains = new Map<string, DueMail[]>()
  for (const mail of mails) appendTo(domains, mail.domain, mail)
  return domains
}

function takeFrom(domains: Map<string, DueMail[]>, mayBegin: (mail: DueMail) => boolean): DueMail | null {
  for (const [domain, mails] of domains) {
    if (!mayBegin(mails[0]!)) continue
    const mail = mails.shift()!
    domains.delete(domain)
    if (mails.length > 0) domains.set(domain, mails)
    return mail
  }
  return null
}
