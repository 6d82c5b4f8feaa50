import { type ClientOptions, exchange } from './transport.js'

/** The check to ping: by its UUID, or by the project's ping key and the check's slug. */
export type PingTarget = { uuid: string } | { pingKey: string; slug: string }

export interface PingOptions {
  /** Connects a start with the success or failure that ends the same run: a UUID. */
  rid?: string
  /** Stored with the ping, such as the job's output. */
  body?: string | Uint8Array<ArrayBuffer>
  /** When the run began or ended, for a ping that is sent later: at most 7 days ago. Send `rid` too. */
  at?: Date
  /** Create the check if the slug is unknown. */
  create?: boolean
}

/** Pings one check. Every method throws an `ApiError` for an error status. */
export class Pinger {
  constructor(
    private readonly options: ClientOptions,
    private readonly target: PingTarget,
  ) {}

  /** Reports that the job has succeeded. */
  success(options?: PingOptions): Promise<void> {
    return this.#ping('', options)
  }

  /** Reports that the job has started. */
  start(options?: PingOptions): Promise<void> {
    return this.#ping('/start', options)
  }

  /** Reports that the job has failed. */
  fail(options?: PingOptions): Promise<void> {
    return this.#ping('/fail', options)
  }

  /** Adds an entry to the log without changing the status. */
  log(options?: PingOptions): Promise<void> {
    return this.#ping('/log', options)
  }

  /** Reports the job's exit status: 0 is a success, 1 to 255 a failure. */
  exitStatus(status: number, options?: PingOptions): Promise<void> {
    return this.#ping(`/${status}`, options)
  }

  /**
   * Runs `job` between a start and a success. If it throws, sends a failure with the error's text and rethrows the
   * error. A ping that cannot be sent does not affect the job; its error is passed to `onPingError`.
   */
  async run<T>(job: () => T | Promise<T>, onPingError: (error: unknown) => void = () => {}): Promise<T> {
    const rid = crypto.randomUUID()
    const started = this.start({ rid }).catch(onPingError)
    try {
      const result = await job()
      await started
      await this.success({ rid }).catch(onPingError)
      return result
    } catch (error) {
      await started
      const body = error instanceof Error ? (error.stack ?? error.message) : String(error)
      await this.fail({ rid, body }).catch(onPingError)
      throw error
    }
  }

  async #ping(suffix: string, { rid, body, at, create }: PingOptions = {}): Promise<void> {
    const { target } = this
    const name = 'uuid' in target ? target.uuid : `${target.pingKey}/${target.slug}`
    const query = new URLSearchParams({
      ...(rid === undefined ? {} : { rid }),
      ...(at === undefined ? {} : { at: String(at.getTime() / 1000) }),
      ...(create ? { create: '1' } : {}),
    })
    await exchange(this.options, {
      method: body === undefined ? 'GET' : 'POST',
      path: `/ping/${name}${suffix}${query.size === 0 ? '' : `?${query}`}`,
      ...(body === undefined ? {} : { body }),
    })
  }
}
