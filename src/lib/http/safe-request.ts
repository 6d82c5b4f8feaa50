/** A request to an address that a user entered, and its response. */

export interface SafeRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'
  url: string
  headers?: Readonly<Record<string, string>>
  /** Headers that are not sent to another origin on a redirect, besides the usual ones. */
  secretHeaders?: readonly string[]
  body?: string | Uint8Array
  /** Whether the body contains secrets: a redirect that would send it to another origin is refused. */
  secretBody?: boolean
  /** Whether a redirect is the answer, rather than followed. */
  keepRedirect?: boolean
  /** How many bytes of the response body are kept; 64 kB by default. */
  keepBytes?: number
  /** An origin from the operator's settings, which may be private. Redirects to other origins are checked as usual. */
  trustedOrigin?: string
}

export interface SafeAnswer {
  status: number
  /** Names are in lower case; the values of a repeated header are joined by `, `. */
  headers: Readonly<Record<string, string>>
  /** At most the first `keepBytes`. */
  body: string
  /** When the response arrived, ms UTC. */
  receivedAt: number
}
