/**
 * Who may send how much at once, in this process. A message that takes long leaves the prompt slots, which others wait
 * for, and goes on in the slow ones; when those are full, the project that has most of them loses the message that has
 * taken longest. So no receiver keeps a slot that another one needs. Decision 0103.
 */
import type { AlertClass } from '../core/alerts/delivery/allowance.js'
import { RecentMap } from '../lib/recent-map.js'

export const LIMITS = {
  /** Messages that may still be answered promptly: in all, and of one project. */
  prompt: 128,
  promptPerProject: 32,
  /** After so long (ms) a message is slow. */
  slowAfterMs: 500,
  /** Slow messages, in all, and those of them to channels that timed out. */
  slow: 384,
  probes: 192,
  /** Messages through one channel: when it answered last, before it ever did, and when it timed out. */
  answering: 32,
  unknown: 5,
  timedOut: 1,
  /** A failure after so long (ms) counts as a time-out. */
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
  /** Called when it has to make room, with how long it has taken (ms). */
  readonly cutOff: (tookMs: number) => void
  timer: NodeJS.Timeout | null
}

type Standing = 'answering' | 'unknown' | 'timedOut'

/** So many channels are remembered. One that is forgotten begins as one that never answered. */
const REMEMBERED = 10_000

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
      if (this.#standingOf(channelId) === 'timedOut') return take(messages, ['probe', limits.probes])
      const ofProject: [string, number] = [`prompt of ${projectId}`, limits.promptPerProject]
      return take(messages, ['prompt', limits.prompt], ofProject)
    }
  }

  /** The most messages through a channel at once, as it stands. */
  most(channelId: number): number {
    return this.limits[this.#standingOf(channelId)]
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
    const lane = this.#standingOf(about.channelId) === 'timedOut' ? 'probe' : 'prompt'
    const slot: Slot = { ...about, startedAt: this.now(), lane, cutOff, timer: null }
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
    const timedOut = !sent && this.now() - slot.startedAt >= this.limits.timeOutMs
    this.#standing.set(slot.channelId, sent ? 'answering' : timedOut ? 'timedOut' : 'unknown')
  }

  #slowDown(slot: Slot): void {
    this.#note(slot, -1)
    slot.lane = 'slow'
    this.#note(slot, 1)
    this.#makeRoom()
    this.onRoom()
  }

  /** Where there are too many slow messages, cuts off the one that has taken longest, of the project that has most. */
  #makeRoom(): void {
    if (this.#count('slow') + this.#count('probe') <= this.limits.slow) return
    const ofProject = ({ projectId }: Slot) =>
      this.#count(`slow of ${projectId}`) + this.#count(`probe of ${projectId}`)
    let victim: Slot | null = null
    for (const slot of this.#running) {
      if (slot.lane === 'prompt') continue
      const more = victim === null ? 1 : ofProject(slot) - ofProject(victim)
      if (more > 0 || (more === 0 && slot.startedAt < victim!.startedAt)) victim = slot
    }
    if (!victim) return
    const tookMs = this.now() - victim.startedAt
    this.end(victim, null)
    this.#standing.set(victim.channelId, 'timedOut')
    victim.cutOff(tookMs)
  }

  #standingOf(channelId: number): Standing {
    return this.#standing.get(channelId) ?? 'unknown'
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  #note({ lane, projectId, channelId, alertClass }: Slot, by: 1 | -1): void {
    for (const key of [lane, `${lane} of ${projectId}`, `${alertClass} ${channelId}`]) {
      const count = this.#count(key) + by
      if (count === 0) this.#counts.delete(key)
      else this.#counts.set(key, count)
    }
  }
}
