import type { JsonSchema } from '../../src/core/api-document.js'

/**
 * The first mismatch between `value` and `schema`, or null. Supports the parts of JSON Schema that our documents use.
 * `named`: the schemas that others reference.
 */
export function schemaMismatch(
  value: unknown,
  schema: JsonSchema,
  named: Record<string, JsonSchema>,
  at = '',
): string | null {
  const mismatch = (one: unknown, by: JsonSchema, where: string) => schemaMismatch(one, by, named, where)
  if (schema.$ref) return mismatch(value, named[schema.$ref.split('/').at(-1)!]!, at)
  if (schema.anyOf) {
    return schema.anyOf.some(one => mismatch(value, one, at) === null) ? null : `${at}: no alternative fits`
  }
  if (schema.enum && !schema.enum.includes(value as string)) return `${at}: ${value} is not in the enum`
  if (schema.const !== undefined && schema.const !== value) return `${at}: ${value} is not ${schema.const}`
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  const expected = [schema.type ?? []].flat().map(one => (one === 'integer' ? 'number' : one))
  if (expected.length > 0 && !expected.includes(type)) return `${at}: ${type} is not ${expected}`
  if (value === null) return null
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(value as string))) return `${at}: no instant`
  if (schema.items) {
    return (
      (value as unknown[]).map((one, i) => mismatch(one, schema.items!, `${at}[${i}]`)).find(Boolean) ?? null
    )
  }
  if (type !== 'object') return null
  const object = value as Record<string, unknown>
  const missing = schema.required?.find(name => !(name in object))
  if (missing) return `${at}: ${missing} is missing`
  for (const [name, one] of Object.entries(object)) {
    const property = schema.properties?.[name] ?? schema.additionalProperties
    if (property === false) return `${at}: ${name} is not documented`
    const problem = typeof property === 'object' ? mismatch(one, property, `${at}.${name}`) : null
    if (problem) return problem
  }
  return null
}
