/** A request to an address that a user entered, and its answer. */

export interface SafeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
  url: string
  headers?: Readonly<Record<string, string>>
  /** Names of headers that a redirect to another origin must not carry, besides the usual ones. */
  secretHeaders?: readonly string[]
  body?: string | Uint8Array
  /** Whether the body holds secrets: a redirect that would carry it to another origin is refused. */
  secretBody?: boolean
  /** How much of the answer is kept, in bytes; 64 kB unless more is needed. */
  keepBytes?: number
  /** An origin that the operator named, not a user: it may be private. A redirect elsewhere is judged as ever. */
  trustedOrigin?: string
}

export interface SafeAnswer {
  status: number
  /** Names in lower case; the values of a repeated header joined by `, `. */
  headers: Readonly<Record<string, string>>
  /** At most the first `keepBytes`. */
  body: string
  /** When the answer came, ms UTC. */
  receivedAt: number
}
