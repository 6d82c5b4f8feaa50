import { appendTo } from '../lib/append-to.js'
import type { DueMail } from '../storage/people/claim-mails.js'
import { Turns } from './turns.js'

/** The e-mails to people that were found to be due. Their owners take turns, and so do the domains of an owner. */
export class WaitingMails {
  readonly #turns = new Turns()
  /** By owner and domain, in the order of the turns. */
  #owners = new Map<number, Map<string, DueMail[]>>()

  get isEmpty(): boolean {
    return this.#owners.size === 0
  }

  /** Replaces those that were found before. Notices, which their projects own, come before reports and reminders. */
  replace(found: readonly DueMail[]): void {
    const mails = new Map<number, DueMail[]>()
    for (const mail of found) appendTo(mails, mail.owner, mail)
    const owners = [...mails.keys()].map(owner => ({ id: owner, projectId: owner }))
    const inOrder = this.#turns.inOrder(owners).sort((a, b) => Number(a.id < 0) - Number(b.id < 0))
    this.#owners = new Map(inOrder.map(({ id }) => [id, byDomain(mails.get(id)!)]))
  }

  /** Removes and returns those for which `mayBegin` is true, which is called in the order of the turns. */
  take(mayBegin: (mail: DueMail) => boolean): DueMail[] {
    const taken: DueMail[] = []
    // An owner who is inserted again comes once more, after the others.
    for (const [owner, domains] of this.#owners) {
      const mail = takeFrom(domains, mayBegin)
      if (!mail) continue
      taken.push(mail)
      this.#turns.took({ id: owner, projectId: owner })
      this.#owners.delete(owner)
      if (domains.size > 0) this.#owners.set(owner, domains)
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
