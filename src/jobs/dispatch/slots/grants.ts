import { isMail, sharesReceiver, type Wanted as WantedOf } from '../../../actions/alerts/take-messages.js'
import type { DueChannel } from '../../../storage/alerts/due-channels.js'
import type { ClaimedMessage } from '../../../storage/alerts/messages.js'
import { RequestBytes } from '../request-bytes.js'
import { Turns, type Waiting } from '../turns.js'
import { WaitingChannels } from '../waiting-channels.js'
import { MailSlots } from './mail-slots.js'
import { SendSlots } from './send-slots.js'

/** How long (ms) a channel is not queried again whose due checks were all being sent. */
const ASK_AGAIN_MS = 250
/** The maximum number of channels granted something at once. */
export const CHANNELS_AT_ONCE = 32

/** A channel that may be granted something; remembered ones are known by their ids alone. */
type Candidate = Waiting & Partial<DueChannel>
type Wanted<T> = Omit<WantedOf, 'channel'> & { channel: T }

const channelOf = ({ id, projectId }: Waiting) => ({ channelId: id, projectId })

/** A message that has its slots. */
export interface Granted {
  /** To be called when a mail server has the whole message and has only to accept it. */
  handedOver(): void
  /**
   * To be called when it was sent, or was not (null: it is not known). Returns whether more may be claimed now.
   */
  end(sent: boolean | null): boolean
}

/** The channels that wait, and how much may be claimed from each: by its turn, as far as there are slots. Decision 0103. */
export class Grants {
  /** The channels that have something due, as far as they were found. */
  readonly waiting = new WaitingChannels()
  /** The bytes of the requests under way. */
  readonly bytes: RequestBytes
  readonly #slots: SendSlots
  readonly #mailSlots: MailSlots
  readonly #turns = new Turns()
  /** The channels whose due checks were all being sent when they were last queried. */
  readonly #waitingForOwn = new Set<number>()
  /** The channels that had nothing to claim when they were last asked. No slots are kept for their projects. */
  readonly #hadNothing = new Set<number>()
  #askedAt = Number.NEGATIVE_INFINITY
  /** Whether something due waited for a slot in this pass. */
  #leftBehind = false

  /** `onFree` is called when time alone has freed slots. `now` is in ms. */
  constructor(
    onFree: () => void,
    private readonly now = () => performance.now(),
  ) {
    this.#slots = new SendSlots(now, onFree)
    this.#mailSlots = new MailSlots(now, onFree)
    this.bytes = new RequestBytes(now)
  }

  /** Begins a pass over the channels, which has one look or several. */
  beginPass(): void {
    this.#leftBehind = false
  }

  /** Begins a look at what is due. While a project has very much, a pass goes on for minutes. */
  beginLook(): void {
    if (this.now() - this.#askedAt < ASK_AGAIN_MS) return
    this.#askedAt = this.now()
    this.#waitingForOwn.clear()
    this.#hadNothing.clear()
  }

  /** Notes the channels that were found to have something due when those in `queried` were queried too. */
  found(queried: readonly Waiting[], channels: readonly DueChannel[]): void {
    for (const channel of queried) this.waiting.delete(channel)
    for (const channel of channels) {
      this.waiting.add(channel)
      this.#slots.recall(channel.id, channel.answeredWithin)
    }
  }

  /**
   * Whether a channel goes before others: it answers promptly. Channels that share a receiver take turns there,
   * whether or not they do.
   */
  goesFirst(channel: Candidate): boolean {
    return this.#slots.standingOf(channel.id) === 'prompt' || sharesReceiver(channel)
  }

  /** How much may be claimed from which of these channels, in the order of their turns. Those that go first come first. */
  grant<T extends Candidate>(channels: readonly T[]): Wanted<T>[] {
    const slots = this.#slots
    const rank = (channel: T) => Number(this.goesFirst(channel))
    const mailBudget = this.#mailSlots.budget()
    const inOrder = this.#turns
      .inOrder(channels.filter(({ id }) => !this.#waitingForOwn.has(id) && !slots.isFull(id)))
      .sort((a, b) => rank(b) - rank(a))
    const usable = inOrder
      .map(channel => ({ channel, most: this.#most(channel, mailBudget) }))
      .filter(({ most }) => most > 0)
    if (usable.length < inOrder.length) this.#leftBehind = true
    const waiting = usable.map(({ channel }) => channelOf(channel))
    const budget = slots.budget(waiting.filter(({ channelId }) => !this.#hadNothing.has(channelId)))
    const granted: Wanted<T>[] = []
    for (const [index, { channel, most }] of usable.entries()) {
      const messages = budget({ ...waiting[index]!, most })
      if (messages === 0) this.#leftBehind = true
      else granted.push({ channel, messages, sending: slots.sending(channel.id) })
      if (granted.length === CHANNELS_AT_ONCE) break
    }
    return granted
  }

  /** The maximum number of messages of a channel that its project may begin, apart from the slots. */
  #most(channel: Candidate, mailBudget: ReturnType<MailSlots['budget']>): number {
    const { id, projectId } = channel
    const slots = this.#slots
    if (!isMail(channel)) return this.bytes.isFull(projectId) ? 0 : Number.POSITIVE_INFINITY
    const mail = { projectId, standing: slots.standingOf(id), sending: slots.sendingThrough(id) }
    return mailBudget(mail, slots.most(id))
  }

  /**
   * Notes what was claimed from these channels, whose messages are being sent. `others`: how many deliveries were
   * dropped or put off. Returns whether some turned out to have nothing, so that others may have their slots.
   */
  took(channels: readonly DueChannel[], messages: readonly ClaimedMessage[], others: number): boolean {
    const claimed = new Set(messages.map(({ channel }) => channel.id))
    const before = this.#hadNothing.size
    for (const channel of channels) {
      // A channel that waits for a shared receiver keeps its turn there.
      if (claimed.has(channel.id) || !sharesReceiver(channel)) this.#turns.took(channel)
      if (claimed.has(channel.id)) continue
      if (others === 0) this.#hadNothing.add(channel.id)
      this.waiting.delete(channel)
      if (this.#slots.sendingThrough(channel.id) > 0) this.#waitingForOwn.add(channel.id)
    }
    return this.#hadNothing.size > before
  }

  /** Takes the slots of a message; `cutOff` is called if others wait for them and it takes too long. */
  begin({ channel, alertClass }: ClaimedMessage, cutOff: (tookMs: number) => void): Granted {
    const slots = this.#slots
    const about = { channelId: channel.id, projectId: channel.projectId, alertClass }
    const standing = slots.standingOf(channel.id)
    const mail = isMail(channel) ? this.#mailSlots.begin({ ...about, standing }, cutOff) : null
    const slot = slots.begin(about, cutOff)
    return {
      handedOver: () => mail && this.#mailSlots.handedOver(mail),
      end: sent => {
        slots.end(slot, sent)
        if (mail) this.#mailSlots.end(mail)
        if (this.#waitingForOwn.delete(channel.id)) this.waiting.add(channel)
        const isHalfIdle = slots.sendingThrough(channel.id) <= slots.most(channel.id) / 2
        return isHalfIdle || this.#leftBehind
      },
    }
  }
}
