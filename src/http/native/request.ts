/** What operations of Punctual's own API read from their requests. */
import type { z } from 'zod'
import { Refusal } from '../../core/errors.js'
import type { NativeCall } from './native-operation.js'
import { FieldRefusal, fieldRefusal } from './problem.js'

/** The errors of operations on one check. */
export const oneCheck = { 404: 'There is no such check in the project.' }

/** The largest ID that addresses may name. */
export const LARGEST_ID = 2 ** 31 - 1

/** The ID in the path. Throws `Refusal('not-found')` if nothing can have it; `noun`: what it names. */
export function idOf({ params }: NativeCall, noun: string): number {
  const id = /^\d{1,10}$/.test(params.id!) ? Number(params.id) : 0
  if (id < 1 || id > LARGEST_ID) throw new Refusal('not-found', `${noun} not found`)
  return id
}

/** The body as a schema reads it. Throws a `FieldRefusal`. */
export function parseBody<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const result = schema.safeParse(body)
  if (!result.success) throw fieldRefusal(result.error)
  return result.data
}

/** The result of a write; if that refuses a field, the place in the body is named. */
export async function namingFields<T>(result: Promise<T>): Promise<T> {
  return await result.catch(error => {
    if (!(error instanceof Refusal) || error.field === undefined) throw error
    throw new FieldRefusal([{ detail: error.message, pointer: `/${error.field}` }])
  })
}
