/** Runs what has the same name one after the other, in this process. */
export class OneAtATime {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Whether something of this name runs or waits. */
  has(name: string): boolean {
    return this.#last.has(name)
  }

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve()
    const mine = before.then(work, work)
    this.#last.set(name, mine)
    try {
      return await mine
    } finally {
      if (this.#last.get(name) === mine) this.#last.delete(name)
    }
  }
}
