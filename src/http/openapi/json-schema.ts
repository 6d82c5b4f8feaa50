import { z } from 'zod'
import type { JsonSchema } from '../../core/api-document.js'

/** The JSON Schema of `schema`. Schemas with a name are added to `schemas` and referenced. */
export function toJsonSchema(schema: z.ZodType, schemas: Record<string, JsonSchema>): JsonSchema {
  const converted = z.toJSONSchema(z.object({ value: schema.optional() }), {
    io: 'input',
    override: ({ jsonSchema }) => {
      // The limits of safe integers are not worth describing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      delete jsonSchema.id
    },
  })
  const text = JSON.stringify({ value: converted.properties?.value, named: converted.$defs ?? {} })
  const { value, named } = JSON.parse(text.replaceAll('#/$defs/', '#/components/schemas/'))
  Object.assign(schemas, named)
  return value
}
