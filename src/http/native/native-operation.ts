/** An operation of Punctual's own API: how it is described, who may use it, and what it does. */
import type { z } from 'zod'
import type { Refusal } from '../../core/errors.js'
import type { Need } from '../../core/people/role.js'
import type { ScopeName } from '../../core/people/scopes.js'
import type { Answer, Call, OperationDescription } from '../api/operation.js'
import type { Access, Caller } from './serve/caller.js'

/** An authenticated request. `body`: the JSON of a POST, PUT or PATCH. `operation`: its ID. */
interface BaseCall extends Pick<Call, 'deps' | 'params' | 'query' | 'body' | 'now' | 'header'> {
  operation: string
  /** The members that are wanted, for an operation that `choosesFields`. Null: all. */
  fields: readonly string[] | null
  /** Whether the answer may be a stream. */
  mayStream: boolean
  /** Closes the connection, also while the client reads nothing of the answer. */
  disconnect(): void
}

/** A request about one project. */
export interface NativeCall extends BaseCall {
  access: Access
  /** The ID of another project that the request names. Throws a `Refusal` if the caller may not use the operation there. */
  otherProject(uuid: string): Promise<number>
  /** What the caller may do now, or why they may not do this any more, for what takes long. */
  accessNow(): Promise<Access | Refusal>
}

/** A request that is not about one project, such as a list of projects. */
export interface CallerCall extends BaseCall {
  caller: Caller
}

/** An answer whose body may be sent piece by piece. */
export interface PossiblyStreamed extends Omit<Answer, 'body'> {
  body: Answer['body'] | ReadableStream<Uint8Array>
}

/** A `Response` is sent as it is, for streams and files. */
export type NativeAnswer = PossiblyStreamed | Response

/** How a list is divided: `place` is the schema of the values that locate an item in its order. */
export interface Listing<P> {
  /** The number of items of a page by default, and at most. */
  limit: number
  most: number
  place: z.ZodType<P>
}

interface NativeDescription
  extends Pick<OperationDescription, 'id' | 'summary' | 'description' | 'query' | 'errors'> {
  /** What a token needs, beside the role that goes with it (core/people/scopes.ts). Null: any token will do. */
  scope: ScopeName | null
  /** Scopes that a token needs as well; keys may not use such an operation. */
  alsoNeeds?: readonly ScopeName[]
  /** The role that a token needs in place of that of the scope. */
  role?: Need
  /** Which API keys of the project may use it, too: `ro` any, `rw` a read-write key. None by default. */
  key?: 'ro' | 'rw'
  /** `example`: a body that succeeds, where what it names exists. */
  request?: { json: () => z.ZodType; example: object }
  /**
   * For bodies with very many values: how many levels of their objects are parsed member by member, in turns. Absent: such bodies are
   * refused.
   */
  bodyLevels?: number
  /** The successful responses: JSON with a schema, or a content type. */
  responses: Readonly<Record<number, { description: string; schema?: () => z.ZodType; type?: string }>>
  /** For lists in pages: `cursor` and `limit` are its parameters; `pageOf` reads them, `pageJson` is the answer. */
  listing?: Listing<unknown>
  /** Whether it leaves out the members that are not wanted itself, so that a long answer is not written twice. It has no ETag. */
  choosesFields?: true
  /** For a GET: the members of the answer that are not part of its ETag, because they change by themselves. */
  state?: readonly string[]
}

/** About one project, which a person's token names in the query, or which is the `uuid` of the path (`inPath`). */
export interface NativeOperation extends NativeDescription {
  concerns?: 'project'
  inPath?: true
  handle(call: NativeCall): Promise<NativeAnswer>
}

/** Not about one project. API keys may not use it. */
export interface CallerOperation extends NativeDescription {
  concerns: 'caller'
  inPath?: never
  handle(call: CallerCall): Promise<NativeAnswer>
}

export type AnyNativeOperation = NativeOperation | CallerOperation
