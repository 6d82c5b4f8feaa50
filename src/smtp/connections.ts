import type { Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'

const MAX_CONNECTIONS = 200
const MAX_PER_ADDRESS = 50
const SESSION_MS = 600_000
const SWEEP_MS = 10_000

/** After this time, a connection without a recipient may be closed in favour of a new one. Real clients name it at once. */
const REPLACEABLE_AFTER_MS = 2_000
/** A connection without a recipient after this time is assumed not to carry a ping. */
const IDLE_AFTER_MS = 10_000

type Session = Pick<SMTPServerSession, 'id' | 'remoteAddress'>

interface Slot {
  address: string
  /** When the connection or its current e-mail started, by `performance.now()`. */
  since: number
  /** Whether it has named a recipient since then. */
  hasRecipient: boolean
}

/**
 * Limits connections in number, per address and in duration. When all slots are taken, a new connection replaces the one
 * that has gone longest without naming a recipient.
 */
export class Connections {
  /** By session ID, in the order of `since`. */
  readonly #slots = new Map<string, Slot>()
  readonly #sockets = new Map<Socket, { until: number }>()
  // A timer, because upgrading to TLS removes all listeners from the socket.
  readonly #sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()

  /** `close` ends a session. `onRefused` is called for each refused or closed session that may have carried a ping. */
  constructor(
    private readonly close: (id: string) => void,
    private readonly onRefused: () => void,
    private readonly ticks = () => performance.now(),
  ) {}

  /** Adds a session. Returns false if there is no slot for it. */
  admit({ id, remoteAddress: address }: Session): boolean {
    const isMine = (slot: Slot) => slot.address === address
    const hasSlot = this.#makeRoom(MAX_PER_ADDRESS, isMine) && this.#makeRoom(MAX_CONNECTIONS, () => true)
    if (hasSlot) this.#slots.set(id, { address, since: this.ticks(), hasRecipient: false })
    else this.onRefused()
    return hasSlot
  }

  /** Records that the session has named a recipient, so that it keeps its slot. */
  named({ id }: Pick<Session, 'id'>): void {
    const slot = this.#slots.get(id)
    if (slot) slot.hasRecipient = true
  }

  /** Records that the session's e-mail has ended. */
  ended({ id }: Pick<Session, 'id'>): void {
    const slot = this.#slots.get(id)
    if (!slot) return
    this.#slots.delete(id)
    this.#slots.set(id, { ...slot, since: this.ticks(), hasRecipient: false })
  }

  leave({ id }: Pick<Session, 'id'>): void {
    this.#slots.delete(id)
  }

  /** Closes the connection after the maximum duration, even if it is active. */
  watch(socket: Socket): void {
    this.#sockets.set(socket, { until: performance.now() + SESSION_MS })
  }

  /** Closes all connections. */
  end(): void {
    clearInterval(this.#sweeping)
    for (const socket of this.#sockets.keys()) socket.destroy()
    this.#sockets.clear()
  }

  /** Makes room for one more connection among those that match `counts`. Returns whether fewer than `max` are left. */
  #makeRoom(max: number, counts: (slot: Slot) => boolean): boolean {
    const taken = [...this.#slots].filter(([, slot]) => counts(slot))
    if (taken.length < max) return true
    const [id, slot] = taken.find(([, { hasRecipient }]) => !hasRecipient) ?? []
    const silentMs = slot ? this.ticks() - slot.since : 0
    if (id === undefined || silentMs < REPLACEABLE_AFTER_MS) return false
    this.#slots.delete(id)
    this.close(id)
    if (silentMs < IDLE_AFTER_MS) this.onRefused()
    return true
  }

  #sweep(): void {
    const now = performance.now()
    for (const [socket, { until }] of this.#sockets) {
      if (until <= now) socket.destroy()
      if (socket.destroyed) this.#sockets.delete(socket)
    }
  }
}
