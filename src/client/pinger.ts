import { type ClientOptions, exchange } from './transport.js'

/** The check to ping: by its UUID, or by the project's ping key and the check's slug. */
export type PingTarget = { uuid: string } | { pingKey: string; slug: string }

export interface PingOptions {
  /** Ties a start to the success or failure that ends the same run: a UUID. */
  rid?: string
  /** What is kept with the ping, such as the job's output. */
  body?: string | Uint8Array<ArrayBuffer>
  /** Make the check if the slug is unknown. */
  create?: boolean
}

/** Pings one check. Every method throws an `ApiError` when the server says no. */
export class Pinger {
  constructor(
    private readonly options: ClientOptions,
    private readonly target: PingTarget,
  ) {}

  /** The job has finished well. */
  success(options?: PingOptions): Promise<void> {
    return this.#ping('', options)
  }

  /** The job begins. */
  start(options?: PingOptions): Promise<void> {
    return this.#ping('/start', options)
  }

  /** The job has failed. */
  fail(options?: PingOptions): Promise<void> {
    return this.#ping('/fail', options)
  }

  /** Logs something without saying how the job goes. */
  log(options?: PingOptions): Promise<void> {
    return this.#ping('/log', options)
  }

  /** The job has ended with this exit status: 0 is a success, 1 to 255 a failure. */
  exitStatus(status: number, options?: PingOptions): Promise<void> {
    return this.#ping(`/${status}`, options)
  }

  /**
   * Runs `job` between a start and a success; if it throws, a failure with the error's text is sent and the error
   * thrown on. A ping that cannot be sent changes nothing for the job: it is told to `onPingError`.
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

  async #ping(suffix: string, { rid, body, create }: PingOptions = {}): Promise<void> {
    const { target } = this
    const name = 'uuid' in target ? target.uuid : `${target.pingKey}/${target.slug}`
    const query = new URLSearchParams({
      ...(rid === undefined ? {} : { rid }),
      ...(create ? { create: '1' } : {}),
    })
    await exchange(this.options, {
      method: body === undefined ? 'GET' : 'POST',
      path: `/ping/${name}${suffix}${query.size === 0 ? '' : `?${query}`}`,
      ...(body === undefined ? {} : { body }),
    })
  }
}
