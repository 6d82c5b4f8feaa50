/**
 * How many messages may be sent at once in this process, and through which channels. A message that takes long leaves
 * its prompt slot, for which others wait, and continues in a slow slot; if those are full, one message is aborted.
 * Channels that answer promptly, that answer late, and that never answered have separate prompt slots. Requests of
 * event webhooks are counted likewise, with limits of their own: there a webhook is a channel. Decision 0103.
 */
import type { AlertClass } from '../../../core/alerts/delivery/allowance.js'
import { RecentMap } from '../../../lib/recent-map.js'
import { shareBesideOneMore, sharesOf } from './shares.js'

/**
 * What is known about a channel: its last message was answered promptly, or late; it never answered; or
 * its last message timed out.
 */
export type Standing = 'prompt' | 'late' | 'unknown' | 'timedOut'

export const LIMITS = {
  /**
   * The maximum number of messages that may still be answered promptly, by the standing of their channels; and those of
   * one project.
   */
  prompt: { prompt: 48, late: 40, unknown: 56 },
  promptPerProject: 32,
  /** A message is slow after this long (ms). */
  slowAfterMs: 500,
  /** The maximum number of slow messages, of those to channels that timed out, and of the latter in one project. */
  slow: 384,
  probes: 192,
  probesPerProject: 48,
  /** The maximum number of messages through one channel, by its standing. */
  channel: { prompt: 32, late: 32, unknown: 5, timedOut: 1 },
  /** A failure after this long (ms) counts as a time-out, as does a message that is still under way then. */
  timeOutMs: 5_000,
}

export interface SlotFor {
  channelId: number
  projectId: number
  alertClass: AlertClass
}

type ChannelOf = Pick<SlotFor, 'channelId' | 'projectId'>

/** How many more messages to channels that answer late a project may begin. */
type RoomForLate = (projectId: number) => number

/** A message under way. */
export interface Slot extends SlotFor {
  readonly startedAt: number
  /** `prompt` until it is slow; `probe`: to a channel that timed out, so it takes no prompt slot. */
  lane: 'prompt' | 'slow' | 'probe' | 'ended'
  /** The channel's standing when the message began. */
  readonly standing: Standing
  /** Called if it is aborted to free its slot, with the time that it has taken (ms). */
  readonly cutOff: (tookMs: number) => void
  timer: NodeJS.Timeout | null
}

/** The maximum number of channels that are remembered. A forgotten channel counts as one that never answered. */
const REMEMBERED = 50_000

export class SendSlots {
  readonly #running = new Set<Slot>()
  readonly #standing = new RecentMap<number, Standing>(REMEMBERED)
  /** The number of messages under way, by lane, project and channel. */
  readonly #counts = new Map<string, number>()
  /** The number of those that are slow, by project: looked up for each of them when one is to be aborted. */
  readonly #slow = new Map<number, number>()

  /** `now` is in ms; `onFree` is called when a prompt slot becomes free because its message is slow. */
  constructor(
    private readonly now: () => number,
    private readonly onFree: () => void,
    private readonly limits = LIMITS,
  ) {}

  get size(): number {
    return this.#running.size
  }

  /**
   * Returns a function that tells, for one channel after another, how many messages may begin now,
   * at most `most`, and counts them as begun. The projects of the channels in `waiting`, which are in the order of their
   * turns, share the slots.
   */
  budget(waiting: readonly ChannelOf[]): (channel: ChannelOf & { most?: number | undefined }) => number {
    const left = new Map<string, number>()
    const roomForLate = this.#roomForLate()
    const shares = this.#shares(waiting, roomForLate)
    const take = (messages: number, ...keys: [key: string, limit: number][]) => {
      const free = keys.map(([key, limit]) => left.get(key) ?? limit - this.#count(key))
      const granted = Math.max(0, Math.min(messages, ...free))
      for (const [index, [key]] of keys.entries()) left.set(key, free[index]! - granted)
      return granted
    }
    return ({ channelId, projectId, most = Number.POSITIVE_INFINITY }) => {
      const messages = Math.min(most, this.most(channelId) - this.sendingThrough(channelId))
      const { lane, limit, ofProject } = this.#laneOf({ channelId, projectId }, roomForLate)
      // A project that was not known to wait gets one slot beside those that are.
      const shared = shares.get(lane)
      const share = shared ? Math.min(ofProject, shared.get(projectId) ?? 1) : ofProject
      return take(messages, [lane, limit], [`${lane} of ${projectId}`, share])
    }
  }

  /** How many messages each project may have under way in each lane. */
  #shares(waiting: readonly ChannelOf[], roomForLate: RoomForLate): Map<string, Map<number, number>> {
    const free = new Map<string, number>()
    const underWay = new Map<string, Map<number, number>>()
    for (const channel of waiting) {
      const { lane, limit, ofProject } = this.#laneOf(channel, roomForLate)
      const count = this.#count(`${lane} of ${channel.projectId}`)
      if (count >= ofProject) continue
      const projects = underWay.get(lane) ?? new Map<number, number>()
      projects.set(channel.projectId, count)
      underWay.set(lane, projects)
      free.set(lane, limit - this.#count(lane))
    }
    return new Map([...underWay].map(([lane, projects]) => [lane, sharesOf(projects, free.get(lane)!)]))
  }

  /** Where a message to a channel begins, and how many may be there: of all projects, and of one. */
  #laneOf(
    { channelId, projectId }: ChannelOf,
    roomForLate: RoomForLate,
  ): { lane: string; limit: number; ofProject: number } {
    const { limits } = this
    const standing = this.standingOf(channelId)
    if (standing === 'timedOut')
      return { lane: 'probe', limit: limits.probes, ofProject: limits.probesPerProject }
    const lane = `prompt ${standing}`
    const { promptPerProject } = limits
    const ofProject =
      standing === 'late'
        ? Math.min(promptPerProject, this.#count(`${lane} of ${projectId}`) + roomForLate(projectId))
        : promptPerProject
    return { lane, limit: limits.prompt[standing], ofProject }
  }

  /**
   * How many more messages to channels that answer late each project may begin, which become slow. Its slow ones that
   * are not likely to be answered use up nothing of its share: they are aborted first.
   */
  #roomForLate(): RoomForLate {
    const now = this.now()
    const slow = new Map<number, number>()
    const likely = new Map<number, number>()
    for (const slot of this.#running) {
      if (slot.lane === 'prompt' && slot.standing !== 'late') continue
      addTo(slow, slot.projectId, 1)
      if (this.#mayAnswer(slot, now)) addTo(likely, slot.projectId, 1)
    }
    const share = shareBesideOneMore(slow.values(), this.limits.slow)
    return projectId => share - (likely.get(projectId) ?? 0)
  }

  /** The maximum number of messages through a channel at once, by its standing. */
  most(channelId: number): number {
    return this.limits.channel[this.standingOf(channelId)]
  }

  /** Whether a channel has as many messages under way as it may. */
  isFull(channelId: number): boolean {
    return this.sendingThrough(channelId) >= this.most(channelId)
  }

  sendingThrough(channelId: number): number {
    const { down, other } = this.sending(channelId)
    return down + other
  }

  /** The messages under way through a channel, by class. */
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
    this.#freeSlot()
    return slot
  }

  /** Notes that a message was sent or failed; null: the result is not known. */
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
    this.#freeSlot()
    this.onFree()
  }

  #standingAfter({ startedAt, channelId }: Slot, sent: boolean): Standing {
    const tookMs = this.now() - startedAt
    const isPrompt = tookMs < this.limits.slowAfterMs
    if (sent) return isPrompt ? 'prompt' : 'late'
    if (tookMs >= this.limits.timeOutMs) return 'timedOut'
    // A prompt failure is an answer too.
    return isPrompt && this.standingOf(channelId) === 'prompt' ? 'prompt' : 'unknown'
  }

  /** If there are too many slow messages, aborts one. */
  #freeSlot(): void {
    if (this.#count('slow') + this.#count('probe') <= this.limits.slow) return
    let aborted: Slot | null = null
    const now = this.now()
    for (const slot of this.#running) {
      if (slot.lane !== 'prompt' && (aborted === null || this.#isCutBefore(slot, aborted, now)))
        aborted = slot
    }
    if (!aborted) return
    const tookMs = now - aborted.startedAt
    // A message that would probably have been answered says nothing about its channel.
    if (!this.#mayAnswer(aborted, now)) this.#standing.set(aborted.channelId, 'timedOut')
    this.end(aborted, null)
    aborted.cutOff(tookMs)
  }

  /**
   * A message of the project with the most is aborted: the longest of those that nobody seems to answer, else the
   * shortest, because the others are nearer to their answers.
   */
  #isCutBefore(slot: Slot, other: Slot, now: number): boolean {
    const more = this.#slowOf(slot) - this.#slowOf(other)
    if (more !== 0) return more > 0
    const answers = this.#mayAnswer(slot, now)
    if (answers !== this.#mayAnswer(other, now)) return !answers
    return answers ? slot.startedAt > other.startedAt : slot.startedAt < other.startedAt
  }

  #mayAnswer({ standing, startedAt }: Slot, now: number): boolean {
    if (standing !== 'prompt' && standing !== 'late') return false
    return now - startedAt < this.limits.timeOutMs
  }

  #slowOf({ projectId }: Slot): number {
    return this.#slow.get(projectId) ?? 0
  }

  /**
   * Notes how long (ms) a channel's last message took, if nothing is known about the channel
   * since this process started.
   */
  recall(channelId: number, answeredWithin: number | null): void {
    if (answeredWithin === null || this.#standing.get(channelId) !== undefined) return
    this.#standing.set(channelId, answeredWithin < this.limits.slowAfterMs ? 'prompt' : 'late')
  }

  standingOf(channelId: number): Standing {
    return this.#standing.get(channelId) ?? 'unknown'
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  #note(slot: Slot, by: 1 | -1): void {
    const { projectId, channelId, alertClass } = slot
    if (slot.lane !== 'prompt') addTo(this.#slow, projectId, by)
    const lane = slot.lane === 'prompt' ? `prompt ${slot.standing}` : slot.lane
    for (const key of [lane, `${lane} of ${projectId}`, `${alertClass} ${channelId}`]) {
      addTo(this.#counts, key, by)
    }
  }
}

/** Counts up or down, and forgets what is zero. */
function addTo<K>(counts: Map<K, number>, key: K, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
