/** One thing that the API does: what it is called with, what it answers, and how it is described. */
import type { z } from 'zod'
import type { ApiVersion } from '../../core/wire/version.js'
import type { Authenticated } from '../../storage/projects/api-keys.js'
import type { AppConfig, AppDeps } from '../deps.js'

/** A request that has passed the key's check. */
export interface Call {
  deps: AppDeps
  version: ApiVersion
  /** What stood in the path's placeholders. */
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  /** The JSON body of a POST; empty where there was none. */
  body: Readonly<Record<string, unknown>>
  /** The body of a POST whose operation reads it raw. */
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
  /** Content-Type; JSON unless given. */
  type?: string
}

export type Parameter = { name: string; description: string; schema: z.ZodType }

/** How an operation is described. */
export interface OperationDescription {
  /** Its name in the OpenAPI document and in the client. */
  id: string
  summary: string
  description?: string
  /** `ro`: any key of the project; `rw`: a read-write key; `none`: no API key. */
  key: 'ro' | 'rw' | 'none'
  /** Whether the installation has it; absent for everywhere. Where it has not, the answer is 404. */
  isOffered?(config: AppConfig): boolean
  /** Where no API key is needed: the largest body taken, and how much of it is kept (all unless given), in bytes. */
  bodyLimit?: number
  bodyKept?: number
  query?: readonly Parameter[]
  headers?: readonly Parameter[]
  /** What a POST's body is: JSON of this schema, a form, or bytes of this type; the latter two are read raw. */
  request?: { json: z.ZodType } | { form: z.ZodType } | { raw: string }
  /** The successes; `schema` for JSON, else the content type. */
  responses: Readonly<Record<number, { description: string; schema?: z.ZodType; type?: string }>>
  /** Its refusals: what each status says. */
  errors: Readonly<Record<number, string>>
}

export interface Operation extends OperationDescription {
  handle(call: Call): Promise<Answer>
}
