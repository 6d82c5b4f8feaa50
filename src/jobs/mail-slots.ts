/**
 * Limits how many alerts are sent through the mail server at once. All projects share it, and it refuses connections
 * above its limit. Decision 0103.
 */
import type { Standing } from './send-slots.js'

export const MAIL_LIMITS = {
  /** The maximum number of e-mails to channels whose last message was sent, and to those without a known result. */
  answered: 12,
  unknown: 6,
  /** The maximum number of e-mails that are slow, or that go to a channel that timed out. */
  hanging: 20,
  project: 5,
  /** An e-mail hangs after this long (ms). */
  hangsAfterMs: 5_000,
}

type Group = 'answered' | 'unknown' | 'hanging'

export interface MailFor {
  projectId: number
  /** The channel's standing when the e-mail begins. */
  standing: Standing
}

interface MailWanted extends MailFor {
  /** The number of messages under way through the channel. */
  sending: number
}

interface Mail extends MailFor {
  group: Group
  readonly startedAt: number
  readonly cutOff: (tookMs: number) => void
  timer: NodeJS.Timeout | null
}

export class MailSlots {
  readonly #running = new Set<Mail>()

  /** `now` is in ms; `onFree` is called when a slot becomes free because its e-mail hangs. */
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
    const counts = new Map<Group | number, number>()
    const add = (key: Group | number, count: number) => counts.set(key, (counts.get(key) ?? 0) + count)
    for (const { group, projectId } of this.#running) {
      add(group, 1)
      add(projectId, 1)
    }
    return ({ projectId, standing, sending }, most) => {
      const group = groupOf(standing)
      const free = this.limits[group] - (counts.get(group) ?? 0)
      const ofProject = this.limits.project - (counts.get(projectId) ?? 0)
      const ofChannel = standing === 'unknown' ? 1 - sending : most
      const granted = Math.max(0, Math.min(most, free, ofProject, ofChannel))
      add(group, granted)
      add(projectId, granted)
      return granted
    }
  }

  /** `cutOff` is called if it is aborted because too many hang. Returns what ends it. */
  begin({ projectId, standing }: MailFor, cutOff: Mail['cutOff']): () => void {
    const mail: Mail = {
      projectId,
      standing,
      group: groupOf(standing),
      startedAt: this.now(),
      cutOff,
      timer: null,
    }
    this.#running.add(mail)
    if (mail.group !== 'hanging') mail.timer = setTimeout(() => this.#hangs(mail), this.limits.hangsAfterMs)
    return () => this.#end(mail)
  }

  #hangs(mail: Mail): void {
    mail.group = 'hanging'
    const hanging = [...this.#running].filter(({ group }) => group === 'hanging')
    if (hanging.length > this.limits.hanging) {
      // The e-mail that has been in progress the longest, because the set is in the order in which they began.
      const first = hanging[0]!
      this.#end(first)
      first.cutOff(this.now() - first.startedAt)
    }
    this.onFree()
  }

  #end(mail: Mail): void {
    this.#running.delete(mail)
    if (mail.timer) clearTimeout(mail.timer)
  }
}

function groupOf(standing: Standing): Group {
  if (standing === 'timedOut') return 'hanging'
  return standing === 'unknown' ? 'unknown' : 'answered'
}
