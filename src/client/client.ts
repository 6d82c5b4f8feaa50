import type { BadgeSet } from '../core/wire/badge.js'
import type { ChannelShape } from '../core/wire/channel.js'
import type { ReadOnlyCheck, ReadWriteCheck } from '../core/wire/check.js'
import type { FlipShape } from '../core/wire/flip.js'
import type { PingShape } from '../core/wire/ping.js'
import type { CheckFields, NewCheckFields } from './check-fields.js'
import { type ClientOptions, type Exchange, exchange } from './transport.js'

export interface CheckFilter {
  slug?: string
  /** Only checks with all of these tags. */
  tags?: readonly string[]
}

export interface FlipFilter {
  /** Only changes in the last so many seconds. */
  seconds?: number
  /** Only changes at this UNIX time or later, and before `end`. */
  start?: number
  end?: number
}

/**
 * The management API, version 3. With a read-write key, checks come with their UUIDs. `C` is the type of a check: use
 * `ReadOnlyCheck` with a read-only key. Every method throws an `ApiError` for an error status.
 */
export class PunctualClient<C extends ReadWriteCheck | ReadOnlyCheck = ReadWriteCheck> {
  constructor(private readonly options: ClientOptions & { apiKey: string }) {}

  async listChecks(filter: CheckFilter = {}): Promise<C[]> {
    const query = new URLSearchParams(filter.slug === undefined ? {} : { slug: filter.slug })
    for (const tag of filter.tags ?? []) query.append('tag', tag)
    return (await this.#json<{ checks: C[] }>('GET', `/checks/?${query}`)).checks
  }

  /** A check by its UUID or its unique key. */
  async getCheck(ref: string): Promise<C> {
    return await this.#json('GET', `/checks/${encodeURIComponent(ref)}`)
  }

  /**
   * Creates a check. With `unique`, changes the check that has the same values in those fields instead, if there is
   * one.
   */
  async createCheck(fields: NewCheckFields = {}): Promise<ReadWriteCheck> {
    return await this.#json('POST', '/checks/', fields)
  }

  async updateCheck(uuid: string, fields: CheckFields): Promise<ReadWriteCheck> {
    return await this.#json('POST', `/checks/${encodeURIComponent(uuid)}`, fields)
  }

  async pauseCheck(uuid: string): Promise<ReadWriteCheck> {
    return await this.#json('POST', `/checks/${encodeURIComponent(uuid)}/pause`)
  }

  /** Resumes a paused check, which is then new. Throws an `ApiError` with status 409 if it is not paused. */
  async resumeCheck(uuid: string): Promise<ReadWriteCheck> {
    return await this.#json('POST', `/checks/${encodeURIComponent(uuid)}/resume`)
  }

  /** Deletes a check and returns it as it was. */
  async deleteCheck(uuid: string): Promise<ReadWriteCheck> {
    return await this.#json('DELETE', `/checks/${encodeURIComponent(uuid)}`)
  }

  /** The logged pings, newest first, at most 1,000. */
  async listPings(uuid: string): Promise<PingShape[]> {
    const path = `/checks/${encodeURIComponent(uuid)}/pings/`
    return (await this.#json<{ pings: PingShape[] }>('GET', path)).pings
  }

  /** The body of the ping with the number `n`. */
  async getPingBody(uuid: string, n: number): Promise<Uint8Array> {
    const response = await this.#send('GET', `/checks/${encodeURIComponent(uuid)}/pings/${n}/body`)
    return new Uint8Array(await response.arrayBuffer())
  }

  /** The changes to up and down, newest first, of a check by its UUID or its unique key. */
  async listFlips(ref: string, filter: FlipFilter = {}): Promise<FlipShape[]> {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(filter)) query.set(name, String(value))
    const path = `/checks/${encodeURIComponent(ref)}/flips/?${query}`
    const answer = await this.#json<FlipShape[] | { flips: FlipShape[] }>('GET', path)
    return Array.isArray(answer) ? answer : answer.flips
  }

  async listChannels(): Promise<ChannelShape[]> {
    return (await this.#json<{ channels: ChannelShape[] }>('GET', '/channels/')).channels
  }

  /** The addresses of the badges by tag; `*` means all checks. */
  async listBadges(): Promise<Record<string, BadgeSet>> {
    return (await this.#json<{ badges: Record<string, BadgeSet> }>('GET', '/badges/')).badges
  }

  async #json<T>(method: Exchange['method'], path: string, body?: object): Promise<T> {
    return (await (await this.#send(method, path, body)).json()) as T
  }

  async #send(method: Exchange['method'], path: string, body?: object): Promise<Response> {
    return await exchange(this.options, {
      method,
      path: `/api/v3${path}`,
      headers: { 'X-Api-Key': this.options.apiKey },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }
}
