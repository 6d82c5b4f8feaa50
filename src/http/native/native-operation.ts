/** One thing that Punctual's own API does. */
import type { Answer, Call, OperationDescription } from '../api/operation.js'

/** A request that has passed the key's check. `body`: the JSON of a PATCH. */
export type NativeCall = Pick<Call, 'deps' | 'params' | 'query' | 'body' | 'access' | 'now'>

export interface NativeOperation extends OperationDescription {
  key: 'ro' | 'rw'
  handle(call: NativeCall): Promise<Answer>
}
