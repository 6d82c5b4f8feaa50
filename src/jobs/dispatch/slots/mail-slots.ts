/**
 * Limits how many alerts are sent through the mail server at once. All projects share it, and it refuses connections
 * above its limit. Decision 0063.
 */
import { RecentMap } from '../../../lib/recent-map.js'
import type { Standing } from './send-slots.js'

export const MAIL_LIMITS = {
  /** The maximum number of e-mails under way that may still be answered promptly, by the standing of their channels. */
  prompt: 12,
  late: 6,
  unknown: 6,
  /** The maximum number of e-mails that take long, or that go to a channel that timed out. */
  hanging: 24,
  /** The maximum number of e-mails of one project, and of those to its channels without a known result. */
  project: 5,
  unknownOfProject: 2,
  /** The maximum number of e-mails of the suspects among those that are prompt, and among those that are late. */
  suspects: { prompt: 6, late: 3 },
  /** After this long (ms) an e-mail leaves its slot to others if fewer than `hanging` hang. */
  leavesAfterMs: { prompt: 500, late: 1_000, unknown: 1_000 },
  /** After this long (ms) it leaves its slot, and if too many hang then, one is cut off. */
  hangsAfterMs: 5_000,
  /**
   * An e-mail that the server has, and has only to accept, is not cut off before this (ms), because the server may deliver it: it would be
   * sent twice.
   */
  acceptedWithinMs: 60_000,
}

/** The maximum number of suspects that are remembered. */
const REMEMBERED = 10_000

type Group = 'prompt' | 'late' | 'unknown' | 'hanging'

export interface MailFor {
  projectId: number
  /** The channel's standing when the e-mail begins. */
  standing: Standing
}

interface MailWanted extends MailFor {
  /** The number of messages under way through the channel. */
  sending: number
}

/** An e-mail under way. */
export interface MailSlot extends MailFor {
  group: Group
  readonly startedAt: number
  /** When the server had all of it. */
  handedOverAt: number | null
  readonly cutOff: (tookMs: number) => void
  timer: NodeJS.Timeout | null
}

export class MailSlots {
  readonly #running = new Set<MailSlot>()
  /**
   * The projects whose last e-mail took longer than its channel usually does. They share half of the slots, so that
   * many addresses that hang do not keep other projects waiting. Their e-mails to channels without a known result
   * begin among those that hang.
   */
  readonly #suspects = new RecentMap<number, true>(REMEMBERED)

  /** `now` is in ms; `onFree` is called when a slot becomes free because its e-mail takes long. */
  constructor(
    private readonly now: () => number,
    private readonly onFree: () => void,
    private readonly limits = MAIL_LIMITS,
  ) {}

  /**
   * Returns a function that tells, for one channel after another, how many of `most` may begin now, and counts them.
   * A channel without a known result gets one, so that those of other projects do not wait for several that hang.
   */
  budget(): (about: MailWanted, most: number) => number {
    const { limits } = this
    const counts = new Map<string, number>()
    const count = (key: string) => counts.get(key) ?? 0
    const add = (group: Group, projectId: number, by: number) => {
      const keys = [group, `${projectId}`, `${group} of ${projectId}`]
      if (this.#isSuspect(projectId)) keys.push(`${group} of suspects`)
      for (const key of keys) counts.set(key, count(key) + by)
    }
    for (const { group, projectId } of this.#running) add(group, projectId, 1)
    return ({ projectId, standing, sending }, most) => {
      const group = this.#groupOf(standing, projectId)
      if (count(group) >= limits[group]) return 0
      const bounds = [most, limits[group] - count(group), limits.project - count(`${projectId}`)]
      if (standing === 'unknown') bounds.push(1 - sending)
      if (group === 'unknown') bounds.push(limits.unknownOfProject - count(`unknown of ${projectId}`))
      if ((group === 'prompt' || group === 'late') && this.#isSuspect(projectId)) {
        bounds.push(limits.suspects[group] - count(`${group} of suspects`))
      }
      const granted = Math.max(0, Math.min(...bounds))
      add(group, projectId, granted)
      return granted
    }
  }

  /** `cutOff` is called if it is aborted because too many hang. */
  begin({ projectId, standing }: MailFor, cutOff: MailSlot['cutOff']): MailSlot {
    const group = this.#groupOf(standing, projectId)
    const startedAt = this.now()
    const mail: MailSlot = { projectId, standing, group, startedAt, handedOverAt: null, cutOff, timer: null }
    this.#running.add(mail)
    if (group !== 'hanging') {
      mail.timer = setTimeout(() => this.#takesLong(mail), this.limits.leavesAfterMs[group])
    }
    return mail
  }

  /** Notes that the server has the whole e-mail and has only to accept it. */
  handedOver(mail: MailSlot): void {
    mail.handedOverAt = this.now()
  }

  end(mail: MailSlot): void {
    this.#end(mail)
    if (this.now() - mail.startedAt < this.#usualMs(mail.standing)) this.#suspects.delete(mail.projectId)
    this.#moveOne()
  }

  #takesLong(mail: MailSlot): void {
    if (mail.standing !== 'late') this.#suspects.set(mail.projectId, true)
    mail.timer = setTimeout(() => this.#hangs(mail), this.limits.hangsAfterMs - (this.now() - mail.startedAt))
    if (this.#hanging().length < this.limits.hanging) this.#move(mail)
  }

  #hangs(mail: MailSlot): void {
    this.#suspects.set(mail.projectId, true)
    if (mail.group === 'hanging') return
    if (this.#hanging().length < this.limits.hanging) {
      this.#move(mail)
      return
    }
    // The one that has been in progress the longest, because the set is in the order in which they began.
    const first = [...this.#running].find(
      one => (one === mail || one.group === 'hanging') && this.#mayCutOff(one),
    )
    if (!first) {
      mail.timer = setTimeout(() => this.#hangs(mail), this.limits.hangsAfterMs)
      return
    }
    this.#end(first)
    if (first !== mail) this.#move(mail)
    first.cutOff(this.now() - first.startedAt)
  }

  #mayCutOff({ handedOverAt }: MailSlot): boolean {
    return handedOverAt === null || this.now() - handedOverAt >= this.limits.acceptedWithinMs
  }

  #move(mail: MailSlot): void {
    mail.group = 'hanging'
    this.onFree()
  }

  /** Moves the e-mail that has taken long for the longest time, if it waits for a place among those that hang. */
  #moveOne(): void {
    if (this.#hanging().length >= this.limits.hanging) return
    const waiting = [...this.#running].find(
      ({ group, startedAt }) =>
        group !== 'hanging' && this.now() - startedAt >= this.limits.leavesAfterMs[group],
    )
    if (waiting) this.#move(waiting)
  }

  #end(mail: MailSlot): void {
    this.#running.delete(mail)
    if (mail.timer) clearTimeout(mail.timer)
  }

  #hanging(): MailSlot[] {
    return [...this.#running].filter(({ group }) => group === 'hanging')
  }

  #isSuspect(projectId: number): boolean {
    return this.#suspects.get(projectId) === true
  }

  /** An e-mail to a channel of this standing that takes longer (ms) makes its project a suspect. */
  #usualMs(standing: Standing): number {
    const { leavesAfterMs, hangsAfterMs } = this.limits
    if (standing === 'late' || standing === 'timedOut') return hangsAfterMs
    return leavesAfterMs[standing]
  }

  #groupOf(standing: Standing, projectId: number): Group {
    if (standing === 'timedOut') return 'hanging'
    return standing === 'unknown' && this.#isSuspect(projectId) ? 'hanging' : standing
  }
}
