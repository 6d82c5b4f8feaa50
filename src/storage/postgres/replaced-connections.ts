/** The shortest time (ms) between two replacements because a write was refused: each write of a read-only database is. */
const PAUSE_MS = 1_000

/**
 * Which connections of a process are replaced, after a database was read-only: one that was opened meanwhile may stay so for good, by a
 * setting of its session or because it leads to a replica, which answers reads with what it had. Decision 0040.
 */
export class ReplacedConnections<Client extends object> {
  #era = 0
  #openedIn = new WeakMap<Client, number>()
  #refusedAt = Number.NEGATIVE_INFINITY
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
    if (this.now() - this.#refusedAt < PAUSE_MS) return
    this.#refusedAt = this.now()
    this.#era++
  }

  /** A write was committed. The first one after others were refused ends that time. */
  wrote(): void {
    if (this.#isReadOnly) this.#era++
    this.#isReadOnly = false
  }
}
