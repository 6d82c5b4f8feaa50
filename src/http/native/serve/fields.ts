/** `?fields=`: only some members of an answer. */
import { z } from 'zod'
import { toJson, withMembers } from '../../../core/wire/json.js'
import { inTurns, mapped } from '../../../lib/in-turns.js'
import type { AnyNativeOperation } from '../native-operation.js'
import { FieldRefusal } from '../problem.js'
import { pageText } from './page.js'

/**
 * The members that a request asks for; null: all. Throws a `FieldRefusal` if the answer has no such member. In a list
 * they are the members of its items.
 */
export function fieldsAsked(query: URLSearchParams, operation: AnyNativeOperation): string[] | null {
  const [text, ...others] = query.getAll('fields')
  if (text === undefined) return null
  const asked = text.split(',').map(name => name.trim())
  const known = membersOf(operation)
  const unknown = asked.filter(name => !known.has(name)).slice(0, 10)
  if (unknown.length > 0 || others.length > 0) {
    const detail = `not fields of the answer: ${unknown.map(name => name.slice(0, 50)).join(', ')}`
    throw new FieldRefusal([{ detail, parameter: 'fields' }])
  }
  return asked
}

/** The answer with only these members. A list is written in turns, because it may be long. */
export async function onlyFields(body: string, fields: readonly string[], isList: boolean): Promise<string> {
  const answer = JSON.parse(body)
  if (!isList) return toJson(withMembers(answer, fields))
  const items = await inTurns(mapped<object, string>(answer.items, one => toJson(withMembers(one, fields))))
  return pageText(items, answer.next)
}

function membersOf(operation: AnyNativeOperation): Set<string> {
  const schema = operation.responses[200]?.schema?.()
  const whole = schema ? shapesOf(schema) : []
  if (!operation.listing) return new Set(whole.flatMap(shape => Object.keys(shape)))
  return new Set(whole.flatMap(shape => shapesOf(shape.items!)).flatMap(shape => Object.keys(shape)))
}

/** The objects that a schema allows: one, alternatives, or those in a list. */
function shapesOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType>[] {
  if (schema instanceof z.ZodObject) return [schema.shape]
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(shapesOf)
  if (schema instanceof z.ZodArray) return shapesOf(schema.element)
  return []
}
