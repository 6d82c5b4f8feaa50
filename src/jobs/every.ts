/** Runs `work` at an interval, never twice at once: if it is still running, a turn is skipped. */
export class Every {
  readonly #abort = new AbortController()
  #timer: NodeJS.Timeout | null = null
  #work: Promise<void> | null = null

  /** `work` gets a signal that aborts on `stop`; errors after that are ignored. */
  constructor(
    private readonly intervalMs: number,
    private readonly work: (signal: AbortSignal) => Promise<void>,
    private readonly onError: (error: unknown) => void,
  ) {}

  start(): void {
    this.#timer = setInterval(() => this.now(), this.intervalMs)
  }

  /** Runs the work now, unless it is running. */
  now(): void {
    this.#work ??= this.#run().finally(() => {
      this.#work = null
    })
  }

  /** Resolves when the run under way has ended. */
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
