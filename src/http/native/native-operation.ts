/** An operation of Punctual's own API. */
import type { z } from 'zod'
import type { Answer, Call, OperationDescription } from '../api/operation.js'

/** An authenticated request. `body`: the JSON of a POST, PUT or PATCH. */
export type NativeCall = Pick<Call, 'deps' | 'params' | 'query' | 'body' | 'access' | 'now'>

export interface NativeOperation extends OperationDescription {
  key: 'ro' | 'rw'
  /** The successful responses, which are all JSON with a schema. */
  responses: Readonly<Record<number, { description: string; schema: () => z.ZodType }>>
  handle(call: NativeCall): Promise<Answer>
}
