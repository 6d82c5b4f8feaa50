// Writes the client of Punctual's own API from its OpenAPI document: a type for each schema, a method for each operation.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { comment, declarations, typeOf } from './schema-types.js'

const PAGE = 'src/client/own-api.ts'
const HEADER = `// Written by \`npm run docs\` from the OpenAPI document of Punctual's own API.
import { OwnApiRequests } from './own-api-requests.js'
`

const BIOME = fileURLToPath(new URL('../../test/node_modules/@biomejs/biome/bin/biome', import.meta.url))

/** As the linter wants it. */
function formatted(text) {
  const { stdout, stderr } = spawnSync(process.execPath, [BIOME, 'format', `--stdin-file-path=${PAGE}`], {
    input: text,
    encoding: 'utf8',
  })
  if (!stdout) throw new Error(stderr)
  return stdout
}

/** The file by its path. */
export function ownApiClient({ paths, components }) {
  const methods = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => methodOf(path, method, operation, components.schemas)),
  )
  const text = `${HEADER}
${declarations(components.schemas).join('\n')}
/** Punctual's own API. Every method throws an \`ApiError\` for an error status. */
export class PunctualApi extends OwnApiRequests {
${methods.join('\n')}}
`
  return new Map([[PAGE, formatted(text)]])
}

function methodOf(path, method, operation, schemas) {
  const places = operation.parameters.filter(one => one.in === 'path')
  const query = operation.parameters.filter(one => one.in === 'query' && !OWN.includes(one.name))
  const lists = operation.parameters.some(({ name }) => name === 'cursor')
  const headers = operation.parameters.filter(one => one.in === 'header')
  const body = operation.requestBody?.content['application/json']?.schema
  const isNeeded = query.some(({ required }) => required)
  const parameters = [
    ...places.map(({ name, schema }) => `${camel(name)}: ${typeOf(schema)}`),
    ...(body ? [`body: ${typeOf(body)}${isOptional(body) ? ' = {}' : ''}`] : []),
    ...(query.length + headers.length > 0
      ? [`options: { ${[...query, ...headers].map(option).join('; ')} }${isNeeded ? '' : ' = {}'}`]
      : []),
  ]
  const address = `\`${path.replace(/\{(\w+)\}/g, (_, name) => `\${encodeURIComponent(${camel(name)})}`)}\``
  const asked = [
    `method: '${method.toUpperCase()}'`,
    `path: ${path.includes('{') ? address : address.replaceAll('`', "'")}`,
    ...(body ? ['body'] : []),
    ...(query.length + headers.length > 0 ? ['options'] : []),
  ]
  const [, { content }] = Object.entries(operation.responses)[0]
  const answer = content?.['application/json']?.schema
  const text = comment(operation.summary, '  ')
  const name = operation.operationId
  const inner = parameters.length > 1 ? `\n    ${parameters.join(',\n    ')},\n  ` : parameters.join(', ')
  if (lists) {
    const item = itemOf(answer.$ref ? schemas[answer.$ref.split('/').at(-1)] : answer)
    return `${text}  ${name}(${inner}): AsyncGenerator<${item}, void, void> {\n    return this.pages({ ${asked.join(', ')} })\n  }\n`
  }
  const [type, call] = answer ? [typeOf(answer), 'json'] : ['Response', 'request']
  return `${text}  ${name}(${inner}): Promise<${type}> {\n    return this.${call}({ ${asked.join(', ')} })\n  }\n`
}

/** What the class sets by itself. */
const OWN = ['project', 'cursor', 'fields']

function option({ name, schema, required, description }) {
  return `/** ${description} */ ${camel(name)}${required ? '' : '?'}: ${typeOf(schema)}`
}

/** The type of the items of a list. */
function itemOf({ properties }) {
  const { items, anyOf } = properties.items
  return anyOf ? anyOf.map(one => typeOf(one.items)).join(' | ') : typeOf(items)
}

function isOptional({ required = [], $ref }) {
  return $ref === undefined && required.length === 0
}

const camel = name =>
  name.replace(/[-_](\w)/g, (_, letter) => letter.toUpperCase()).replace(/^\w/, one => one.toLowerCase())
