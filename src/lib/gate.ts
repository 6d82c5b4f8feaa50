/** Lets so many pieces of work run at a time; the others wait for their turn. */
export class Gate {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(private readonly most: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.most) this.#running++
    // Whoever ends hands over their place.
    else await new Promise<void>(resolve => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
