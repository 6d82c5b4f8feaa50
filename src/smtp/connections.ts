import type { Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'
import { clientNetwork } from '../lib/http/client-address.js'

/** How many connections there may be, and how many of one address (of one /64 of IPv6). */
const PLACES = { all: 200, ofAddress: 50 }
/** How many more may name a recipient, so that it is known which pings were put off. */
const SPARE_PLACES = { all: 100, ofAddress: 50 }
const SESSION_MS = 600_000
const SWEEP_MS = 10_000

/** After this time, a connection without a recipient may be closed in favour of a new one. Real clients name it at once. */
const REPLACEABLE_AFTER_MS = 2_000
/** A connection without a recipient after this time is assumed not to carry a ping. */
const IDLE_AFTER_MS = 10_000

type Session = Pick<SMTPServerSession, 'id' | 'remoteAddress'>

interface Slot {
  address: string
  isSpare: boolean
  /** When the connection or its current e-mail started, by `performance.now()`. */
  since: number
  /** Whether it has named a recipient since then. */
  hasRecipient: boolean
  /** How many recipients it has named in a spare place. */
  putOff: number
}

/**
 * Limits connections in number, per address and in duration. When all places are taken, a new connection replaces the one
 * that has gone longest without naming a recipient, or gets a spare place, in which its e-mail is refused as soon as it has named one.
 */
export class Connections {
  /** By session ID, in the order of `since`. */
  readonly #slots = new Map<string, Slot>()
  readonly #sockets = new Map<Socket, { until: number }>()
  // A timer, because upgrading to TLS removes all listeners from the socket.
  readonly #sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()

  /**
   * `close` ends a session. `onRefused` is called for each refused or closed session that may have carried a ping, but not where one
   * address has too many: anyone could hold the alerts of all.
   */
  constructor(
    private readonly close: (id: string) => void,
    private readonly onRefused: () => void,
    private readonly ticks = () => performance.now(),
  ) {}

  /** Adds a session. Returns false if there is no place for it. */
  admit({ id, remoteAddress }: Session): boolean {
    const address = clientNetwork(remoteAddress)
    for (const isSpare of [false, true]) {
      const { all, ofAddress } = isSpare ? SPARE_PLACES : PLACES
      const alike = [...this.#slots].filter(([, slot]) => slot.isSpare === isSpare)
      const mine = alike.filter(([, slot]) => slot.address === address)
      if (mine.length >= ofAddress) {
        if (!this.#makeRoom(mine, IDLE_AFTER_MS)) continue
      } else if (alike.length >= all && !this.#makeRoom(alike, REPLACEABLE_AFTER_MS)) {
        if (isSpare) this.onRefused()
        continue
      }
      this.#slots.set(id, { address, isSpare, since: this.ticks(), hasRecipient: false, putOff: 0 })
      return true
    }
    return false
  }

  /**
   * Records that the session has named a recipient, so that it keeps its place. If it has only a spare one, returns how many it has named
   * so far; else 0.
   */
  named({ id }: Pick<Session, 'id'>): number {
    const slot = this.#slots.get(id)
    if (!slot) return 0
    if (slot.isSpare) return ++slot.putOff
    slot.hasRecipient = true
    return 0
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

  /** Closes one of these that has not named a recipient for so long (ms). Returns whether there is one. */
  #makeRoom(taken: readonly [string, Slot][], afterMs: number): boolean {
    const [id, slot] = taken.find(([, { hasRecipient }]) => !hasRecipient) ?? []
    const silentMs = slot ? this.ticks() - slot.since : 0
    if (id === undefined || silentMs < afterMs) return false
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
