/**
 * Who may send how much at once, in this process. A message that takes long leaves the prompt slots, which others wait
 * for, and goes on in the slow ones; when those are full, one message is cut off. Channels that answer promptly, those
 * that answer late, and those that never answered have prompt slots of their own. Decision 0103.
 */
import type { AlertClass } from '../core/alerts/delivery/allowance.js'
import { RecentMap } from '../lib/recent-map.js'

/**
 * What is known of a channel: its last message was answered promptly, or late; it never answered; or its last message
 * timed out.
 */
export type Standing = 'prompt' | 'late' | 'unknown' | 'timedOut'

export const LIMITS = {
  /** Messages that may still be answered promptly, by the standing of their channels, and those of one project. */
  prompt: { prompt: 48, late: 40, unknown: 56 },
  promptPerProject: 32,
  /** After so long (ms) a message is slow. */
  slowAfterMs: 500,
  /** Slow messages, in all; those of them to channels that timed out; and such ones of one project. */
  slow: 384,
  probes: 192,
  probesPerProject: 48,
  /** Messages through one channel, by its standing. */
  channel: { prompt: 32, late: 32, unknown: 5, timedOut: 1 },
  /** A failure after so long (ms) counts as a time-out, and so does a message that is still on its way then. */
  timeOutMs: 5_000,
}

export interface SlotFor {
  channelId: number
  projectId: number
  alertClass: AlertClass
}

/** A message on its way. */
export interface Slot extends SlotFor {
  readonly startedAt: number
  /** `prompt` until it has taken long; `probe`: to a channel that timed out, so it takes no prompt slot at all. */
  lane: 'prompt' | 'slow' | 'probe' | 'ended'
  /** As the message began. */
  readonly standing: Standing
  /** Called when it has to make room, with how long it has taken (ms). */
  readonly cutOff: (tookMs: number) => void
  timer: NodeJS.Timeout | null
}

/** So many channels are remembered. One that is forgotten begins as one that never answered. */
const REMEMBERED = 50_000

export class SendSlots {
  readonly #running = new Set<Slot>()
  readonly #standing = new RecentMap<number, Standing>(REMEMBERED)
  /** How many are on their way, by lane and by what else is asked for. */
  readonly #counts = new Map<string, number>()

  /** `now` is in ms; `onRoom` is called when a prompt slot becomes free because its message is slow. */
  constructor(
    private readonly now: () => number,
    private readonly onRoom: () => void,
    private readonly limits = LIMITS,
  ) {}

  get size(): number {
    return this.#running.size
  }

  /**
   * How many messages may begin now: the returned function says it of one channel after the other, and counts those as
   * begun.
   */
  budget(): (channel: Pick<SlotFor, 'channelId' | 'projectId'>) => number {
    const { limits } = this
    const left = new Map<string, number>()
    const take = (messages: number, ...keys: [key: string, limit: number][]) => {
      const room = keys.map(([key, limit]) => left.get(key) ?? limit - this.#count(key))
      const granted = Math.max(0, Math.min(messages, ...room))
      for (const [index, [key]] of keys.entries()) left.set(key, room[index]! - granted)
      return granted
    }
    return ({ channelId, projectId }) => {
      const messages = this.most(channelId) - this.sendingThrough(channelId)
      const standing = this.standingOf(channelId)
      if (standing === 'timedOut') {
        const ofProject: [string, number] = [`probe of ${projectId}`, limits.probesPerProject]
        return take(messages, ['probe', limits.probes], ofProject)
      }
      const ofProject: [string, number] = [`prompt ${standing} of ${projectId}`, limits.promptPerProject]
      return take(messages, [`prompt ${standing}`, limits.prompt[standing]], ofProject)
    }
  }

  /** The most messages through a channel at once, as it stands. */
  most(channelId: number): number {
    return this.limits.channel[this.standingOf(channelId)]
  }

  /** Whether as many messages are on their way through a channel as may be. */
  isFull(channelId: number): boolean {
    return this.sendingThrough(channelId) >= this.most(channelId)
  }

  sendingThrough(channelId: number): number {
    const { down, other } = this.sending(channelId)
    return down + other
  }

  /** Messages on their way through a channel, by class. */
  sending(channelId: number): Record<AlertClass, number> {
    return { down: this.#count(`down ${channelId}`), other: this.#count(`other ${channelId}`) }
  }

  begin(about: SlotFor, cutOff: Slot['cutOff']): Slot {
    const standing = this.standingOf(about.channelId)
    const lane = standing === 'timedOut' ? 'probe' : 'prompt'
    const slot: Slot = { ...about, startedAt: this.now(), lane, standing, cutOff, timer: null }
    if (lane === 'prompt') slot.timer = setTimeout(() => this.#slowDown(slot), this.limits.slowAfterMs)
    this.#running.add(slot)
    this.#note(slot, 1)
    this.#makeRoom()
    return slot
  }

  /** Ends a message that was sent or failed; null: what came of it is not known. */
  end(slot: Slot, sent: boolean | null): void {
    if (slot.lane === 'ended') return
    this.#note(slot, -1)
    slot.lane = 'ended'
    this.#running.delete(slot)
    if (slot.timer) clearTimeout(slot.timer)
    if (sent === null) return
    this.#standing.set(slot.channelId, this.#standingAfter(slot, sent))
  }

  #slowDown(slot: Slot): void {
    this.#note(slot, -1)
    if (this.standingOf(slot.channelId) === 'prompt') this.#standing.set(slot.channelId, 'late')
    slot.lane = 'slow'
    this.#note(slot, 1)
    this.#makeRoom()
    this.onRoom()
  }

  #standingAfter({ startedAt, channelId }: Slot, sent: boolean): Standing {
    const tookMs = this.now() - startedAt
    const isPrompt = tookMs < this.limits.slowAfterMs
    if (sent) return isPrompt ? 'prompt' : 'late'
    if (tookMs >= this.limits.timeOutMs) return 'timedOut'
    // A failure that comes promptly is an answer too.
    return isPrompt && this.standingOf(channelId) === 'prompt' ? 'prompt' : 'unknown'
  }

  /** Where there are too many slow messages, cuts one off. */
  #makeRoom(): void {
    if (this.#count('slow') + this.#count('probe') <= this.limits.slow) return
    let victim: Slot | null = null
    for (const slot of this.#running) {
      if (slot.lane !== 'prompt' && (victim === null || this.#isCutBefore(slot, victim))) victim = slot
    }
    if (!victim) return
    const tookMs = this.now() - victim.startedAt
    this.end(victim, null)
    this.#standing.set(victim.channelId, 'timedOut')
    victim.cutOff(tookMs)
  }

  /**
   * First those that nobody seems to answer, then those of the project that has most; of them the longest where nobody
   * answers, and the shortest where somebody does, since the others are nearer to their answers.
   */
  #isCutBefore(slot: Slot, other: Slot): boolean {
    const answers = this.#mayAnswer(slot)
    if (answers !== this.#mayAnswer(other)) return !answers
    const more = this.#slowOf(slot) - this.#slowOf(other)
    if (more !== 0) return more > 0
    return answers ? slot.startedAt > other.startedAt : slot.startedAt < other.startedAt
  }

  #mayAnswer({ standing, startedAt }: Slot): boolean {
    if (standing !== 'prompt' && standing !== 'late') return false
    return this.now() - startedAt < this.limits.timeOutMs
  }

  #slowOf({ projectId }: Slot): number {
    return this.#count(`slow of ${projectId}`) + this.#count(`probe of ${projectId}`)
  }

  /** Notes how long a channel's last message took (ms), should nothing be known of it since this process began. */
  recall(channelId: number, answeredWithin: number | null): void {
    if (answeredWithin === null || this.#standing.get(channelId) !== undefined) return
    this.#standing.set(channelId, answeredWithin < this.limits.slowAfterMs ? 'prompt' : 'late')
  }

  /** What is known of a channel. */
  standingOf(channelId: number): Standing {
    return this.#standing.get(channelId) ?? 'unknown'
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  #note(slot: Slot, by: 1 | -1): void {
    const { projectId, channelId, alertClass } = slot
    const lane = slot.lane === 'prompt' ? `prompt ${slot.standing}` : slot.lane
    for (const key of [lane, `${lane} of ${projectId}`, `${alertClass} ${channelId}`]) {
      const count = this.#count(key) + by
      if (count === 0) this.#counts.delete(key)
      else this.#counts.set(key, count)
    }
  }
}
