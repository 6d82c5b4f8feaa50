// TypeScript types from the schemas of an OpenAPI document.

/** A schema is written as what it adds to an earlier one if they share at least this many members, and half of its own. */
const SHARED = 5

/** The name and the text of the declaration of each schema. Those that share most of their members with an earlier one refer to it. */
export function declarations(schemas) {
  const earlier = []
  return Object.entries(schemas).map(([name, schema]) => {
    const members = membersOf(schema)
    const type = (members && derived(members, earlier)) ?? typeOf(schema)
    if (members) earlier.push({ name, members })
    return { name, text: `${comment(schema.description)}export type ${name} = ${type}\n` }
  })
}

/** The TypeScript type of a JSON Schema. */
export function typeOf(schema) {
  const { $ref, anyOf, allOf, type, properties, additionalProperties, items } = schema
  if ($ref) return $ref.split('/').at(-1)
  if (anyOf) return [...new Set(anyOf.map(typeOf))].join(' | ')
  if (allOf) return allOf.map(typeOf).join(' & ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(word => JSON.stringify(word)).join(' | ')
  if (Array.isArray(type)) return type.map(one => typeOf({ ...schema, type: one })).join(' | ')
  if (type === 'array') return `(${typeOf(items ?? {})})[]`
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  if (type !== 'object' && !properties) return 'unknown'
  const others =
    typeof additionalProperties === 'object' ? [`[name: string]: ${typeOf(additionalProperties)}`] : []
  const all = [...propertiesOf(schema).map(textOf), ...others]
  return all.length === 0 ? 'Record<string, never>' : objectOf(all)
}

/** A description as a comment. */
export function comment(text, indent = '') {
  return text ? `${indent}/** ${text.replaceAll('*/', '*\\/')}${text.endsWith('.') ? '' : '.'} */\n` : ''
}

/** The members of a schema that is an object with these alone; null for any other. */
function membersOf(schema) {
  const isPlain =
    schema.properties && !schema.anyOf && !schema.allOf && typeof schema.additionalProperties !== 'object'
  return isPlain ? propertiesOf(schema) : null
}

function propertiesOf({ properties = {}, required = [] }) {
  return Object.entries(properties).map(([name, one]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)
    return {
      name,
      key,
      isRequired: required.includes(name),
      text: `: ${typeOf(one)}`,
      about: comment(one.description),
    }
  })
}

/** Members as what they add to those of an earlier schema; null if there is none with enough in common. */
function derived(members, earlier) {
  const isPartial = members.every(({ isRequired }) => !isRequired)
  const isSame = (one, other) =>
    one.name === other.name &&
    one.text === other.text &&
    one.about === other.about &&
    (isPartial || one.isRequired === other.isRequired)
  const sharedWith = base => members.filter(one => base.members.some(other => isSame(one, other)))
  const [best] = earlier
    .map(base => ({ base, shared: sharedWith(base) }))
    .sort((a, b) => b.shared.length - a.shared.length)
  if (!best || best.shared.length < Math.max(SHARED, members.length / 2)) return null
  const names = new Set(best.shared.map(({ name }) => name))
  const left = best.base.members.filter(({ name }) => !names.has(name))
  const added = members.filter(({ name }) => !names.has(name))
  const isShorter = left.length < best.shared.length
  const listed = (isShorter ? left : best.shared).map(({ name }) => JSON.stringify(name)).join(' | ')
  const kept = listed === '' ? best.base.name : `${isShorter ? 'Omit' : 'Pick'}<${best.base.name}, ${listed}>`
  const base = isPartial && best.base.members.some(({ isRequired }) => isRequired) ? `Partial<${kept}>` : kept
  return added.length === 0 ? base : `${base} & ${objectOf(added.map(textOf))}`
}

const textOf = ({ key, isRequired, text, about }) => `\n  ${about}${key}${isRequired ? '' : '?'}${text}`

const objectOf = members => `{ ${members.join('; ')} }`
