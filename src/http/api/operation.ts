/** An operation of the API: its parameters, its responses, and its description. */
import type { z } from 'zod'
import type { ApiVersion } from '../../core/wire/version.js'
import type { Authenticated } from '../../storage/projects/api-keys.js'
import type { AppConfig, AppDeps } from '../deps.js'

/** An authenticated request. */
export interface Call {
  deps: AppDeps
  version: ApiVersion
  /** The values of the path's placeholders. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The JSON body of a POST; empty if there is none. */
  body: Readonly<Record<string, unknown>>
  /** The body of a POST for operations that read it raw. */
  raw: Uint8Array
  header(name: string): string | null
  access: Authenticated
  now: number
  /** False as soon as the client has disconnected. */
  isWanted(): boolean
}

export interface Answer {
  status: number
  body: string | Uint8Array
  /** Content-Type; JSON by default. */
  type?: string
}

export type Parameter = { name: string; description: string; schema: z.ZodType }

/**
 * The description of an operation. Its schemas are made when they are first needed, because few installations need
 * them and they take a megabyte.
 */
export interface OperationDescription {
  /** Its name in the OpenAPI document and in the client. */
  id: string
  summary: string
  description?: string
  /** `ro`: any key of the project; `rw`: a read-write key; `none`: no API key. */
  key: 'ro' | 'rw' | 'none'
  /** Whether the installation offers it; always by default. If not, the response is 404. */
  isOffered?(config: AppConfig): boolean
  /**
   * For operations without an API key: the maximum body in bytes, and how many bytes of it are kept (all by default).
   */
  bodyLimit?: number
  bodyKept?: number
  query?: readonly Parameter[]
  headers?: readonly Parameter[]
  /** The body of a POST: JSON of this schema, a form, or bytes of this type. Forms and bytes are read raw. */
  request?: { json: () => z.ZodType; example?: object } | { form: () => z.ZodType } | { raw: string }
  /** The successful responses, with a `schema` for JSON or a content type. */
  responses: Readonly<Record<number, { description: string; schema?: () => z.ZodType; type?: string }>>
  /** The meaning of each error status. */
  errors: Readonly<Record<number, string>>
}

export interface Operation extends OperationDescription {
  handle(call: Call): Promise<Answer>
}
