/** Values by their key, of which those that were put in first are forgotten beyond a limit. */
export class Remembered<T> {
  readonly #values = new Map<string, T>()

  constructor(private readonly limit: number) {}

  get(key: string): T | undefined {
    return this.#values.get(key)
  }

  put(key: string, value: T): void {
    if (this.#values.size >= this.limit && !this.#values.has(key)) {
      this.#values.delete(this.#values.keys().next().value!)
    }
    this.#values.set(key, value)
  }

  delete(key: string): void {
    this.#values.delete(key)
  }

  clear(): void {
    this.#values.clear()
  }
}

/** The most checks that are remembered for their next ping, a few hundred bytes each. */
export const REMEMBERED_CHECKS = 20_000
