/** One thing that Punctual's own API does. */
import type { z } from 'zod'
import type { Answer, Call, OperationDescription } from '../api/operation.js'

/** A request that has passed the key's check. `body`: the JSON of a PATCH. */
export type NativeCall = Pick<Call, 'deps' | 'params' | 'query' | 'body' | 'access' | 'now'>

export interface NativeOperation extends OperationDescription {
  key: 'ro' | 'rw'
  /** The successes: all are JSON, and described by a schema. */
  responses: Readonly<Record<number, { description: string; schema: z.ZodType }>>
  handle(call: NativeCall): Promise<Answer>
}
