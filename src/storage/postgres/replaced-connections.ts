/** The shortest time (ms) between two replacements: of a read-only database each write is refused, but for those that write nothing. */
const PAUSE_MS = 1_000

/**
 * Which connections of a process are replaced, after a database was read-only: one that was opened meanwhile may stay so for good, by a
 * setting of its session or because it leads to a replica, which answers reads with what it had. Decision 0040.
 */
export class ReplacedConnections<Client extends object> {
  #era = 0
  #openedIn = new WeakMap<Client, number>()
  #replacedAt = Number.NEGATIVE_INFINITY
  #isReadOnly = false

  constructor(private readonly now = () => performance.now()) {}

  opened(client: Client): void {
    this.#openedIn.set(client, this.#era)
  }

  /** Whether a connection is to be replaced before it is used. */
  isOld(client: Client): boolean {
    return this.#openedIn.get(client) !== this.#era
  }

  /** A write was refused because its transaction was read-only. */
  refused(): void {
    this.#isReadOnly = true
    this.#replaceAll()
  }

  /** A write was committed. The first one a while after others were refused ends that time. */
  wrote(): void {
    if (this.#isReadOnly && this.#replaceAll()) this.#isReadOnly = false
  }

  /** Returns whether it is not too soon. */
  #replaceAll(): boolean {
    if (this.now() - this.#replacedAt < PAUSE_MS) return false
    this.#replacedAt = this.now()
    this.#era++
    return true
  }
}
