/** Work that is done again and again, never twice at once: a time that comes while it is being done is skipped. */
export class Every {
  readonly #abort = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #work: Promise<void> | null = null

  /** `work` is given a signal that aborts when the work is stopped; what it throws after that is ignored. */
  constructor(
    private readonly intervalMs: number,
    private readonly work: (signal: AbortSignal) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.now(), this.intervalMs)
  }

  /** Does it now, unless it is being done. */
  now(): void {
    this.#work ??= this.#run().finally(() => {
      this.#work = null
    })
  }

  /** Resolves when the work under way has ended. */
  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    this.#abort.abort()
    await this.#work
  }

  async #run(): Promise<void> {
    try {
      await this.work(this.#abort.signal)
    } catch (error) {
      if (!this.#abort.signal.aborted) this.onError(error)
    }
  }
}
