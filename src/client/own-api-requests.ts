import { type ClientOptions, type Exchange, exchange } from './transport.js'

export interface OwnApiOptions extends ClientOptions {
  /** An API token, or a key of the project. */
  token: string
  /** The UUID of the project: for a token of a person. */
  project?: string
}

interface Asked {
  method: Exchange['method']
  /** After the prefix of the API. */
  path: string
  body?: unknown
  /** Parameters of the query, `ifMatch` and `idempotencyKey`. */
  options?: object
}

const PREFIX = '/api/punctual/v1'

/** Sends the requests of Punctual's own API. */
export class OwnApiRequests {
  constructor(private readonly options: OwnApiOptions) {}

  /** Sends a request and returns the response, with its headers. Throws an `ApiError` for an error status. */
  async request({ method, path, body, options = {} }: Asked): Promise<Response> {
    const { ifMatch, idempotencyKey, ...query } = options as Record<string, unknown>
    const { token, project } = this.options
    const named = Object.entries({ project, ...query }).filter(([, value]) => value !== undefined)
    const search = new URLSearchParams(named.map(([name, value]): [string, string] => [name, String(value)]))
    return await exchange(this.options, {
      method,
      path: `${PREFIX}${path}${search.size > 0 ? `?${search}` : ''}`,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(ifMatch === undefined ? {} : { 'If-Match': String(ifMatch) }),
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': String(idempotencyKey) }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  protected async json<T>(asked: Asked): Promise<T> {
    return (await (await this.request(asked)).json()) as T
  }

  /** The items of all pages; a page is asked for when its first item is. */
  protected async *pages<T>(asked: Asked): AsyncGenerator<T, void, void> {
    let cursor: string | null = null
    do {
      const options = { ...asked.options, ...(cursor === null ? {} : { cursor }) }
      const page: { items: T[]; next: string | null } = await this.json({ ...asked, options })
      yield* page.items
      cursor = page.next
    } while (cursor !== null)
  }
}
