import type { Socket } from 'node:net'
import type { SMTPServerSession } from 'smtp-server'

const MOST_CONNECTIONS = 200
const MOST_FROM_ONE_ADDRESS = 50
const SESSION_MS = 600_000
const SWEEP_MS = 10_000

/** A connection without a recipient gives way to a new one after this time (ms): clients name theirs at once. */
const YIELDS_AFTER_MS = 2_000
/** One that named no recipient within this time (ms) was about to send no ping. */
const IDLE_AFTER_MS = 10_000

type Session = Pick<SMTPServerSession, 'id' | 'remoteAddress'>

interface Place {
  address: string
  /** When the connection began or its last e-mail ended, of `performance.now()`. */
  since: number
  /** Whether it has named a recipient since. */
  hasRecipient: boolean
}

/**
 * Who is connected: no single address may take all the places, and nobody stays for ever. Where all places are taken, the
 * connection that has named no recipient for longest gives way.
 */
export class Connections {
  /** By session, in the order of `since`. */
  readonly #places = new Map<string, Place>()
  readonly #sockets = new Map<Socket, { until: number }>()
  // Looked after from here, because an upgrade to TLS takes all listeners off the socket.
  readonly #sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()

  /** `close` ends a session; `onRefused` is called for each that is refused or closed and may have brought a ping. */
  constructor(
    private readonly close: (id: string) => void,
    private readonly onRefused: () => void,
    private readonly ticks = () => performance.now(),
  ) {}

  /** Counts a session; false where there is no place for it. */
  admit({ id, remoteAddress: address }: Session): boolean {
    const isMine = (place: Place) => place.address === address
    const hasPlace =
      this.#makePlace(MOST_FROM_ONE_ADDRESS, isMine) && this.#makePlace(MOST_CONNECTIONS, () => true)
    if (hasPlace) this.#places.set(id, { address, since: this.ticks(), hasRecipient: false })
    else this.onRefused()
    return hasPlace
  }

  /** The session has named a recipient: it keeps its place. */
  named({ id }: Pick<Session, 'id'>): void {
    const place = this.#places.get(id)
    if (place) place.hasRecipient = true
  }

  /** The session's e-mail is over. */
  ended({ id }: Pick<Session, 'id'>): void {
    const place = this.#places.get(id)
    if (!place) return
    this.#places.delete(id)
    this.#places.set(id, { ...place, since: this.ticks(), hasRecipient: false })
  }

  leave({ id }: Pick<Session, 'id'>): void {
    this.#places.delete(id)
  }

  /** Cuts the connection off after a while, however busy it looks. */
  watch(socket: Socket): void {
    this.#sockets.set(socket, { until: performance.now() + SESSION_MS })
  }

  /** Cuts everybody off. */
  end(): void {
    clearInterval(this.#sweeping)
    for (const socket of this.#sockets.keys()) socket.destroy()
    this.#sockets.clear()
  }

  /** Whether fewer than `most` of those that `counts` says remain, once one has given way where there were as many. */
  #makePlace(most: number, counts: (place: Place) => boolean): boolean {
    const taken = [...this.#places].filter(([, place]) => counts(place))
    if (taken.length < most) return true
    const [id, place] = taken.find(([, { hasRecipient }]) => !hasRecipient) ?? []
    const silentMs = place ? this.ticks() - place.since : 0
    if (id === undefined || silentMs < YIELDS_AFTER_MS) return false
    this.#places.delete(id)
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
