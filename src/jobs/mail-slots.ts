/**
 * Limits how many alerts are sent through the mail server at once. All projects share it, and it refuses connections
 * above its limit. Decision 0103.
 */
import { RecentMap } from '../lib/recent-map.js'
import type { Standing } from './send-slots.js'

export const MAIL_LIMITS = {
  /** The maximum number of e-mails to channels whose last message was sent, and to those without a known result. */
  answered: 12,
  unknown: 6,
  /** The maximum number of e-mails that are slow, or that go to a channel that timed out. */
  hanging: 20,
  /** The maximum number of e-mails of one project, and of those to its channels without a known result. */
  project: 5,
  unknownOfProject: 2,
  /** An e-mail hangs after this long (ms), by its group. */
  hangsAfterMs: { answered: 5_000, unknown: 1_000 },
}

/** The maximum number of projects that are remembered because their e-mails hung. */
const REMEMBERED = 10_000

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
  /**
   * The projects whose last e-mail to a channel without a known result hung. Their next ones begin among those that hang,
   * so that many new addresses that hang do not keep new addresses of other projects waiting.
   */
  readonly #suspects = new RecentMap<number, true>(REMEMBERED)

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
    const { limits } = this
    const counts = new Map<string, number>()
    const count = (key: string) => counts.get(key) ?? 0
    const keysOf = (group: Group, projectId: number) => [group, `${projectId}`, `${group} of ${projectId}`]
    const add = (group: Group, projectId: number, by: number) => {
      for (const key of keysOf(group, projectId)) counts.set(key, count(key) + by)
    }
    for (const { group, projectId } of this.#running) add(group, projectId, 1)
    return ({ projectId, standing, sending }, most) => {
      const group = this.#groupOf(standing, projectId)
      const free = limits[group] - count(group)
      const ofProject = limits.project - count(`${projectId}`)
      const ofUnknown =
        group === 'unknown' ? limits.unknownOfProject - count(`unknown of ${projectId}`) : most
      const ofChannel = standing === 'unknown' ? 1 - sending : most
      const granted = Math.max(0, Math.min(most, free, ofProject, ofUnknown, ofChannel))
      add(group, projectId, granted)
      return granted
    }
  }

  /** `cutOff` is called if it is aborted because too many hang. Returns what ends it. */
  begin({ projectId, standing }: MailFor, cutOff: Mail['cutOff']): () => void {
    const mail: Mail = {
      projectId,
      standing,
      group: this.#groupOf(standing, projectId),
      startedAt: this.now(),
      cutOff,
      timer: null,
    }
    this.#running.add(mail)
    if (mail.group !== 'hanging') {
      mail.timer = setTimeout(() => this.#hangs(mail), this.limits.hangsAfterMs[mail.group])
    }
    return () => {
      this.#end(mail)
      const isPrompt = this.now() - mail.startedAt < this.limits.hangsAfterMs.unknown
      if (standing === 'unknown' && isPrompt) this.#suspects.delete(projectId)
    }
  }

  #hangs(mail: Mail): void {
    mail.group = 'hanging'
    if (mail.standing === 'unknown') this.#suspects.set(mail.projectId, true)
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

  #groupOf(standing: Standing, projectId: number): Group {
    if (standing === 'timedOut') return 'hanging'
    if (standing !== 'unknown') return 'answered'
    return this.#suspects.get(projectId) ? 'hanging' : 'unknown'
  }
}
