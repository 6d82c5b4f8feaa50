import type { z } from 'zod'
import { parseJsonOrNull } from '../../lib/formats/parse-json-or-null.js'
import { DeliveryError } from '../integration.js'
import type { HttpAnswer } from '../transports.js'

/** Parses a JSON response of this shape. Throws `DeliveryError` for anything else. */
export function readAnswer<T>(schema: z.ZodType<T>, answer: Pick<HttpAnswer, 'status' | 'body'>): T {
  const read = schema.safeParse(parseJsonOrNull(answer.body))
  if (read.success) return read.data
  const status = answer.status === 200 ? '' : ` (status code ${answer.status})`
  throw new DeliveryError(`Unexpected response from the service${status}`)
}
